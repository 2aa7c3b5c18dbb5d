import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { CheckerPool } from './agent/check/pool.ts'
import type { TextWorkerPool } from './agent/text/workers.ts'
import type { Config } from './config.ts'
import type { Keyring } from './crypto/keyring.ts'
import type { Db } from './db/database.ts'
import type { Listener } from './db/listener.ts'
import type { Caller } from './http/caller.ts'
import type { Remember } from './http/idempotency.ts'
import type { Counters } from './http/limits-counters.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Clock } from './lib/clock.ts'

/** The parts of the running service; the first argument of job handlers and domain functions. */
export interface Platform {
  config: Config
  db: Db
  /** The main pool itself, for prepared hot paths. */
  pool: Pool
  /** Connections for long results, read with `readCursor`. */
  streamPool: Pool
  clock: Clock
  log: Logger
  keyring: Keyring
  jobs: Jobs
  /** One LISTEN connection of this process. */
  listener: Listener
  /** Child processes that bundle, check and run generated code. */
  checkers: CheckerPool
  /** Child processes that search and compare tenant text. */
  textWorkers: TextWorkerPool
  /** Rate limit counters, shared with the other processes that serve requests. */
  counters: Counters
}

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
