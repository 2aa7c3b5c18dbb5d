import { appendFileSync } from 'node:fs'
import type { Pool } from 'pg'
import type { Endpoint } from '../http/endpoint.ts'
import { toApiError } from '../http/envelope.ts'

/**
 * The file in which a run of all tests collects the endpoints that succeeded in a test with a complete list
 * of their side effects (scripts/suite/listed-effects.ts).
 */
const REPORT = process.env['SLIPWAY_LISTED_CALLS']

/**
 * Tables that are also written without a request: heartbeats, counters, and rows that a background loop
 * processes. Jobs are checked separately.
 */
const RESTLESS = ['processes', 'rate_limits', 'deliveries', 'ideas']

/** Endpoints that store something on purpose when they refuse a call, each with the table to which it then writes. */
const STORED_WHEN_REFUSED: Record<string, string> = {
  // The refused file is deleted from the cloud account, which the activity log records like any change of the account.
  finalizeAttachment: 'activity',
  // A device that polls too often gets a longer interval, which is stored.
  pollDeviceToken: 'device_grants',
  // A refused request to attach a domain stores the reason in the domain's row, such as a missing DNS record.
  attachDomain: 'domains',
  // The request to erase a person is stored before the app is asked to delete the person's data, which it may refuse.
  eraseAppUser: 'app_erasures',
  // The activity log records that the payment provider refused the change.
  createDiscountCode: 'activity',
  // The repository stays at the code host when the project is deleted during the backup, and the activity log records it.
  backUpProject: 'activity',
}

const reportedCalls = new Set<string>()

interface Moment {
  transaction: string
  at: string
}

/**
 * Watches the requests to all endpoints that may change data. Finds refused requests that wrote to the
 * database, and collects the endpoints that succeeded.
 */
export class WatchedCalls {
  readonly #pool: Pool
  readonly #succeededCalls = new Set<string>()
  readonly #faults: string[] = []
  #begunCount = 0
  #runningCount = 0

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** Wraps the endpoints that may change something, so that their calls are watched. */
  watch(endpoints: Endpoint[]): Endpoint[] {
    return endpoints.map((endpoint) =>
      endpoint.method === 'GET' && endpoint.kind !== 'redirect'
        ? endpoint
        : { ...endpoint, handle: (input) => this.#handleWatched(endpoint, input) },
    )
  }

  /** Discards the calls so far. */
  clear(): void {
    this.#succeededCalls.clear()
    this.#faults.length = 0
  }

  /** Returns one sentence for each refused call since `clear` that wrote to the database. */
  get faults(): readonly string[] {
    return this.#faults
  }

  /** Appends the endpoints that succeeded since `clear` to the report of the test run, if there is one. */
  report(): void {
    if (REPORT === undefined) return
    for (const name of this.#succeededCalls) {
      // Appended immediately, because the test runner may end this process at any time.
      if (!reportedCalls.has(name)) appendFileSync(REPORT, `${name}\n`)
      reportedCalls.add(name)
    }
  }

  async #handleWatched(endpoint: Endpoint, input: Parameters<Endpoint['handle']>[0]) {
    const isFirst = this.#runningCount++ === 0
    const begun = ++this.#begunCount
    try {
      const before = await this.#readMoment()
      try {
        const answer = await endpoint.handle(input)
        this.#succeededCalls.add(endpoint.name)
        return answer
      } catch (error) {
        const { code, status } = toApiError(error)
        // Checks only a call that ran alone, because with simultaneous calls it is unknown which call wrote.
        if (status < 500 && isFirst && begun === this.#begunCount) {
          const tables = await this.#writtenSince(before)
          if (tables.some((table) => table !== STORED_WHEN_REFUSED[endpoint.name]))
            this.#faults.push(`${endpoint.name} failed with ${code} and wrote to ${tables.join(', ')}`)
        }
        throw error
      }
    } finally {
      this.#runningCount--
    }
  }

  async #readMoment(): Promise<Moment> {
    const { rows } = await this.#pool.query<Moment>(
      'select pg_snapshot_xmax(pg_current_snapshot())::text as transaction, clock_timestamp()::text as at',
    )
    return rows[0] as Moment
  }

  /**
   * Returns the tables in which rows were added or changed. Returns none when a job ran meanwhile, because the job may have written the
   * rows.
   */
  async #writtenSince(before: Moment): Promise<string[]> {
    if ((await this.#readMoment()).transaction === before.transaction) return []
    const { rows: tables } = await this.#pool.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename <> all($1)`,
      [RESTLESS],
    )
    const { rows } = await this.#pool.query<{ name: string }>(
      `select name from (${tables
        .map(
          ({ name: table }) =>
            `select '${table}' as name where exists (select from ${table} where xmin::text::bigint >= $1)`,
        )
        .join(' union all ')}) written
       where not exists (select from pgboss.job where state = 'active' or completed_on >= $2)`,
      [before.transaction, before.at],
    )
    return rows.map(({ name }) => name)
  }
}
