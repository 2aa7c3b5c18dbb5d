import type { Connection, UnlinkResult } from './types.ts'

export interface Credential {
  token: string
  /** Null when the token cannot be renewed. */
  refreshToken: string | null
}

export interface ConnectObjectCalls {
  list: { ask: null; answer: Connection[] }
  keep: {
    ask: { provider: string; credential: Credential; expiresAt: number | null }
    answer: Connection
  }
  /** Revokes the grant of the person at the connected service, and deletes the connection. */
  remove: { ask: { provider: string }; answer: UnlinkResult }
  removeAll: { ask: null; answer: null }
  /**
   * Returns a valid access token. `refused` is a token that the service has just rejected: the token is then
   * renewed, or, with `isLast`, the connection is marked as broken.
   */
  token: { ask: { provider: string; refused?: string; isLast?: boolean }; answer: string }
}
