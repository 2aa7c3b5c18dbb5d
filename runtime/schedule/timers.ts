import type { SyncStorage } from 'cloudflare:workers'
import { ApiError, invalid } from '../kernel/errors.ts'
import { LEASE_MS, pauseAfter } from '../kernel/objects/pauses.ts'
import type { Timer } from './types.ts'
import { hasTable, type RunSql, sqlRunner } from '../kernel/objects/sql.ts'
import type { JsonText } from '../kernel/json-text.ts'
import { DAY_MS } from '../kernel/durations.ts'

const TIMERS_MAX = 100
const DATA_CHARS_MAX = 8192
const NAME_PATTERN = /^[a-z][A-Za-z0-9-]{0,59}$/
const YEARS_MAX = 10

/** `start_at` is when the timer runs next or, during a run, when that run counts as failed. */
interface TimerRow {
  id: string
  name: string
  at: number
  data: JsonText<unknown>
  attempt: number
  start_at: number
  is_running: number
}

export type TimerDump = TimerRow[]

export interface TimerAttempt {
  id: string
  name: string
  data: unknown
  attempt: number
  atMs: number
}

/** The timers of one person, in the person's Durable Object. Every method is synchronous, so each is one transaction. */
export class Timers {
  readonly #storage: SyncStorage
  readonly #runSql: RunSql

  constructor(storage: SyncStorage) {
    this.#storage = storage
    this.#runSql = sqlRunner(storage)
  }

  // Not cached, because erasing the person deletes all tables of this Durable Object while it runs.
  get #isThere(): boolean {
    return hasTable(this.#runSql, '_timers')
  }

  #createTable(): void {
    this.#runSql(`create table if not exists _timers (id text primary key, name text not null, at integer not null,
      data text not null, attempt integer not null, start_at integer not null, is_running integer not null) without rowid`)
  }

  #readTimers(): TimerRow[] {
    return this.#isThere ? this.#runSql<TimerRow>('select * from _timers order by at, id') : []
  }

  /** Stores a timer and returns its id. A timer in the past runs at once. */
  set({ at, name, data }: { at: unknown; name: unknown; data: unknown }, nowMs: number): string {
    const atMs = requireTime(at, nowMs)
    if (typeof name !== 'string' || !NAME_PATTERN.test(name))
      throw invalid('name', 'must be the name of a file in server/jobs/')
    const text = JSON.stringify(data ?? null)
    if (text.length > DATA_CHARS_MAX)
      throw invalid('data', `must have at most ${DATA_CHARS_MAX} characters as JSON`)
    if (this.#readTimers().length >= TIMERS_MAX)
      throw new ApiError('conflict', `A person has at most ${TIMERS_MAX} timers.`)
    this.#createTable()
    const id = crypto.randomUUID()
    this.#runSql('insert into _timers values (?, ?, ?, ?, 0, ?, 0)', id, name, atMs, text, atMs)
    return id
  }

  list(): Timer[] {
    return this.#readTimers().map(({ id, name, at }) => ({ id, name, at: new Date(at).toISOString() }))
  }

  /** Deletes a timer. Returns false when there is none with this id. */
  cancel(id: unknown): boolean {
    return (
      typeof id === 'string' &&
      this.#isThere &&
      this.#runSql('delete from _timers where id = ? returning id', id).length > 0
    )
  }

  count(): number {
    return this.#readTimers().length
  }

  /**
   * Returns the timers to run now (`starts`), and stores each as running. A run that did not finish in time counts as one more failure.
   * `lost` has the timers for which this was the last attempt. These timers are removed.
   */
  due(
    attemptsMax: number,
    nowMs: number,
  ): { starts: TimerAttempt[]; lost: Pick<TimerAttempt, 'name' | 'attempt'>[] } {
    if (!this.#isThere) return { starts: [], lost: [] }
    return this.#storage.transactionSync(() => {
      const rows = this.#readTimers().filter(({ start_at }) => start_at <= nowMs)
      const lost = rows.filter((row) => row.is_running === 1 && this.#failTimer(row, attemptsMax, nowMs))
      const starts = rows
        .filter((row) => row.is_running === 0)
        .map(({ id, name, at, data, attempt }) => {
          const update = 'update _timers set attempt = ?, is_running = 1, start_at = ? where id = ?'
          this.#runSql(update, attempt + 1, nowMs + LEASE_MS, id)
          return { id, name, data: JSON.parse(data), attempt: attempt + 1, atMs: at }
        })
      return { starts, lost }
    })
  }

  /** Stores the outcome of an attempt. Returns true when this was the last attempt and failed. */
  settle({ id, attempt }: TimerAttempt, isOk: boolean, attemptsMax: number, nowMs: number): boolean {
    const row = this.#readTimers().find(
      (one) => one.id === id && one.attempt === attempt && one.is_running === 1,
    )
    if (row === undefined) return false
    if (!isOk) return this.#failTimer(row, attemptsMax, nowMs)
    this.cancel(id)
    return false
  }

  nextAt(): number | null {
    const times = this.#readTimers().map(({ start_at }) => start_at)
    return times.length === 0 ? null : Math.min(...times)
  }

  dump(): TimerDump {
    return this.#readTimers()
  }

  /** Stores the result of `dump` after the app was copied to another account. A repeated call stores the same rows. */
  restore(rows: TimerDump): void {
    if (rows.length === 0) return
    this.#createTable()
    for (const { id, name, at, data, attempt, start_at } of rows)
      this.#runSql(
        'insert or replace into _timers values (?, ?, ?, ?, ?, ?, 0)',
        id,
        name,
        at,
        data,
        attempt,
        start_at,
      )
  }

  #failTimer({ id, attempt }: TimerRow, attemptsMax: number, nowMs: number): boolean {
    if (attempt >= attemptsMax) return this.cancel(id)
    const update = 'update _timers set is_running = 0, start_at = ? where id = ?'
    this.#runSql(update, nowMs + pauseAfter(attempt), id)
    return false
  }
}

function requireTime(at: unknown, nowMs: number): number {
  const atMs = typeof at === 'string' ? Date.parse(at) : Number.NaN
  if (Number.isNaN(atMs)) throw invalid('at', 'must be a time in ISO 8601')
  if (atMs > nowMs + YEARS_MAX * 366 * DAY_MS) throw invalid('at', `must be within ${YEARS_MAX} years`)
  return Math.max(atMs, nowMs)
}
