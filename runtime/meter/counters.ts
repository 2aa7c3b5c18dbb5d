import type { SyncStorage } from 'cloudflare:workers'
import { ApiError } from '../kernel/errors.ts'
import type { Allowance } from './types.ts'
import { previousWindowStartMs, calendarWindowAt, type WindowKind } from '../kernel/window.ts'
import { hasTable, type RunSql, sqlRunner } from '../kernel/objects/sql.ts'
import { DAY_MS } from '../kernel/durations.ts'

/** A move to another cloud account sends a Durable Object's counters in one request, so only the newest spend ids are copied. */
const MOVED_SPENDS_MAX = 1000

export interface Meter {
  key: string
  window: WindowKind
  limit: number
}

/** How much was spent of a meter in one window. `start` is in milliseconds since 1970. */
export interface Counter {
  key: string
  kind: WindowKind
  start: number
  spent: number
  /** Increases with every change, so that an older value which arrives late is ignored. */
  rev: number
  /** Windows that began before this time are deleted. */
  kept_from: number
}

interface SpendRow {
  id: string
  key: string
  kind: WindowKind
  start: number
  n: number
  at: number
  remaining: number
  resets_at: string | null
  refunded: number
}

export interface MeterDump {
  counters: Counter[]
  spends: SpendRow[]
}

/**
 * The counters of a person, a team or the app, each in its own Durable Object. Every method is synchronous,
 * so each is one transaction. The tables are created with the first spend.
 */
export class Counters {
  readonly #storage: SyncStorage
  readonly #runSql: RunSql

  constructor(storage: SyncStorage) {
    this.#storage = storage
    this.#runSql = sqlRunner(storage)
  }

  // Checked every time, because the Durable Object's storage, with this table, may have been deleted since.
  get #isThere(): boolean {
    return hasTable(this.#runSql, '_meters')
  }

  #createTables(): void {
    this.#runSql(`create table if not exists _meters (key text not null, kind text not null, start integer not null,
      spent integer not null, rev integer not null, kept_from integer not null, sent integer not null,
      primary key (key, kind, start)) without rowid`)
    this.#runSql(`create table if not exists _meter_spends (id text primary key, key text not null, kind text not null,
      start integer not null, n integer not null, at integer not null, remaining integer not null, resets_at text,
      refunded integer not null) without rowid`)
    this.#runSql('create index if not exists _meter_spends_at on _meter_spends (at)')
  }

  /** Returns what is left. `ok` is true when `n` units would fit. */
  peek(meter: Meter, n: number, nowMs: number): Allowance {
    const left = this.#unitsLeft(meter, nowMs)
    return { ok: n <= left, remaining: left, resetsAt: resetTime(meter, nowMs) }
  }

  /**
   * Spends `n` units, or none when fewer are left. Repeating the call with the same `id` within a day returns
   * the first result and spends nothing; with another meter or amount it throws `conflict`. An id whose spend
   * was rejected or refunded may be used again.
   */
  consume(meter: Meter, n: number, id: string | null, nowMs: number): Allowance {
    return this.#storage.transactionSync(() => {
      const known = id === null ? null : this.#findSpend(id, nowMs)
      if (known !== null && known.refunded === 0) {
        if (known.key !== meter.key || known.n !== n)
          throw new ApiError('conflict', 'id: was already used for another spend', { field: 'id' })
        return { ok: true, remaining: known.remaining, resetsAt: known.resets_at }
      }
      const left = this.#unitsLeft(meter, nowMs)
      const resetsAt = resetTime(meter, nowMs)
      if (n > left) return { ok: false, remaining: left, resetsAt }
      this.#createTables()
      const window = calendarWindowAt(meter.window, nowMs)
      const kept = previousWindowStartMs(meter.window, window)
      this.#runSql(
        `insert into _meters values (?, ?, ?, ?, 1, ?, 0) on conflict (key, kind, start) do update
         set spent = spent + excluded.spent, rev = rev + 1, sent = 0`,
        meter.key,
        meter.window,
        window.start,
        n,
        kept,
      )
      this.#runSql(
        'delete from _meters where key = ? and kind = ? and start < ?',
        meter.key,
        meter.window,
        kept,
      )
      const remaining = left - n
      if (id !== null) {
        this.#runSql('delete from _meter_spends where at <= ?', nowMs - DAY_MS)
        this.#runSql(
          'insert or replace into _meter_spends values (?, ?, ?, ?, ?, ?, ?, ?, 0)',
          id,
          meter.key,
          meter.window,
          window.start,
          n,
          nowMs,
          remaining,
          resetsAt,
        )
      }
      return { ok: true, remaining, resetsAt }
    })
  }

  /** Refunds the spend with this id; a second refund of it changes nothing. Throws `not_found` for an unknown id. */
  refund(meter: Meter, id: string, nowMs: number): Allowance {
    return this.#storage.transactionSync(() => {
      const spend = this.#findSpend(id, nowMs)
      if (spend === null) throw noSuchSpend()
      if (spend.refunded === 0) {
        this.#runSql('update _meter_spends set refunded = 1 where id = ?', id)
        this.#runSql(
          `update _meters set spent = max(0, spent - ?), rev = rev + 1, sent = 0
           where key = ? and kind = ? and start = ?`,
          spend.n,
          spend.key,
          spend.kind,
          spend.start,
        )
      }
      return this.peek(meter, 0, nowMs)
    })
  }

  unsent(): Counter[] {
    if (!this.#isThere) return []
    return this.#readCounters('where sent < rev')
  }

  markSent(counters: readonly Counter[]): void {
    if (!this.#isThere) return
    const sql = 'update _meters set sent = ? where key = ? and kind = ? and start = ? and sent < ?'
    for (const { key, kind, start, rev } of counters) this.#runSql(sql, rev, key, kind, start, rev)
  }

  count(): number {
    return this.#isThere ? this.#readCounters('').length : 0
  }

  /** Returns the counters and the newest spend ids, to copy them to another cloud account; null when nothing was ever spent. */
  dump(): MeterDump | null {
    if (!this.#isThere) return null
    const spends = this.#runSql<SpendRow>(
      `select id, key, kind, start, n, at, remaining, resets_at, refunded from _meter_spends
       order by at desc, id limit ?`,
      MOVED_SPENDS_MAX,
    )
    return { counters: this.#readCounters(''), spends }
  }

  /** Stores what the `dump` of another object returned. Idempotent. */
  restore({ counters, spends }: MeterDump): void {
    this.#storage.transactionSync(() => {
      this.#createTables()
      for (const { key, kind, start, spent, rev, kept_from } of counters) {
        const insert = 'insert or replace into _meters values (?, ?, ?, ?, ?, ?, 0)'
        this.#runSql(insert, key, kind, start, spent, rev, kept_from)
      }
      for (const { id, key, kind, start, n, at, remaining, resets_at, refunded } of spends) {
        const insert = 'insert or replace into _meter_spends values (?, ?, ?, ?, ?, ?, ?, ?, ?)'
        this.#runSql(insert, id, key, kind, start, n, at, remaining, resets_at, refunded)
      }
    })
  }

  #readCounters(which: string): Counter[] {
    const sql = `select key, kind, start, spent, rev, kept_from from _meters ${which} order by key, kind, start`
    return this.#runSql<Counter>(sql)
  }

  /** Returns the remaining units; 0 when the limit is below what was spent. */
  #unitsLeft({ key, window, limit }: Meter, nowMs: number): number {
    if (!this.#isThere) return limit
    const { start } = calendarWindowAt(window, nowMs)
    const sql = 'select spent from _meters where key = ? and kind = ? and start = ?'
    const spent = this.#runSql<{ spent: number }>(sql, key, window, start)[0]?.spent ?? 0
    return Math.max(0, limit - spent)
  }

  #findSpend(id: string, nowMs: number): SpendRow | null {
    if (!this.#isThere) return null
    const sql = 'select * from _meter_spends where id = ? and at > ?'
    return this.#runSql<SpendRow>(sql, id, nowMs - DAY_MS)[0] ?? null
  }
}

export const noMeterOwner = (): ApiError => new ApiError('not_found', 'This person or team does not exist.')

export const noSuchSpend = (): ApiError =>
  new ApiError('not_found', 'Nothing was spent under this id in the last 24 hours.')

function resetTime({ window }: Meter, nowMs: number): string | null {
  const { end } = calendarWindowAt(window, nowMs)
  return end === null ? null : new Date(end).toISOString()
}
