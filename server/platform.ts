import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { CheckerPool } from './agent/check/pool/pool.ts'
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

/** What the running service is made of; job handlers and domain functions receive it as their first argument. */
export interface Platform {
  config: Config
  db: Db
  /** The main pool itself, for prepared hot paths. */
  pool: Pool
  /** Connections for long answers, read with `readCursor`. */
  streamPool: Pool
  clock: Clock
  log: Logger
  keyring: Keyring
  jobs: Jobs
  /** One LISTEN connection of this process. */
  listener: Listener
  /** Child processes that bundle, check and run generated code. */
  checkers: CheckerPool
  /** Child processes that read and compare tenant text. */
  textWorkers: TextWorkerPool
  /** What rate limits count, shared with the other processes that answer requests. */
  counters: Counters
}

/** A request nobody has been identified for (public endpoints). */
export interface RequestContext extends Platform {
  requestId: string
  /** The client's address after trusted proxies. */
  address: string
  /** Aborted when the client goes away. */
  signal: AbortSignal
}

/** A request with its caller: what a handler gets. */
export interface Context extends RequestContext {
  caller: Caller
  /** There when the caller sent an `Idempotency-Key` to an endpoint that honours it. */
  remember?: Remember
}
