import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { ApiError } from './errors.ts'
import { type Row, SharedRows, TABLE } from './limits-rows.ts'

export interface CounterRule {
  name: string
  points: number
  seconds: number
  /** Counted by each process for itself, always. */
  isLocal?: boolean
}

/** Counts by bucket in fixed windows. */
export interface Counter {
  /** One more of this bucket; past the rule's points it throws `rate_limited`. */
  spend(bucket: string): Promise<void>
  /** Takes one back: what was spent turned out not to count. */
  giveBack(bucket: string): Promise<void>
}

/**
 * The counters of one process. They are in memory until `share(true)` says that other processes answer requests
 * too: from then on they are rows all of them count in. A change of place takes the counts along.
 */
export class Counters {
  readonly #counters = new Map<string, TwoPlaceCounter>()
  readonly #rows: SharedRows | null
  readonly #log: Logger | null
  #isShared = false
  #moving: Promise<void> = Promise.resolve()

  /** Without a database the counters stay in memory. */
  constructor(database: { pool: Pool; log: Logger } | null = null) {
    this.#rows = database === null ? null : new SharedRows(database)
    this.#log = database?.log ?? null
  }

  /** The counter of this name; the first caller's rule holds. */
  open(rule: CounterRule): Counter {
    const known = this.#counters.get(rule.name)
    if (known !== undefined) return known
    const rows = rule.isLocal === true ? null : this.#rows
    const counter = new TwoPlaceCounter(rule, rows, () => this.#isShared)
    this.#counters.set(rule.name, counter)
    return counter
  }

  /** Chooses the place at once; resolves when the counts so far have arrived there. */
  share(isShared: boolean): Promise<void> {
    const rows = this.#rows
    if (rows === null || isShared === this.#isShared) return this.#moving
    this.#isShared = isShared
    this.#moving = this.#moving
      .then(() => (isShared ? this.#bringOut(rows) : this.#takeBack(rows)))
      .catch((error: unknown) => this.#log?.warn({ err: error }, 'rate limits begin a new window'))
    return this.#moving
  }

  async #bringOut(rows: SharedRows): Promise<void> {
    const counters = [...this.#counters.values()].filter((counter) => counter.isSharable)
    await rows.add(counters.flatMap((counter) => counter.held()))
    for (const counter of counters) await counter.forget()
  }

  async #takeBack(rows: SharedRows): Promise<void> {
    for (const row of await rows.takeAll()) await this.#counters.get(row.key.split(':', 1)[0] ?? '')?.add(row)
  }
}

class TwoPlaceCounter implements Counter {
  readonly #rule: CounterRule
  readonly #isShared: () => boolean
  readonly #shared: RateLimiterPostgres | null
  readonly #memory: RateLimiterMemory

  constructor(rule: CounterRule, rows: SharedRows | null, isShared: () => boolean) {
    this.#rule = rule
    this.#isShared = isShared
    const { name, points, seconds } = rule
    this.#memory = new RateLimiterMemory({ keyPrefix: name, points, duration: seconds })
    this.#shared = rows === null ? null : this.#sharedLimiter(rows)
  }

  get isSharable(): boolean {
    return this.#shared !== null
  }

  async spend(bucket: string): Promise<void> {
    try {
      await this.#limiter().consume(keyOf(bucket))
    } catch (refusal) {
      throw refusal instanceof RateLimiterRes ? tooMany(refusal.msBeforeNext) : refusal
    }
  }

  async giveBack(bucket: string): Promise<void> {
    await this.#limiter().reward(keyOf(bucket))
  }

  /** What memory holds now, as rows. */
  held(): Row[] {
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

  /** Counts on top of what memory holds already. */
  async add(row: Row): Promise<void> {
    const key = row.key.slice(this.#rule.name.length + 1)
    const held = await this.#memory.get(key)
    const value = row.points + (held?.consumedPoints ?? 0)
    this.#memory.restore({ version: 1, storage: [{ key, value, expiresAt: row.expire }] })
  }

  #limiter() {
    return this.#shared !== null && this.#isShared() ? this.#shared : this.#memory
  }

  #sharedLimiter(rows: SharedRows): RateLimiterPostgres {
    const { name, points, seconds } = this.#rule
    return new RateLimiterPostgres({
      keyPrefix: name,
      points,
      duration: seconds,
      storeClient: rows,
      storeType: 'client',
      tableName: TABLE,
      tableCreated: true,
      clearExpiredByTimeout: false,
      // A bucket that was refused once is not asked about again before its window ends.
      inMemoryBlockOnConsumed: points + 1,
      // Counts while the database is away, so that no request fails for it.
      insuranceLimiter: this.#memory,
    })
  }
}

/** Texts from outside may be long, or hold an e-mail address that is nobody's business. */
function keyOf(bucket: string): string {
  return /^[\w./:-]{1,80}$/.test(bucket) ? bucket : createHash('sha256').update(bucket).digest('base64url')
}

/** The refusal of whoever came too often; `waitMs` until the next try may pass. */
export function tooMany(waitMs: number): ApiError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new ApiError('rate_limited', `Too many requests: try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  })
}
