import type { SyncStorage } from 'cloudflare:workers'
import { LEASE_MS, pauseAfter } from './pauses.ts'
import { hasTable, type RunSql, sqlRunner } from './sql.ts'
import { HOUR_MS } from '../durations.ts'

export interface KeptMessage {
  id: string
  collection: string
  /** The key that identifies repeated deliveries of a message. */
  key: string
  at: number
}

/** A handler to run for a message, or a message to send. */
export interface MessageWork<Kind extends 'run' | 'send' = 'run' | 'send', Body extends string = string> {
  id: string
  kind: Kind
  /** The name of the job, or the address to send to. */
  target: string
  /** JSON text: the event for the handler, or the message to send. */
  body: Body
}

export type WorkAttempt<Kept extends MessageWork = MessageWork> = Kept & { attempt: number }

type WorkRow<Kept extends MessageWork = MessageWork> = WorkAttempt<Kept> & {
  /** When the work is due or, while the work runs, when it counts as failed. */
  start_at: number
  is_running: number
}

/** `at` is null when the table is empty. */
interface EarliestRow {
  at: number | null
}

/** The state of the work after an attempt. */
export type WorkOutcome = 'done' | 'again' | 'given up'

export interface MessageDump {
  messages: KeptMessage[]
  work: WorkRow[]
}

/** The first attempt and five retries. */
export const ATTEMPTS_MAX = 6
const SAME_FOR_MS = 72 * HOUR_MS
/**
 * Limits for copying an app to another cloud account, because messages and work are sent in one request of at
 * most 1 MiB. Only the newest messages are copied.
 */
const TRANSFER_MESSAGES_MAX = 2000
const TRANSFER_CHARS_MAX = 500_000

/**
 * A capability's received messages and its queued work: handlers to run and messages to send. `Kept` is the type of the queued work. Every
 * method is synchronous, so each is one transaction.
 */
export class MessageStore<Kept extends MessageWork> {
  readonly #storage: SyncStorage
  readonly #runSql: RunSql
  readonly #messages: string
  readonly #work: string
  readonly #attemptsMax: number

  /** `name` is part of the table names, because one Durable Object may store messages of several capabilities. */
  constructor(storage: SyncStorage, name: 'hook' | 'mail' | 'pay' | 'push', attemptsMax = ATTEMPTS_MAX) {
    this.#storage = storage
    this.#runSql = sqlRunner(storage)
    this.#attemptsMax = attemptsMax
    this.#messages = `_${name}_messages`
    this.#work = `_${name}_work`
  }

  // Not cached, because a transaction that created the tables may be rolled back.
  #hasTables(): boolean {
    return hasTable(this.#runSql, this.#work)
  }

  #createTables(): void {
    if (this.#hasTables()) return
    this.#runSql(`create table ${this.#messages} (id text primary key, collection text not null, key text not null,
      at integer not null) without rowid`)
    this.#runSql(`create index ${this.#messages}_key on ${this.#messages} (key, at)`)
    this.#runSql(`create index ${this.#messages}_at on ${this.#messages} (at)`)
    this.#runSql(`create table ${this.#work} (id text primary key, kind text not null, target text not null,
      body text not null, attempt integer not null, start_at integer not null, is_running integer not null) without rowid`)
    this.#runSql(`create index ${this.#work}_start on ${this.#work} (start_at)`)
  }

  /** Returns the id of a stored message that has this key and is at most `forMs` old; null when there is none. */
  same(key: string, nowMs: number, forMs = SAME_FOR_MS): string | null {
    if (!this.#hasTables()) return null
    const sql = `select id from ${this.#messages} where key = ? and at > ? order by at desc limit 1`
    return this.#runSql<Pick<KeptMessage, 'id'>>(sql, key, nowMs - forMs)[0]?.id ?? null
  }

  keep({ id, collection, key, at }: KeptMessage): void {
    this.#createTables()
    this.#runSql(`insert or replace into ${this.#messages} values (?, ?, ?, ?)`, id, collection, key, at)
  }

  message(id: unknown): KeptMessage | null {
    if (typeof id !== 'string' || !this.#hasTables()) return null
    const sql = `select id, collection, key, at from ${this.#messages} where id = ?`
    return this.#runSql<KeptMessage>(sql, id)[0] ?? null
  }

  /** Returns the messages that were received before `atMs`, oldest first. */
  before(atMs: number, limit: number): KeptMessage[] {
    if (!this.#hasTables()) return []
    const sql = `select id, collection, key, at from ${this.#messages} where at < ? order by at limit ?`
    return this.#runSql<KeptMessage>(sql, atMs, limit)
  }

  forget(id: string): void {
    this.#runSql(`delete from ${this.#messages} where id = ?`, id)
  }

  /** Adds work that is due at once. Does nothing while unfinished work has the same id. */
  add({ id, kind, target, body }: Kept, nowMs: number): void {
    this.#createTables()
    this.#runSql(
      `insert or ignore into ${this.#work} values (?, ?, ?, ?, 0, ?, 0)`,
      id,
      kind,
      target,
      body,
      nowMs,
    )
  }

  isUnderWay(id: string): boolean {
    return this.#hasTables() && this.#runSql(`select 1 from ${this.#work} where id = ?`, id).length > 0
  }

  count(kind: Kept['kind']): number {
    if (!this.#hasTables()) return 0
    const sql = `select count(*) as n from ${this.#work} where kind = ?`
    return Number(this.#runSql<{ n: number }>(sql, kind)[0]?.n)
  }

  /**
   * Returns the work to start now (`starts`), and stores it as running. Counts an attempt that did not finish in time as failed. `lost` is
   * the work whose last attempt failed in this way, and which is not retried.
   */
  due(
    kinds: readonly Kept['kind'][],
    nowMs: number,
    limit: number,
  ): { starts: WorkAttempt<Kept>[]; lost: Kept[] } {
    if (!this.#hasTables()) return { starts: [], lost: [] }
    return this.#storage.transactionSync(() => {
      const sql = `select * from ${this.#work} where start_at <= ? and kind in (${kinds.map(() => '?').join(', ')})
        order by start_at, id limit ?`
      const rows = this.#runSql<WorkRow<Kept>>(sql, nowMs, ...kinds, limit)
      const lost = rows.filter((row) => row.is_running === 1 && this.#failWork(row, nowMs) === 'given up')
      const starts = rows
        .filter((row) => row.is_running === 0)
        .map((row) => {
          const update = `update ${this.#work} set attempt = ?, is_running = 1, start_at = ? where id = ?`
          this.#runSql(update, row.attempt + 1, nowMs + LEASE_MS, row.id)
          return { ...toWork(row), attempt: row.attempt + 1 }
        })
      return { starts, lost: lost.map(toWork) }
    })
  }

  /** Stores the outcome of an attempt. Returns null and stores nothing when the attempt has already counted as failed. */
  settle({ id, attempt }: WorkAttempt, isOk: boolean, nowMs: number): WorkOutcome | null {
    const sql = `select * from ${this.#work} where id = ? and attempt = ? and is_running = 1`
    const [row] = this.#hasTables() ? this.#runSql<WorkRow>(sql, id, attempt) : []
    if (row === undefined) return null
    if (!isOk) return this.#failWork(row, nowMs)
    this.#runSql(`delete from ${this.#work} where id = ?`, id)
    return 'done'
  }

  #failWork({ id, attempt }: WorkRow, nowMs: number): WorkOutcome {
    if (attempt >= this.#attemptsMax) {
      this.#runSql(`delete from ${this.#work} where id = ?`, id)
      return 'given up'
    }
    const update = `update ${this.#work} set is_running = 0, start_at = ? where id = ?`
    this.#runSql(update, nowMs + pauseAfter(attempt), id)
    return 'again'
  }

  /** Returns when the next work is due or the next message expires; null when nothing is stored. */
  nextAt(keepMs: number): number | null {
    if (!this.#hasTables()) return null
    const work = this.#runSql<EarliestRow>(`select min(start_at) as at from ${this.#work}`)[0]?.at
    const oldest = this.#runSql<EarliestRow>(`select min(at) as at from ${this.#messages}`)[0]?.at
    const times = [
      ...(typeof work === 'number' ? [work] : []),
      ...(typeof oldest === 'number' ? [oldest + keepMs + 1] : []),
    ]
    return times.length === 0 ? null : Math.min(...times)
  }

  /**
   * Returns the newest messages, and as much work as fits into one request, to copy them to another cloud
   * account; null when there is nothing.
   */
  dump(): MessageDump | null {
    if (!this.#hasTables()) return null
    const sql = `select id, collection, key, at from ${this.#messages} order by at desc limit ?`
    const messages = this.#runSql<KeptMessage>(sql, TRANSFER_MESSAGES_MAX)
    const rows = this.#runSql<WorkRow>(`select * from ${this.#work} order by start_at, id`)
    let size = 0
    const work = rows.filter(({ body }) => {
      const fits = size + body.length <= TRANSFER_CHARS_MAX
      if (fits) size += body.length
      return fits
    })
    return { messages, work }
  }

  /** Stores what the `dump` of another object returned. Idempotent. */
  restore({ messages, work }: MessageDump): void {
    for (const message of messages) this.keep(message)
    this.#createTables()
    for (const { id, kind, target, body, attempt, start_at } of work)
      this.#runSql(
        `insert or replace into ${this.#work} values (?, ?, ?, ?, ?, ?, 0)`,
        id,
        kind,
        target,
        body,
        attempt,
        start_at,
      )
  }
}

const toWork = <Kept extends MessageWork>({ id, kind, target, body }: WorkRow<Kept>) =>
  ({ id, kind, target, body }) as Kept
