declare module '../kernel/objects/calls.ts' {
  interface LiveBindings {
    events: EventsBinding
  }
}

declare module '../kernel/manifest.ts' {
  interface Manifest {
    events?: EventSpec[] | undefined
    /** The paths of the app's pages. Set in an app that counts events. */
    paths?: string[] | undefined
  }
}

export interface EventSpec {
  name: string
  /** The only allowed groups. Without this list, any short text that does not look personal is allowed. */
  groups?: string[] | undefined
}

export interface EventDetails {
  /** A short text to group counts by, such as the chosen plan. Never a person, an id or an address. */
  group?: string
  /** A number to add up, such as an amount. */
  value?: number
}

/** The event settings of the operator, and today's salt, which turns a network address into a visitor's pseudonym. */
export interface EventRules {
  /** The day in UTC, such as `2026-11-26`, that the salt is for. */
  day: string
  salt: string
  sampleRate: number
  autoPageviews: boolean
}

/**
 * The RPC methods of the live worker that the app's worker calls to count events. Deployed older releases still call these methods, so add
 * methods but never change or remove one.
 */
export interface EventsBinding {
  eventRules(): Promise<EventRules>
}
