import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Counter, CounterRule, CounterSource } from '../../lib/counter.ts'
import { ApiError } from '../errors.ts'
import { type CounterRow, SharedRows, LIMITS_TABLE } from './rows.ts'

/**
 * Whether the counts are in the database (`isShared`) or in memory. While they are transferred, every call waits for
 * `moving`, so that no count is lost.
 */
interface CounterLocation {
  isShared: boolean
  moving: Promise<void> | null
}

/**
 * The rate limit counters of one process. They are in memory while this process serves alone. `share(true)` transfers
 * the counts to rows in the database, which all processes use, and `share(false)` transfers them back to memory.
 */
export class Counters implements CounterSource {
  readonly #counters = new Map<string, TwoPlaceCounter>()
  readonly #rows: SharedRows | null
  readonly #log: Logger | null
  readonly #location: CounterLocation = { isShared: false, moving: null }
  #wantsShared = false

  /** Without a database the counters stay in memory. */
  constructor(database: { pool: Pool; log: Logger } | null = null) {
    this.#rows = database === null ? null : new SharedRows(database)
    this.#log = database?.log ?? null
  }

  /**
   * Returns the counter named `rule.name`. A later call with the same name returns the same counter and ignores the new
   * rule.
   */
  open(rule: CounterRule): Counter {
    const known = this.#counters.get(rule.name)
    if (known !== undefined) return known
    const rows = rule.isLocal === true ? null : this.#rows
    const counter = new TwoPlaceCounter(rule, rows, this.#location)
    this.#counters.set(rule.name, counter)
    return counter
  }

  /** Transfers the counts to the database or back to memory. Resolves when the counts are in the place that the latest call requested. */
  async share(isShared: boolean): Promise<void> {
    this.#wantsShared = isShared
    const rows = this.#rows
    const isThere = this.#location.moving === null && this.#location.isShared === isShared
    if (rows !== null && !isThere) await (this.#location.moving ??= this.#moveCounters(rows))
  }

  async #moveCounters(rows: SharedRows): Promise<void> {
    while (this.#location.isShared !== this.#wantsShared) {
      const isShared = this.#wantsShared
      await (isShared ? this.#moveCountsToDatabase(rows) : this.#moveCountsToMemory(rows)).catch(
        (error: unknown) => this.#log?.warn({ err: error }, 'rate limits begin a new window'),
      )
      this.#location.isShared = isShared
    }
    this.#location.moving = null
  }

  async #moveCountsToDatabase(rows: SharedRows): Promise<void> {
    const counters = [...this.#counters.values()].filter((counter) => counter.isSharable)
    await rows.add(counters.flatMap((counter) => counter.held()))
    for (const counter of counters) await counter.forget()
  }

  async #moveCountsToMemory(rows: SharedRows): Promise<void> {
    for (const row of await rows.takeAll()) await this.#counters.get(row.key.split(':', 1)[0] ?? '')?.add(row)
  }
}

class TwoPlaceCounter implements Counter {
  readonly #rule: CounterRule
  readonly #location: CounterLocation
  readonly #rows: SharedRows | null
  readonly #shared: RateLimiterPostgres | null
  readonly #memory: RateLimiterMemory

  constructor(rule: CounterRule, rows: SharedRows | null, location: CounterLocation) {
    this.#rule = rule
    this.#location = location
    this.#rows = rows
    const { name, points, seconds } = rule
    this.#memory = new RateLimiterMemory({ keyPrefix: name, points, duration: seconds })
    this.#shared = rows === null ? null : this.#sharedLimiter(rows)
  }

  get isSharable(): boolean {
    return this.#shared !== null
  }

  async spend(bucket: string): Promise<void> {
    if (this.#location.moving !== null) await this.#location.moving
    const key = counterKey(bucket)
    try {
      await this.#activeLimiter().consume(key).catch(this.#retryAfterClockChange(key))
    } catch (refusal) {
      throw refusal instanceof RateLimiterRes ? rateLimitedError(refusal.msBeforeNext) : refusal
    }
  }

  /**
   * A refusal with a wait of more than two windows shows that the clock was set back after the window began.
   * The window has ended, so its row is removed.
   */
  #retryAfterClockChange(key: string) {
    return async (refusal: unknown) => {
      // Two windows and not one, so that a window which another request has just started is kept.
      const waitMsMax = 2 * this.#rule.seconds * 1000
      const isOld = refusal instanceof RateLimiterRes && refusal.msBeforeNext > waitMsMax
      if (!isOld || this.#rows === null) throw refusal
      await this.#rows.removeBeyond(`${this.#rule.name}:${key}`, Date.now() + waitMsMax)
      this.#shared?.deleteInMemoryBlockedAll()
      await this.#activeLimiter().consume(key)
    }
  }

  async refund(bucket: string): Promise<void> {
    await this.#activeLimiter().reward(counterKey(bucket))
  }

  /** Returns the counts in memory and keeps them there. `forget` deletes the counts once they are stored as rows. */
  held(): CounterRow[] {
    const { storage } = this.#memory.dump()
    return storage.map(({ key, value, expiresAt }) => ({
      key: `${this.#rule.name}:${key}`,
      points: value,
      expire: expiresAt ?? 0,
    }))
  }

  async forget(): Promise<void> {
    for (const { key } of this.#memory.dump().storage) await this.#memory.delete(key)
  }

  async add(row: CounterRow): Promise<void> {
    const key = row.key.slice(this.#rule.name.length + 1)
    const held = await this.#memory.get(key)
    const value = row.points + (held?.consumedPoints ?? 0)
    this.#memory.restore({ version: 1, storage: [{ key, value, expiresAt: row.expire }] })
  }

  #activeLimiter() {
    return this.#shared !== null && this.#location.isShared ? this.#shared : this.#memory
  }

  #sharedLimiter(rows: SharedRows): RateLimiterPostgres {
    const { name, points, seconds } = this.#rule
    return new RateLimiterPostgres({
      keyPrefix: name,
      points,
      duration: seconds,
      storeClient: rows,
      storeType: 'client',
      tableName: LIMITS_TABLE,
      tableCreated: true,
      clearExpiredByTimeout: false,
      // A bucket that was refused is blocked in memory until its window ends, without further queries.
      inMemoryBlockOnConsumed: points + 1,
      // While the database is unavailable the counts are in memory, so that no request fails because of them.
      insuranceLimiter: this.#memory,
    })
  }
}

/** Returns the key of a bucket. A long bucket, or one with an e-mail address, is hashed. */
export function counterKey(bucket: string): string {
  return /^[\w./:-]{1,80}$/.test(bucket) ? bucket : createHash('sha256').update(bucket).digest('base64url')
}

/** Returns a 429 error. `waitMs` is rounded up to whole seconds, at least one. */
export function rateLimitedError(waitMs: number): ApiError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new ApiError('rate_limited', `Too many requests: try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  })
}
