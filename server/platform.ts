import type { Pool } from 'pg'
import type * as z from 'zod'
import type { Accounts } from './account-port.ts'
import type { CheckerPool } from './agent/check/pool/pool.ts'
import type { Packages } from './agent/packages/packages.ts'
import type { TextWorkerPool } from './agent/text/workers.ts'
import type { Config } from './config.ts'
import type { Core } from './core.ts'
import type { Keyring } from './crypto/keyring.ts'
import type { Trx } from './db/database.ts'
import type { Listener } from './db/listener.ts'
import type { CounterSource } from './lib/counter.ts'
import type { Mailer } from './mail-port.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { BucketPort, CapabilityPort, Makers, ReleasePort, WidgetPort } from './resource-ports.ts'

export type { Core }

/** The part of a job's definition that is needed to send it. `jobs/definition.ts` adds the handler. */
export interface JobKind<Data> {
  readonly name: string
  readonly data: z.ZodType<Data>
  /**
   * `standard`: jobs run in any order. `key_strict_fifo`: one job at a time per key, in the order of sending. `exclusive`: at most one job
   * per key waits or runs; a job sent meanwhile is dropped.
   */
  readonly policy: 'standard' | 'key_strict_fifo' | 'exclusive'
  key?(data: Data): string
  /** Whether a later job with the same key replaces the data of a waiting job instead of being stored as a second job. Needs `key`. */
  readonly joinsWaiting?: boolean
}

/** The interface for sending jobs, so that senders do not depend on the job library. `jobs/jobs.ts` implements it. */
export interface JobQueue {
  /** Sends a job in the caller's transaction, so that the change and the job are stored together or not at all. */
  send<Data>(trx: Trx, job: JobKind<Data>, data: Data): Promise<void>
}

/** The parts of the running service beside `Core`. A function names the ports that it uses: `PlatformPorts<'accounts' | 'jobs'>`. */
export interface Ports {
  accounts: Accounts
  config: Config
  /** The main connection pool, for frequent prepared statements. */
  pool: Pool
  /**
   * A separate pool for results longer than a page (`readCursor`), so that a slow reader does not occupy the
   * connections of other requests.
   */
  streamPool: Pool
  keyring: Keyring
  jobs: JobQueue
  mailer: Mailer
  listener: Listener
  /** Child processes that bundle, check and run generated code. */
  checkers: CheckerPool
  packages: Packages
  /** Child processes that search and compare texts of organizations, so that a slow search does not block this process. */
  textWorkers: TextWorkerPool
  /** Rate limit counters, which all processes that serve requests share. */
  counters: CounterSource
  /** The metrics of this process. Null when metrics are not served; nothing is counted then. */
  metrics: Metrics<PlatformPorts<'pool' | 'streamPool'>> | null
  // Functions of folders in higher layers, which callers in lower layers cannot import. `tables/upward-ports.ts` provides them.
  makers: Makers
  capabilities: CapabilityPort
  widgets: WidgetPort
  buckets: BucketPort
  releases: ReleasePort
}

/** `Core` and the ports that a function uses. The first parameter of a function that does not act for a request has this type. */
export type PlatformPorts<Port extends keyof Ports> = Core & Pick<Ports, Port>

/** Every part of the service. Use it only where the service is put together or passed on: start-up, the job runner and the schedule. */
export interface Platform extends Core, Ports {}
