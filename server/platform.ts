import type { Pool } from 'pg'
import type * as z from 'zod'
import type { CheckerPool } from './agent/check/pool/pool.ts'
import type { Packages } from './agent/packages/packages.ts'
import type { TextWorkerPool } from './agent/text/workers.ts'
import type { Config } from './config.ts'
import type { Core } from './core.ts'
import type { Keyring } from './crypto/keyring.ts'
import type { Trx } from './db/database.ts'
import type { Listener } from './db/listener.ts'
import type { CounterSource } from './lib/counter.ts'
import type { Metrics } from './metrics/metrics.ts'

export type { Core }

/** The part of a job that is needed to send it; `jobs/definition.ts` adds its handler. */
export interface JobKind<Data> {
  readonly name: string
  readonly data: z.ZodType<Data>
  /**
   * `standard`: any order. `key_strict_fifo`: one at a time per key, in the order of sending. `exclusive`: one
   * waiting or running per key; a second one sent meanwhile is dropped.
   */
  readonly policy: 'standard' | 'key_strict_fifo' | 'exclusive'
  key?(data: Data): string
  /**
   * Whether a later job replaces the data of one that still waits with the same key, instead of being stored beside it.
   * Needs a key.
   */
  readonly joinsWaiting?: boolean
}

/** `jobs/jobs.ts` implements it; only that file knows the job library. */
export interface JobQueue {
  /** Sends a job inside the caller's transaction: commit keeps both the change and the job, rollback neither. */
  send<Data>(trx: Trx, job: JobKind<Data>, data: Data): Promise<void>
}

/** The parts of the running service beside the core. A function names those it uses: `Needs<'jobs' | 'keyring'>`. */
export interface Ports {
  config: Config
  /** The main pool itself, for prepared hot paths. */
  pool: Pool
  /**
   * For results longer than a page, read with `readCursor`: such a reader must not take the connections of
   * requests.
   */
  streamPool: Pool
  keyring: Keyring
  jobs: JobQueue
  listener: Listener
  /** Child processes that bundle, check and run generated code. */
  checkers: CheckerPool
  packages: Packages
  /** Child processes that search and compare tenant text. */
  textWorkers: TextWorkerPool
  /** Rate limit counters, shared with the other processes that serve requests. */
  counters: CounterSource
  /** The metrics of this process; null when they are not served, and then not counted. */
  metrics: Metrics<Needs<'pool' | 'streamPool'>> | null
}

/** The first parameter of a function that acts outside of a request. */
export type Needs<Port extends keyof Ports> = Core & Pick<Ports, Port>

/** Only for the places that put the service together or hand it on: start-up, jobs and the schedule. */
export interface Platform extends Core, Ports {}
