export interface EventSpec {
  name: string
  /** The only groups it may have; without them any short text that does not look personal. */
  groups?: string[] | undefined
}

export interface EventDetails {
  /** A short word to count by, like the plan that was chosen; never a person, an id or an address. */
  group?: string
  /** A number to sum up, like an amount. */
  value?: number
}

/** What applies to events today: the operator's settings, and the salt that turns an address into the name of a visitor. */
export interface EventRules {
  /** A day in UTC like `2026-11-26`; the salt is for this day only. */
  day: string
  salt: string
  sampleRate: number
  autoPageviews: boolean
}

/** What the app's worker may call of the events. Methods are added, never changed: older releases call them. */
export interface EventsBinding {
  eventRules(): Promise<EventRules>
}
