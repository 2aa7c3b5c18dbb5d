import type { SyncStorage } from 'cloudflare:workers'
import type { Counter } from './counters.ts'
import type { WindowKind } from '../kernel/window.ts'
import { DAY_MS } from '../kernel/durations.ts'

/** The meter and the subject (a person, a team or the app) for which the id of a spend was used. */
export interface SpendClaim {
  key: string
  /** The partition whose object counted the spend. */
  subject: string
}

/** What each person, each team and the app spent in each window, and the spend ids of the last day. The first call creates the tables. */
export class MeterTotals {
  readonly #storage: SyncStorage
  #hasTables = false

  constructor(storage: SyncStorage) {
    this.#storage = storage
  }

  #runSql<Row = unknown>(sql: string, ...values: unknown[]): Row[] {
    if (!this.#hasTables) this.#createTables()
    return this.#storage.sql.exec<Row>(sql, ...values).toArray()
  }

  #createTables(): void {
    const { sql } = this.#storage
    sql.exec(`create table if not exists meter_totals (key text not null, kind text not null, start integer not null,
      subject text not null, spent integer not null, rev integer not null,
      primary key (key, kind, start, subject)) without rowid`)
    sql.exec('create index if not exists meter_totals_subject on meter_totals (subject)')
    sql.exec(`create table if not exists meter_ids (id text primary key, key text not null, subject text not null,
      at integer not null) without rowid`)
    sql.exec('create index if not exists meter_ids_at on meter_ids (at)')
    sql.exec('create index if not exists meter_ids_subject on meter_ids (subject)')
    this.#hasTables = true
  }

  /** Stores totals. Ignores values older than the stored ones. */
  apply(subject: string, counters: readonly Counter[]): void {
    this.#storage.transactionSync(() => {
      for (const { key, kind, start, spent, rev, kept_from } of counters) {
        this.#runSql(
          `insert into meter_totals values (?, ?, ?, ?, ?, ?) on conflict (key, kind, start, subject) do update
           set spent = excluded.spent, rev = excluded.rev where excluded.rev > rev`,
          key,
          kind,
          start,
          subject,
          spent,
          rev,
        )
        this.#runSql(
          'delete from meter_totals where key = ? and kind = ? and start < ?',
          key,
          kind,
          kept_from,
        )
      }
    })
  }

  /** `people` is the number of subjects that have spent something. */
  sum(key: string, kind: WindowKind, start: number): { spent: number; people: number } {
    const [row] = this.#runSql<{ spent: number; people: number }>(
      `select coalesce(sum(spent), 0) as spent, count(*) as people from meter_totals
       where key = ? and kind = ? and start = ? and spent > 0`,
      key,
      kind,
      start,
    )
    return { spent: row?.spent ?? 0, people: row?.people ?? 0 }
  }

  /**
   * Reserves an id for a spend. Returns the claim that is stored for the id: the given one, or an earlier one
   * of the last day.
   */
  claim(id: string, { key, subject }: SpendClaim, nowMs: number): SpendClaim {
    this.#runSql('delete from meter_ids where at <= ?', nowMs - DAY_MS)
    this.#runSql('insert or ignore into meter_ids values (?, ?, ?, ?)', id, key, subject, nowMs)
    return this.claimed(id, nowMs) ?? { key, subject }
  }

  claimed(id: string, nowMs: number): SpendClaim | null {
    const [row] = this.#runSql<SpendClaim>(
      'select key, subject from meter_ids where id = ? and at > ?',
      id,
      nowMs - DAY_MS,
    )
    return row === undefined ? null : { key: row.key, subject: row.subject }
  }

  forget(subject: string): void {
    this.#runSql('delete from meter_totals where subject = ?', subject)
    this.#runSql('delete from meter_ids where subject = ?', subject)
  }
}
