import type { ResultMethod } from '../kernel/calls.ts'

declare module '../kernel/calls.ts' {
  interface LiveBindings {
    guard: GuardBinding
  }
}

/** Settings that the app's worker gets from the live worker. */
export interface GuardFacts {
  siteKey: string
  /** Capabilities and paths of the app whose writes need a token. */
  protect: string[]
  limits: Record<string, 'ip' | 'user'>
}

/** Calls of the app's worker. Older releases use these names, so add calls and never change one. */
export interface GuardCalls {
  facts: { ask: null; answer: GuardFacts }
  /** Throws when the token is missing, used, or for another page or action. */
  verify: { ask: { token: string | null; action: string; hostname: string }; answer: null }
  /** Counts one use. Returns false when there were too many. */
  limit: { ask: { name: string; key: string }; answer: boolean }
}

export interface GuardBinding {
  guard: ResultMethod<GuardCalls>
}
