import type { ReleaseMethod } from '../kernel/objects/calls.ts'
import type { WindowKind } from '../kernel/window.ts'

declare module '../kernel/objects/calls.ts' {
  interface LiveBindings {
    meter: MeterBinding
  }
}

declare module '../kernel/manifest.ts' {
  interface Manifest {
    meters?: MeterSpec[] | undefined
  }
}

export interface MeterSpec {
  key: string
  per: 'user' | 'team' | 'app'
  window: WindowKind
  limit: number
}

/** What is left of an allowance. `ok` says whether the requested units were available. */
export interface Allowance {
  ok: boolean
  remaining: number
  /** When the window ends (ISO 8601); null when it never does. */
  resetsAt: string | null
}

export interface MeterUsage extends MeterSpec {
  /** ISO 8601; null for a window that never ends. */
  windowStart: string | null
  windowEnd: string | null
  spent: number
  /** How many people or teams have spent something. */
  people: number
}

/**
 * The RPC methods of the live worker that the app's worker calls about its meters. Deployed older releases
 * still call them, so add methods but never change or remove one.
 */
export interface MeterCalls {
  consume: { ask: { key: string; subject: string; n: number; id: string | null }; answer: Allowance }
  peek: { ask: { key: string; subject: string; n: number }; answer: Allowance }
  refund: { ask: { id: string }; answer: Allowance }
  remaining: { ask: { key: string; session: string }; answer: Allowance }
}

export interface MeterBinding {
  meter: ReleaseMethod<MeterCalls>
}
