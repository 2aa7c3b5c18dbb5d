import { appendFileSync } from 'node:fs'
import type { Pool } from 'pg'
import type { Endpoint } from '../http/endpoint.ts'
import { toApiError } from '../http/envelope.ts'

/** Where the runner of all tests collects the calls whose effects a test lists (scripts/listed-effects.ts). */
const REPORT = process.env['SLIPWAY_LISTED_CALLS']

/** Tables that change by themselves: heartbeats, counters, and what relays work off. Jobs are listed by the test. */
const RESTLESS = ['processes', 'rate_limits', 'deliveries', 'ideas']

/** Refused calls that store something on purpose, and where. */
const STORED_WHEN_REFUSED: Record<string, string> = {
  // The file that is not what it claims to be is deleted, and the log has each change of an account.
  finalizeAttachment: 'activity',
  // A device that polls too fast has to wait longer.
  pollDeviceToken: 'device_grants',
  // The claim stays, with the problem for the person to solve.
  attachDomain: 'domains',
  // The erasure is noted before the app is asked, which may refuse it.
  eraseAppUser: 'app_erasures',
  // The payment provider refused the change, which the log says.
  createDiscountCode: 'activity',
}

const reported = new Set<string>()

interface Moment {
  transaction: string
  at: string
}

/** Watches the calls of one application that may change something. */
export class WatchedCalls {
  readonly #pool: Pool
  readonly #succeeded = new Set<string>()
  readonly #faults: string[] = []
  #begun = 0
  #running = 0

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** The same endpoints; those that may change something are watched. */
  watch(endpoints: Endpoint[]): Endpoint[] {
    return endpoints.map((endpoint) =>
      endpoint.method === 'GET' && endpoint.kind !== 'redirect'
        ? endpoint
        : { ...endpoint, handle: (input) => this.#handle(endpoint, input) },
    )
  }

  /** Forgets the calls so far. */
  clear(): void {
    this.#succeeded.clear()
    this.#faults.length = 0
  }

  /** Returns a sentence for each refused call since `clear` that wrote to the database. */
  get faults(): readonly string[] {
    return this.#faults
  }

  /** Tells the runner of all tests which endpoints responded with success since `clear`. */
  report(): void {
    if (REPORT === undefined) return
    for (const name of this.#succeeded) {
      // At once, because the runner may end this process at any time.
      if (!reported.has(name)) appendFileSync(REPORT, `${name}\n`)
      reported.add(name)
    }
  }

  async #handle(endpoint: Endpoint, input: Parameters<Endpoint['handle']>[0]) {
    const isFirst = this.#running++ === 0
    const begun = ++this.#begun
    try {
      const before = await this.#now()
      try {
        const answer = await endpoint.handle(input)
        this.#succeeded.add(endpoint.name)
        return answer
      } catch (error) {
        const { code, status } = toApiError(error)
        // Of calls at one moment it is not known which of them wrote.
        if (status < 500 && isFirst && begun === this.#begun) {
          const tables = await this.#writtenSince(before)
          if (tables.some((table) => table !== STORED_WHEN_REFUSED[endpoint.name]))
            this.#faults.push(`${endpoint.name} failed with ${code} and wrote to ${tables.join(', ')}`)
        }
        throw error
      }
    } finally {
      this.#running--
    }
  }

  async #now(): Promise<Moment> {
    const { rows } = await this.#pool.query<Moment>(
      'select pg_snapshot_xmax(pg_current_snapshot())::text as transaction, clock_timestamp()::text as at',
    )
    return rows[0] as Moment
  }

  /** Returns the tables with rows that were added or changed; none when a job may have done it. */
  async #writtenSince(before: Moment): Promise<string[]> {
    if ((await this.#now()).transaction === before.transaction) return []
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
