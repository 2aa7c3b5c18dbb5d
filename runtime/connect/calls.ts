import type { Connection, Unlinked } from './types.ts'

/** What a person's connection lets the app do: tokens, or a key. */
export interface Credential {
  token: string
  /** Renews the token; null: it is not renewed. */
  refreshToken: string | null
}

/** Calls of the object of a person. */
export interface ConnectObjectCalls {
  list: { ask: null; answer: Connection[] }
  keep: {
    ask: { provider: string; credential: Credential; expiresAt: number | null }
    answer: Connection
  }
  /** Revokes and forgets. */
  remove: { ask: { provider: string }; answer: Unlinked }
  removeAll: { ask: null; answer: null }
  /**
   * Returns a token that holds now. `refused` is one that the service has just refused: it is renewed, or with `isLast` the
   * connection is broken.
   */
  token: { ask: { provider: string; refused?: string; isLast?: boolean }; answer: string }
}
