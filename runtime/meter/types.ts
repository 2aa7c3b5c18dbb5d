import type { ReleaseMethod } from '../kernel/calls.ts'
import type { WindowKind } from './window.ts'

export interface MeterSpec {
  key: string
  per: 'user' | 'team' | 'app'
  window: WindowKind
  limit: number
}

/** What is left of an allowance. `ok`: the requested units were there. */
export interface Allowance {
  ok: boolean
  remaining: number
  /** When the window ends (ISO 8601); null: never. */
  resetsAt: string | null
}

export interface MeterUsage extends MeterSpec {
  /** ISO 8601; null for a lifetime. */
  windowStart: string | null
  windowEnd: string | null
  spent: number
  /** How many people or teams have spent something. */
  people: number
}

/** Calls of the app's worker about its meters. Methods are added, never changed: older releases call them. */
export interface MeterCalls {
  consume: { ask: { key: string; subject: string; n: number; id: string | null }; answer: Allowance }
  peek: { ask: { key: string; subject: string; n: number }; answer: Allowance }
  refund: { ask: { id: string }; answer: Allowance }
  remaining: { ask: { key: string; session: string }; answer: Allowance }
}

export interface MeterBinding {
  meter: ReleaseMethod<MeterCalls>
}
