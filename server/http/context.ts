import type { Pool } from 'pg'
import type { Config } from '../config.ts'
import type { Core } from '../core.ts'
import type { Keyring } from '../crypto/keyring.ts'
import type { Trx } from '../db/database.ts'
import type { Caller } from './caller.ts'

/**
 * The parts of the service that the HTTP layer itself uses. A handler gets only `Core` and the parts that its
 * endpoint declares in `needs`.
 */
export interface Kernel extends Core {
  config: Config
  pool: Pool
  keyring: Keyring
}

/**
 * Stores the response under the request's `Idempotency-Key`, in the transaction of the change. A repeated request then
 * gets this response and changes nothing. Handlers of idempotent endpoints call this function.
 */
export type RememberResponse = (trx: Trx, data: string) => Promise<void>

export interface RequestFields {
  requestId: string
  /** The client's address (`clientAddress`), not that of a trusted proxy. */
  address: string
  /** Aborted when the client disconnects. */
  signal: AbortSignal
}

export interface CallerFields extends RequestFields {
  caller: Caller
  /** Set when the caller sent an `Idempotency-Key` to an endpoint that honours it. */
  remember?: RememberResponse
}
