import type { ResultMethod } from '../kernel/calls.ts'

/** What the app's worker needs to know, from the live worker. */
export interface GuardFacts {
  siteKey: string
  /** Parts of the platform and paths of the app that need a token. */
  protect: string[]
  limits: Record<string, 'ip' | 'user'>
}

/** Calls of the app's worker. Calls are added, never changed: older releases make them. */
export interface GuardCalls {
  facts: { ask: null; answer: GuardFacts }
  /** Throws for a token that is missing, spent, or made for another page or action. */
  verify: { ask: { token: string | null; action: string; hostname: string }; answer: null }
  /** Counts one use; false when there were too many. */
  limit: { ask: { name: string; key: string }; answer: boolean }
}

export interface GuardBinding {
  guard: ResultMethod<GuardCalls>
}
