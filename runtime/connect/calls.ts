import type { Connection, Unlinked } from './types.ts'

export interface Credential {
  token: string
  /** Null: the token cannot be renewed. */
  refreshToken: string | null
}

export interface ConnectObjectCalls {
  list: { ask: null; answer: Connection[] }
  keep: {
    ask: { provider: string; credential: Credential; expiresAt: number | null }
    answer: Connection
  }
  /** Revokes the grant at the service, then forgets it. */
  remove: { ask: { provider: string }; answer: Unlinked }
  removeAll: { ask: null; answer: null }
  /**
   * Returns a token that is valid now. `refused` is one that the service has just refused: it is renewed, or with `isLast` the
   * connection becomes broken.
   */
  token: { ask: { provider: string; refused?: string; isLast?: boolean }; answer: string }
}
