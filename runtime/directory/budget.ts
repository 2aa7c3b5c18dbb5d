import type { SyncStorage } from 'cloudflare:workers'
import { type CalendarWindow, calendarWindowAt, type WindowKind } from '../kernel/window.ts'
import type { HandlersOf } from '../kernel/objects/calls.ts'
import { type RunSql, sqlRunner } from '../kernel/objects/sql.ts'

/** A reservation that was neither settled nor released expires after this time. */
const RESERVATION_MS = 10 * 60_000

export interface BudgetClaim {
  key: string
  window: Exclude<WindowKind, 'lifetime'>
  limit: number
  amount: number
}

/** Either everything is reserved under `id`, or nothing is and `retryAtMs` says when to try again. */
export type Reservation = { ok: true; id: string } | { ok: false; key: string; retryAtMs: number }

/**
 * Budgets that are reserved before a call, settled after it, and released when nothing was used. Every method is synchronous and so one
 * transaction: concurrent calls cannot exceed a limit.
 */
export class Budget {
  readonly #storage: SyncStorage
  readonly #runSql: RunSql

  constructor(storage: SyncStorage) {
    this.#storage = storage
    this.#runSql = sqlRunner(storage)
    this.#runSql(`create table if not exists budget_used (key text not null, start integer not null,
      ends_at integer not null, amount integer not null, primary key (key, start)) without rowid`)
    this.#runSql(`create table if not exists budget_reserved (id text not null, key text not null, start integer not null,
      ends_at integer not null, amount integer not null, expires_at integer not null, primary key (id, key)) without rowid`)
    this.#runSql('create index if not exists budget_reserved_key on budget_reserved (key, start)')
  }

  /** Reserves all claims or none. The reservation expires after `keptMs`. */
  reserve(claims: readonly BudgetClaim[], nowMs: number, keptMs = RESERVATION_MS): Reservation {
    return this.#storage.transactionSync(() => {
      this.#deleteExpired(nowMs)
      const placed = claims.map((claim) => ({ ...claim, ...endingWindow(claim.window, nowMs) }))
      for (const { key, start, end, limit, amount } of placed)
        if (this.#usedAmount(key, start) + amount > limit) return { ok: false, key, retryAtMs: end }
      const id = crypto.randomUUID()
      for (const { key, start, end, amount } of placed)
        this.#runSql(
          'insert into budget_reserved values (?, ?, ?, ?, ?, ?)',
          id,
          key,
          start,
          end,
          amount,
          nowMs + keptMs,
        )
      return { ok: true, id }
    })
  }

  /** Returns false when the reservation has expired, or was settled or released. */
  holds(id: string, nowMs: number): boolean {
    return this.#runSql('select 1 from budget_reserved where id = ? and expires_at > ?', id, nowMs).length > 0
  }

  /**
   * Counts a reservation as used, with `amount` when the actual amount is known. Does nothing when it has expired or
   * was settled before.
   */
  settle(id: string, amount: number | null = null): void {
    this.#storage.transactionSync(() => {
      this.#runSql(
        `insert into budget_used select key, start, ends_at, coalesce(?, amount) from budget_reserved where id = ?
         on conflict (key, start) do update set amount = amount + excluded.amount`,
        amount,
        id,
      )
      this.release(id)
    })
  }

  release(id: string): void {
    this.#runSql('delete from budget_reserved where id = ?', id)
  }

  /** Returns the sum of the used and the reserved amounts in the current window. */
  used({ key, window }: Pick<BudgetClaim, 'key' | 'window'>, nowMs: number): number {
    this.#deleteExpired(nowMs)
    return this.#usedAmount(key, endingWindow(window, nowMs).start)
  }

  #deleteExpired(nowMs: number): void {
    this.#runSql('delete from budget_reserved where expires_at <= ?', nowMs)
    this.#runSql('delete from budget_used where ends_at <= ?', nowMs)
  }

  #usedAmount(key: string, start: number): number {
    const [row] = this.#runSql<{ amount: number }>(
      `select (select coalesce(sum(amount), 0) from budget_used where key = ? and start = ?) +
         (select coalesce(sum(amount), 0) from budget_reserved where key = ? and start = ?) as amount`,
      key,
      start,
      key,
      start,
    )
    return Number(row?.amount)
  }
}

export interface BudgetCalls {
  reserve: { ask: { claim: BudgetClaim; keptMs?: number }; answer: Reservation }
  settle: { ask: { id: string; amount?: number }; answer: void }
  release: { ask: { id: string }; answer: void }
  used: { ask: Pick<BudgetClaim, 'key' | 'window'>; answer: number }
}

export function budgetHandlers(storage: SyncStorage): HandlersOf<BudgetCalls> {
  const budget = new Budget(storage)
  return {
    reserve: ({ claim, keptMs }) => budget.reserve([claim], Date.now(), keptMs),
    settle: ({ id, amount }) => budget.settle(id, amount),
    release: ({ id }) => budget.release(id),
    used: (ask) => budget.used(ask, Date.now()),
  }
}

function endingWindow(kind: BudgetClaim['window'], nowMs: number): { start: number; end: number } {
  const { start, end }: CalendarWindow = calendarWindowAt(kind, nowMs)
  return { start, end: end ?? start }
}
