import type { ResultMethod } from '../kernel/calls.ts'

/** What the app's worker knows of the protection, from the live worker. */
export interface GuardFacts {
  siteKey: string
  /** Parts of the platform and paths of the app that need a token. */
  protect: string[]
  /** By name, what a limit counts. */
  limits: Record<string, 'ip' | 'user'>
}

/** What the app's worker asks. Calls are added, never changed: older releases make them. */
export interface GuardCalls {
  facts: { ask: null; answer: GuardFacts }
  /** Throws for a token that is missing, spent, or of another page or action. */
  verify: { ask: { token: string | null; action: string; hostname: string }; answer: null }
  /** Counts one use; false: there were too many. */
  limit: { ask: { name: string; key: string }; answer: boolean }
}

/** The guard method of a code worker's `LIVE` binding. */
export interface GuardBinding {
  guard: ResultMethod<GuardCalls>
}
