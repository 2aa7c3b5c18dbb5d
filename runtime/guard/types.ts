import type { ResultMethod } from '../kernel/objects/calls.ts'

declare module '../kernel/objects/calls.ts' {
  interface LiveBindings {
    guard: GuardBinding
  }
}

/** The settings that the app's worker reads from the live worker. */
export interface GuardWorkerSettings {
  siteKey: string
  /** Capabilities and paths of the app whose writes need a token. */
  protect: string[]
  limits: Record<string, 'ip' | 'user'>
}

/**
 * The RPC methods that the app's worker calls on the live worker, which has the project's Durable Objects. Deployed older releases still
 * call these methods, so add methods but never change or remove one.
 */
export interface GuardCalls {
  facts: { ask: null; answer: GuardWorkerSettings }
  /** Verifies a token. Throws when the token is missing, used, or for another page or action. */
  verify: { ask: { token: string | null; action: string; hostname: string }; answer: null }
  /** Counts one use. Returns false when there were too many. */
  limit: { ask: { name: string; key: string }; answer: boolean }
}

export interface GuardBinding {
  guard: ResultMethod<GuardCalls>
}
