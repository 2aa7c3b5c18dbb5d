import { randomUUIDv7 } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Pool } from 'pg'
import { fromKysely, PgBoss, type JobWithMetadata, type QueueOptions } from 'pg-boss'
import type { Logger } from 'pino'
import { connectionOptions, isUnavailable, type Trx } from '../db/database.ts'
import type { JobKind, JobQueue } from '../platform.ts'
import { backoffMs } from '../lib/backoff.ts'
import { uuidAfter } from '../lib/ids.ts'
import { settleAbandoned } from './abandoned.ts'
import { defineJob, type JobDefinition } from './definition.ts'

export { defineJob, type JobDefinition }

/** The parts of the service that running a job needs, whatever its handler needs. */
export interface RunnerParts {
  log: Logger
  /** Null when metrics are not served. */
  metrics: { jobRun(job: string, outcome: 'completed' | 'failed'): void } | null
}

/**
 * Sends and runs jobs through the job library pg-boss. Apart from this file only `db/migrate.ts` imports it, to create its tables. `Given`
 * is what every handler can get.
 */
export interface Jobs<Given> extends JobQueue {
  /** Marks active jobs as failed so that they are retried now. Call only when no other process that runs jobs is alive. */
  failOrphans(): Promise<void>
  /** Starts running jobs. A process that never calls this only sends jobs. */
  work(platform: Given & RunnerParts): Promise<void>
  /** Returns running jobs to the queue and closes the connections. */
  stop(): Promise<void>
}

/** The abort reason of a handler's signal when the process stops. The job is returned to the queue for the next process. */
export class ShutdownError extends Error {
  override readonly name = 'ShutdownError'
}

const POOL_CONNECTIONS = 6
const STOP_MS_MAX = 8000
const ABANDONED_EVERY_MS = 60_000
/** While the database is unavailable, a job is retried up to twenty times with growing pauses, over about seven minutes. */
const OUTAGES_MAX = 20
// Without jitter: the connections of the pool limit how many jobs of a process reach a restarted database at the same moment.
const OUTAGE_BACKOFF = { firstMs: 250, maxMs: 30_000, jitter: 0 }

// By default the library looks for lost jobs every minute, sends no heartbeat and polls every 30 s in addition to NOTIFY,
// so it would notice a crash only after minutes. It refuses heartbeat intervals under 10 s.
const HEARTBEAT_SECONDS = 10
/**
 * Ten years. By default the library deletes jobs that have waited for two weeks. After a long stop, or in an old backup, jobs of builds and
 * deployments have waited longer. Without its job, a build or deployment would never end.
 */
const WAITING_SECONDS_MAX = 10 * 365 * 24 * 3600
const WORK_OPTIONS = {
  batchSize: 1,
  includeMetadata: true,
  heartbeatRefreshSeconds: 3,
  pollingIntervalSeconds: 2,
  notifyPollingIntervalSeconds: 2,
} as const

interface JobOptions<Given> {
  url: string
  log: Logger
  definitions: readonly JobDefinition<unknown, Given>[]
}

/**
 * Connects to the job tables (created by `migrate`) and creates every queue, because a job can be sent only to an
 * existing queue.
 */
export async function openJobs<Given>(options: JobOptions<Given>): Promise<Jobs<Given>> {
  const { url, log, definitions } = options
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'slipway jobs',
    max: POOL_CONNECTIONS,
    connectionTimeoutMillis: 2000,
    options: '-c statement_timeout=60000',
    useListenNotify: true,
    schedule: false,
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
  })
  boss.on('error', (error) => log.warn({ err: error }, 'job library'))
  boss.on('warning', (warning) => log.debug({ warning }, 'job library'))
  await boss.start()
  for (const definition of definitions) await ensureQueue(boss, definition)
  return new BossJobs(boss, options)
}

async function ensureQueue(boss: PgBoss, definition: JobDefinition<unknown, never>): Promise<void> {
  const queue: QueueOptions & { notify: boolean } = {
    retryLimit: definition.retryLimit,
    // Without a pause a handler that throws immediately would be retried immediately.
    retryDelay: definition.firstPauseSeconds ?? 1,
    retryBackoff: definition.firstPauseSeconds !== undefined,
    expireInSeconds: definition.expireSeconds,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    retentionSeconds: WAITING_SECONDS_MAX,
    // 0: the library deletes no jobs, because it would delete failed ones before their `abandon` is called. `settleAbandoned` deletes them.
    deleteAfterSeconds: 0,
    notify: true,
  }
  await boss.createQueue(definition.name, { ...queue, policy: definition.policy })
  await boss.updateQueue(definition.name, queue)
  // Loads the queue into the library's cache. Otherwise the first `send` would read the queue on a separate
  // connection, outside the sender's transaction.
  await boss.findJobs(definition.name, { id: randomUUIDv7() })
}

class BossJobs<Given> implements Jobs<Given> {
  readonly #boss: PgBoss
  readonly #options: JobOptions<Given>
  readonly #stopping = new AbortController()
  readonly #pool: Pool
  #timer: NodeJS.Timeout | undefined
  #settling: Promise<unknown> = Promise.resolve()
  #stopped: Promise<void> | null = null
  #lastId = ''

  constructor(boss: PgBoss, options: JobOptions<Given>) {
    this.#boss = boss
    this.#options = options
    this.#pool = new Pool({ ...connectionOptions(options.url), max: 1, statement_timeout: 60_000 })
    this.#pool.on('error', (error) => options.log.warn({ err: error }, 'idle database connection lost'))
  }

  async send<Data>(trx: Trx, job: JobKind<Data>, data: Data): Promise<void> {
    const key = job.key?.(data)
    const db = fromKysely(trx)
    const parsed = job.data.parse(data) as object
    if (job.joinsWaiting === true && key !== undefined) {
      // The waiting job is locked until the sender commits, so it runs only when it can see what the sender has stored.
      const { jobs: joined, updated } = await this.#boss.upsert(job.name, parsed, { singletonKey: key, db })
      // A job that waits for a retry gets its full number of attempts again, because no attempt has seen the sender's change.
      if (updated > 0)
        await sql`update pgboss.job set retry_limit = job.retry_count + 1 + queue.retry_limit from pgboss.queue
          where job.name = ${job.name} and queue.name = job.name and id = any(${joined}::uuid[])
            and state = 'retry'`.execute(trx)
      return
    }
    await this.#boss.send(job.name, parsed, {
      id: this.#nextId(),
      db,
      ...(key === undefined ? {} : { singletonKey: key }),
    })
  }

  // Jobs of one transaction share their creation time, so the id decides their order in a strict queue.
  #nextId(): string {
    return (this.#lastId = uuidAfter(this.#lastId))
  }

  async work(platform: Given & RunnerParts): Promise<void> {
    const { log, definitions } = this.#options
    const settleInBackground = () => {
      this.#settling = settleAbandoned(this.#pool, platform, definitions).catch((error: unknown) =>
        log.error({ err: error }, 'abandoned jobs could not be settled'),
      )
    }
    settleInBackground()
    this.#timer = setInterval(settleInBackground, ABANDONED_EVERY_MS)
    this.#timer.unref()
    for (const definition of definitions) {
      for (let slot = 0; slot < definition.concurrency; slot++) await this.#openSlot(platform, definition)
    }
  }

  stop(): Promise<void> {
    return (this.#stopped ??= this.#stopAll())
  }

  async #stopAll(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopping.abort(new ShutdownError('the service is stopping'))
    await this.#boss.stop({ graceful: true, timeout: STOP_MS_MAX })
    await this.#settling
    await this.#pool.end()
  }

  // Each of the `concurrency` workers is registered separately, because a notification wakes only one worker of a registration.
  async #openSlot(platform: Given & RunnerParts, definition: JobDefinition<unknown, Given>): Promise<void> {
    const workId = await this.#boss.work(definition.name, WORK_OPTIONS, async (jobs: JobWithMetadata[]) => {
      try {
        for (const job of jobs) await this.#runJob(platform, definition, job)
      } finally {
        // Without this call a worker sleeps a whole poll interval after each job, even when more jobs wait.
        this.#boss.notifyWorker(workId)
      }
    })
  }

  async #runJob(
    platform: Given & RunnerParts,
    definition: JobDefinition<unknown, Given>,
    job: JobWithMetadata,
  ): Promise<void> {
    const { log } = this.#options
    const stopping = this.#stopping.signal
    const attempt = job.retryCount + 1
    try {
      stopping.throwIfAborted()
      const data = definition.data.parse(job.data)
      const signal = AbortSignal.any([job.signal, stopping])
      await this.#runThroughOutages(definition, job, signal, () =>
        definition.run(platform, { data, attempt, signal }),
      )
      // A handler that stops early at a shutdown may return normally, too. So a job that ends during a shutdown is
      // always returned to the queue: running it twice is safe, losing it is not.
      stopping.throwIfAborted()
      platform.metrics?.jobRun(definition.name, 'completed')
    } catch (error) {
      if (!stopping.aborted) platform.metrics?.jobRun(definition.name, 'failed')
      if (!stopping.aborted)
        log.warn({ err: error, job: definition.name, key: job.singletonKey, attempt }, 'job failed')
      throw error
    }
  }

  /**
   * Retries a handler that failed because the database was unavailable or its disk full. That is not a
   * failure of the job, so it uses up no attempt. The pauses increase, because a full disk may still serve reads.
   */
  async #runThroughOutages(
    definition: JobDefinition<unknown, Given>,
    job: JobWithMetadata,
    signal: AbortSignal,
    run: () => Promise<void>,
  ): Promise<void> {
    for (let outage = 1; ; outage++) {
      try {
        return await run()
      } catch (error) {
        if (!isUnavailable(error) || outage > OUTAGES_MAX || signal.aborted) throw error
        const waitMs = backoffMs(outage - 1, OUTAGE_BACKOFF)
        this.#options.log.warn(
          { err: error, job: definition.name, key: job.singletonKey, waitMs },
          'the database is unavailable; the job waits for it',
        )
        await sleep(waitMs, undefined, { signal })
      }
    }
  }

  async failOrphans(): Promise<void> {
    const { rows } = await this.#pool.query<{ name: string; id: string }>(
      `select name, id from pgboss.job where state = 'active' and name = any($1)`,
      [this.#options.definitions.map((definition) => definition.name)],
    )
    for (const { name, id } of rows) {
      this.#options.log.info({ job: name }, 'taking over the job of a process that died')
      await this.#boss.fail(name, id, { reason: 'its process died' })
      // Retry these jobs at once: the pause is for handlers that failed.
      await this.#pool.query(
        `update pgboss.job set start_after = now() where name = $1 and id = $2 and state = 'retry'`,
        [name, id],
      )
    }
  }
}
