import type { Trx } from '../db/database.ts'
import type { Platform } from '../platform.ts'
import type { Caller } from './caller.ts'

/** Stores the response in the transaction of the change; the handler of an idempotent endpoint calls it. */
export type Remember = (trx: Trx, data: string) => Promise<void>

/** A request without a caller (public endpoints). */
export interface RequestContext extends Platform {
  requestId: string
  /** The client's address after trusted proxies. */
  address: string
  /** Aborted when the client disconnects. */
  signal: AbortSignal
}

/** A request with its caller, as a handler gets it. */
export interface Context extends RequestContext {
  caller: Caller
  /** Set when the caller sent an `Idempotency-Key` to an endpoint that honours it. */
  remember?: Remember
}
