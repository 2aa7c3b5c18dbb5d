import type { Pool, QueryConfig, QueryResult } from 'pg'
import type { Logger } from 'pino'

export const LIMITS_TABLE = 'rate_limits'

/** The longest time for counting a request in the database. After that the request is counted in memory. */
const ANSWER_MS_MAX = 1000
/** How long all counts are in memory after a failure. Trying the database each time would slow every request. */
const PAUSE_AFTER_FAILURE_MS = 3000

/** The count of one bucket. `expire` is in milliseconds since the epoch. */
export interface CounterRow {
  key: string
  points: number
  expire: number
}

/**
 * The rows of the table `rate_limits`. The class has the interface of a database client, because the rate limit
 * library sends its own SQL.
 */
export class SharedRows {
  readonly #pool: Pool
  readonly #log: Logger
  #pausedUntil = 0

  constructor({ pool, log }: { pool: Pool; log: Logger }) {
    this.#pool = pool
    this.#log = log
  }

  /** Runs a query. Throws after a short timeout, and throws at once for a while after a failure. */
  async query(query: QueryConfig): Promise<QueryResult<CounterRow>> {
    if (performance.now() < this.#pausedUntil) throw new Error('shared counters are paused')
    const late = Promise.withResolvers<never>()
    const alarm = setTimeout(() => late.reject(new Error('no response in time')), ANSWER_MS_MAX)
    try {
      return await Promise.race([this.#pool.query<CounterRow>(query), late.promise])
    } catch (error) {
      if (performance.now() >= this.#pausedUntil)
        this.#log.warn({ err: error }, 'rate limits are counted in memory for a moment')
      this.#pausedUntil = performance.now() + PAUSE_AFTER_FAILURE_MS
      throw error
    } finally {
      clearTimeout(alarm)
    }
  }

  /** Adds counts to the stored ones. A stored window that has expired starts again at zero. */
  async add(rows: CounterRow[]): Promise<void> {
    // Sorted, so that two processes that add counts at the same time do not deadlock.
    const sorted = rows.toSorted((a, b) => (a.key < b.key ? -1 : 1))
    const text = `insert into rate_limits (key, points, expire)
       select * from unnest($1::text[], $2::int[], $3::bigint[])
       on conflict (key) do update set
         points = excluded.points + case when rate_limits.expire > $4 then rate_limits.points else 0 end,
         expire = case when rate_limits.expire > $4 then rate_limits.expire else excluded.expire end`
    const columns = [
      sorted.map((row) => row.key),
      sorted.map((row) => row.points),
      sorted.map((row) => row.expire),
    ]
    await this.query({ text, values: [...columns, Date.now()] })
  }

  /** Removes the row of this key when its window ends later than `expire`. */
  async removeBeyond(key: string, expire: number): Promise<void> {
    await this.query({
      text: 'delete from rate_limits where key = $1 and expire > $2',
      values: [key, expire],
    })
  }

  /** Deletes every row and returns those whose window has not expired, for the counters in memory. */
  async takeAll(): Promise<CounterRow[]> {
    const { rows } = await this.query({ text: 'delete from rate_limits returning key, points, expire' })
    return rows.filter((row) => row.expire > Date.now())
  }
}
