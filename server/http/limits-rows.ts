import type { Pool, QueryConfig, QueryResult } from 'pg'
import type { Logger } from 'pino'

export const TABLE = 'rate_limits'

/** A request must not wait longer than this to be counted. */
const ANSWER_MS_MAX = 1000
/** After a failure everything is counted in memory this long: trying each time would slow every request. */
const PAUSE_MS = 3000

/** The count of one bucket; `expire` in milliseconds since the epoch. */
export interface Row {
  key: string
  points: number
  expire: number
}

/**
 * The rows of `rate_limits`. It has the shape of a database client, because the rate limit library sends its
 * own SQL through it.
 */
export class SharedRows {
  readonly #pool: Pool
  readonly #log: Logger
  #pausedUntil = 0

  constructor({ pool, log }: { pool: Pool; log: Logger }) {
    this.#pool = pool
    this.#log = log
  }

  /** Runs a query; throws after a short timeout, and at once shortly after a failure. */
  async query(query: QueryConfig): Promise<QueryResult<Row>> {
    if (performance.now() < this.#pausedUntil) throw new Error('shared counters are paused')
    const late = Promise.withResolvers<never>()
    const alarm = setTimeout(() => late.reject(new Error('no answer in time')), ANSWER_MS_MAX)
    try {
      return await Promise.race([this.#pool.query<Row>(query), late.promise])
    } catch (error) {
      if (performance.now() >= this.#pausedUntil)
        this.#log.warn({ err: error }, 'rate limits are counted in memory for a moment')
      this.#pausedUntil = performance.now() + PAUSE_MS
      throw error
    } finally {
      clearTimeout(alarm)
    }
  }

  /** Adds to the stored counts; an expired window starts again. */
  async add(rows: Row[]): Promise<void> {
    // In one order, because two processes may do this at the same time.
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

  /** Deletes every row; returns those whose window has not expired, for the counters in memory. */
  async takeAll(): Promise<Row[]> {
    const { rows } = await this.query({ text: 'delete from rate_limits returning key, points, expire' })
    return rows.filter((row) => row.expire > Date.now())
  }
}
