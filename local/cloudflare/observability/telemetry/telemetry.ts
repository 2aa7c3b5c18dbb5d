import { chmodSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { SQLInputValue } from 'node:sqlite'
import { BLOB_COLUMNS, DOUBLE_COLUMNS, telemetrySchema } from './schema.ts'

/** A row of the telemetry: a log line or an uncaught exception (`cf-worker`), or the summary of an invocation (`cf-worker-event`). */
export interface LogEvent {
  accountId: string
  script: string
  /** Epoch milliseconds. */
  at: number
  requestId: string
  type: 'cf-worker' | 'cf-worker-event'
  eventType: string
  outcome: string
  level: string
  message: string
  error: string | null
  fingerprint: string | null
  trigger: string | null
  url: string | null
  statusCode: number | null
  source: unknown
}

/** A data point that a worker wrote to Analytics Engine. `at` is in epoch milliseconds. */
export interface DataPoint {
  accountId: string
  dataset: string
  at: number
  index: string
  blobs: string[]
  doubles: number[]
}

interface MinuteCount {
  accountId: string
  script: string
  minute: number
  requests: number
  errors: number
  wallMs: number
}

// Codes of SQLite: the file is locked, the disk cannot be written, the disk is full.
const TEMPORARY_CODES = new Set([5, 6, 10, 13])

/** Returns whether a repeated write may succeed. A write of a row that SQLite refuses never does. */
const isTemporary = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && TEMPORARY_CODES.has(Number(error.errcode) & 0xff)

type TelemetryTable = 'events' | 'points'

const MINUTE_MS = 60_000
const FLUSH_MS = 200
const RETENTION_MS = 31 * 24 * 60 * MINUTE_MS
const ROWS_PER_ACCOUNT = 500_000
const SWEEP_MS = 60 * MINUTE_MS
// The row limit of an account is checked only after this number of inserts, because counting rows is slow.
const COUNT_AFTER_ROWS = 10_000
// Events above this number in one batch are dropped, so that a flood does not fill the memory.
const BUFFERED_EVENTS_MAX = 20_000

const EVENT_COLUMNS =
  'account_id, script, at, request_id, type, event_type, outcome, level, message, error, fingerprint, trigger_name, url, status_code, source'
const POINT_COLUMNS = ['account_id', 'dataset', 'at', 'index1', ...BLOB_COLUMNS, ...DOUBLE_COLUMNS]

/** Telemetry of all apps: counted in memory and written in batches, so that no request waits for the disk. */
export class Telemetry {
  readonly #db: DatabaseSync
  readonly #counts = new Map<string, MinuteCount>()
  #events: LogEvent[] = []
  #points: DataPoint[] = []
  #timer: NodeJS.Timeout | null = null
  #isClosed = false
  readonly #sweeper: NodeJS.Timeout
  readonly #insertedRows = new Map<string, number>()
  readonly #rowsMax: number

  constructor(path: string, limits: { rowsPerAccount: number } = { rowsPerAccount: ROWS_PER_ACCOUNT }) {
    this.#db = new DatabaseSync(path)
    if (path !== ':memory:') chmodSync(path, 0o600)
    // In queries over data points, LIKE is case-sensitive, as at the provider.
    this.#db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA case_sensitive_like=ON')
    this.#db.exec(telemetrySchema)
    this.#rowsMax = limits.rowsPerAccount
    this.sweep(Date.now())
    this.#sweeper = setInterval(() => this.#attemptWrite(() => this.sweep(Date.now())), SWEEP_MS).unref()
  }

  /** Called for every request, so it only writes to memory. */
  countRequest(accountId: string, script: string, startedAt: number, wallMs: number): void {
    const count = this.#countOf(accountId, script, startedAt)
    count.requests++
    count.wallMs += wallMs
  }

  /** Counts an invocation that threw or exceeded a limit. */
  countError(accountId: string, script: string, at: number): void {
    this.#countOf(accountId, script, at).errors++
  }

  addEvents(events: LogEvent[]): void {
    if (this.#events.length >= BUFFERED_EVENTS_MAX) return
    this.#events.push(...events)
    this.#flushSoon()
  }

  addPoints(points: DataPoint[]): void {
    if (this.#points.length >= BUFFERED_EVENTS_MAX) return
    this.#points.push(...points)
    this.#flushSoon()
  }

  /** Runs a query. First writes the waiting events, so that the result includes them. */
  all<T>(sql: string, ...params: SQLInputValue[]): T[] {
    this.flush()
    return this.#db.prepare(sql).all(...params) as T[]
  }

  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const counts = [...this.#counts.values()]
    const [events, points] = [this.#events, this.#points]
    if (counts.length + events.length + points.length === 0) return
    this.#counts.clear()
    this.#events = []
    this.#points = []
    try {
      this.#db.exec('BEGIN')
      this.#writeCounts(counts)
      this.#writeEvents(events)
      this.#writePoints(points)
      this.#db.exec('COMMIT')
    } catch (error) {
      // SQLite has rolled back the transaction itself when the disk is full.
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
      if (isTemporary(error)) this.#restoreUnwritten(counts, events, points)
      throw error
    }
    this.#limitRows('events', events)
    this.#limitRows('points', points)
  }

  /** Keeps unwritten items for the next attempt, up to the buffer limit. `flush` is synchronous, so nothing was added meanwhile. */
  #restoreUnwritten(counts: MinuteCount[], events: LogEvent[], points: DataPoint[]): void {
    for (const count of counts) this.#counts.set(`${count.accountId} ${count.script} ${count.minute}`, count)
    this.#events = events.slice(0, BUFFERED_EVENTS_MAX)
    this.#points = points.slice(0, BUFFERED_EVENTS_MAX)
  }

  /** Deletes rows older than a month. */
  sweep(now: number): void {
    this.#db
      .prepare('DELETE FROM invocations WHERE minute < ?')
      .run(Math.floor((now - RETENTION_MS) / MINUTE_MS))
    for (const table of ['events', 'points']) {
      this.#db.prepare(`DELETE FROM ${table} WHERE at < ?`).run(now - RETENTION_MS)
    }
  }

  close(): void {
    clearInterval(this.#sweeper)
    this.#attemptWrite(() => this.flush())
    this.#isClosed = true
    this.#db.close()
  }

  #countOf(accountId: string, script: string, at: number): MinuteCount {
    const minute = Math.floor(at / MINUTE_MS)
    const key = `${accountId} ${script} ${minute}`
    let count = this.#counts.get(key)
    if (count === undefined) {
      count = { accountId, script, minute, requests: 0, errors: 0, wallMs: 0 }
      this.#counts.set(key, count)
      this.#flushSoon()
    }
    return count
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(() => this.#attemptWrite(() => this.flush()), FLUSH_MS).unref()
  }

  /** Ignores write errors: a full disk must not stop the apps. Also ignores events that arrive after close. */
  #attemptWrite(work: () => void): void {
    if (this.#isClosed) return
    try {
      work()
    } catch {
      // The next query writes the waiting events first, and throws the error if it persists.
    }
  }

  #writeCounts(counts: MinuteCount[]): void {
    const statement = this.#db.prepare(
      `INSERT INTO invocations (account_id, script, minute, requests, errors, wall_ms) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET requests = requests + excluded.requests, errors = errors + excluded.errors,
         wall_ms = wall_ms + excluded.wall_ms`,
    )
    for (const { accountId, script, minute, requests, errors, wallMs } of counts)
      statement.run(accountId, script, minute, requests, errors, wallMs)
  }

  #writeEvents(events: LogEvent[]): void {
    const statement = this.#db.prepare(
      `INSERT INTO events (${EVENT_COLUMNS}) VALUES (${EVENT_COLUMNS.replaceAll(/\w+/g, '?')})`,
    )
    for (const event of events) {
      statement.run(
        event.accountId,
        event.script,
        event.at,
        event.requestId,
        event.type,
        event.eventType,
        event.outcome,
        event.level,
        event.message,
        event.error,
        event.fingerprint,
        event.trigger,
        event.url,
        event.statusCode,
        JSON.stringify(event.source),
      )
    }
  }

  #writePoints(points: DataPoint[]): void {
    const statement = this.#db.prepare(
      `INSERT INTO points (${POINT_COLUMNS.join(', ')}) VALUES (${POINT_COLUMNS.map(() => '?').join(', ')})`,
    )
    for (const { accountId, dataset, at, index, blobs, doubles } of points) {
      statement.run(
        accountId,
        dataset,
        at,
        index,
        ...BLOB_COLUMNS.map((_, n) => blobs[n] ?? ''),
        ...DOUBLE_COLUMNS.map((_, n) => doubles[n] ?? 0),
      )
    }
  }

  /** Deletes the oldest rows of accounts that have too many. */
  #limitRows(table: TelemetryTable, added: { accountId: string }[]): void {
    for (const { accountId } of added) {
      const key = `${table} ${accountId}`
      this.#insertedRows.set(key, (this.#insertedRows.get(key) ?? 0) + 1)
    }
    const lookAfter = Math.min(COUNT_AFTER_ROWS, this.#rowsMax)
    for (const accountId of new Set(added.map((row) => row.accountId))) {
      const key = `${table} ${accountId}`
      if ((this.#insertedRows.get(key) ?? 0) < lookAfter) continue
      this.#insertedRows.delete(key)
      this.#db
        .prepare(
          `DELETE FROM ${table} WHERE account_id = ?1 AND id <= (
             SELECT id FROM ${table} WHERE account_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)`,
        )
        .run(accountId, this.#rowsMax)
    }
  }
}
