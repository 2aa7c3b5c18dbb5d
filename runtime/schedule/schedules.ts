import type { SyncStorage } from 'cloudflare:workers'
import { LEASE_MS, NOT_ENDED, pauseAfter } from '../kernel/objects/pauses.ts'
import { nextRunTime } from './repeat.ts'
import type { ScheduleSettings } from './settings.ts'
import type { ScheduledJob, ScheduleSpec } from './types.ts'
import { type RunSql, sqlRunner } from '../kernel/objects/sql.ts'

export interface ScheduleAttempt {
  schedule: string
  handler: string
  id: string
  attempt: number
  scheduledAtMs: number
}

interface ScheduleRow {
  name: string
  repeat: string
  cron: string
  /** The schedule's own time zone; null for the zone in the settings. */
  zone: string | null
  handler: string
  retries: number | null
  next_at: number | null
  /** The time zone that `next_at` was computed in. */
  planned_zone: string
  /** The run in progress; null when there is none. */
  run_id: string | null
  due_at: number | null
  attempt: number
  /** When the next attempt begins; null while one is running. */
  start_at: number | null
  lease_until: number | null
  last_run_at: number | null
  last_status: 'ok' | 'failed' | 'skipped' | null
  last_ms: number | null
  last_error: string | null
}

/**
 * The schedules of the live app or of its preview, with their runs. Every method is synchronous, so each is
 * one transaction. A run is stored before it starts, so it happens at least once. Several missed times cause
 * one late run.
 */
export class Schedules {
  readonly #storage: SyncStorage
  readonly #runSql: RunSql

  constructor(storage: SyncStorage) {
    this.#storage = storage
    this.#runSql = sqlRunner(storage)
    this.#runSql(`create table if not exists schedules (name text primary key, repeat text not null, cron text not null,
      zone text, handler text not null, retries integer, next_at integer, planned_zone text not null, run_id text,
      due_at integer, attempt integer not null, start_at integer, lease_until integer, last_run_at integer,
      last_status text, last_ms integer, last_error text) without rowid`)
    this.#runSql('create table if not exists schedule_rest (one integer primary key)')
  }

  #readSchedules(): ScheduleRow[] {
    return this.#runSql<ScheduleRow>('select * from schedules order by name')
  }

  get isSuspended(): boolean {
    return this.#runSql('select 1 from schedule_rest').length > 0
  }

  suspend(isSuspended: boolean): void {
    this.#runSql(isSuspended ? 'insert or ignore into schedule_rest values (1)' : 'delete from schedule_rest')
  }

  /** Replaces the schedules. An unchanged schedule keeps its next time, its run and its history. */
  plan(specs: readonly ScheduleSpec[], settings: ScheduleSettings, nowMs: number): void {
    this.#storage.transactionSync(() => {
      const known = new Map(this.#readSchedules().map((row) => [row.name, row]))
      for (const { name, repeat, cron, timezone = null, handler, retries = null } of specs) {
        const row = known.get(name)
        known.delete(name)
        this.#runSql(
          `insert into schedules (name, repeat, cron, zone, handler, retries, planned_zone, attempt)
           values (?, ?, ?, ?, ?, ?, '', 0) on conflict (name) do update set
           repeat = excluded.repeat, cron = excluded.cron, zone = excluded.zone,
           handler = excluded.handler, retries = excluded.retries`,
          name,
          repeat,
          cron,
          timezone,
          handler,
          retries,
        )
        const zone = timezone ?? settings.timezone
        if (row?.cron !== cron || row.planned_zone !== zone) this.#planNext(name, cron, zone, nowMs)
      }
      for (const name of known.keys()) this.#runSql('delete from schedules where name = ?', name)
    })
  }

  /** Returns the runs to start now, and stores each as running. */
  due(settings: ScheduleSettings, nowMs: number): ScheduleAttempt[] {
    return this.#storage.transactionSync(() => {
      for (const row of this.#readSchedules()) {
        const zone = row.zone ?? settings.timezone
        // The time zone in the settings has changed, so compute the next time again.
        if (row.planned_zone !== zone) this.#planNext(row.name, row.cron, zone, nowMs)
        if (row.lease_until !== null && row.lease_until <= nowMs)
          this.#failAttempt(row, { error: NOT_ENDED, ms: LEASE_MS }, settings, nowMs)
      }
      for (const row of this.#readSchedules())
        if (row.next_at !== null && row.next_at <= nowMs) this.#beginRun(row, nowMs)
      return this.#readSchedules().flatMap((row) =>
        this.#mayStart(row, nowMs) ? this.#startAttempt(row, nowMs) : [],
      )
    })
  }

  /** Stores the outcome of an attempt. Ignored when that attempt is no longer in progress. */
  settle(
    { schedule, id, attempt }: Pick<ScheduleAttempt, 'schedule' | 'id' | 'attempt'>,
    outcome: { error: string | null; ms: number },
    settings: ScheduleSettings,
    nowMs: number,
  ): void {
    this.#storage.transactionSync(() => {
      const row = this.#readSchedules().find(({ name }) => name === schedule)
      if (row?.run_id !== id || row.attempt !== attempt || row.lease_until === null) return
      if (outcome.error === null) this.#endRun(row, 'ok', outcome, nowMs)
      else this.#failAttempt(row, { error: outcome.error, ms: outcome.ms }, settings, nowMs)
    })
  }

  /** Returns when the next run or attempt is due; null when none is planned. */
  nextAt(): number | null {
    const times = this.#readSchedules()
      .flatMap(({ next_at, start_at, lease_until }) => [next_at, start_at, lease_until])
      .filter((at) => at !== null)
    return times.length === 0 ? null : Math.min(...times)
  }

  /** Returns the schedules, sorted by the time of the next run. */
  list(isPaused: boolean): ScheduledJob[] {
    const rows = this.#readSchedules()
    rows.sort((a, b) => (a.next_at ?? Infinity) - (b.next_at ?? Infinity))
    return rows.map((row) => ({
      name: row.name,
      repeat: row.repeat,
      nextRunAt: isoTime(row.next_at),
      lastRunAt: isoTime(row.last_run_at),
      lastStatus: row.last_status,
      lastDurationMs: row.last_ms,
      attempts: row.attempt,
      lastError: row.last_error,
      paused: isPaused || this.isSuspended,
    }))
  }

  #planNext(name: string, cron: string, zone: string, nowMs: number): void {
    const update = 'update schedules set next_at = ?, planned_zone = ? where name = ?'
    this.#runSql(update, nextRunTime(cron, zone, nowMs), zone, name)
  }

  /** Starts one run, however many times were missed. Starts none while the previous run is in progress. */
  #beginRun(row: ScheduleRow, nowMs: number): void {
    if (row.run_id === null)
      this.#runSql(
        'update schedules set run_id = ?, due_at = ?, attempt = 0, start_at = ? where name = ?',
        crypto.randomUUID(),
        row.next_at,
        nowMs,
        row.name,
      )
    else this.#runSql("update schedules set last_status = 'skipped' where name = ?", row.name)
    this.#planNext(row.name, row.cron, row.planned_zone, nowMs)
  }

  #mayStart({ run_id, start_at }: ScheduleRow, nowMs: number): boolean {
    return run_id !== null && start_at !== null && start_at <= nowMs
  }

  #startAttempt(row: ScheduleRow, nowMs: number): ScheduleAttempt[] {
    const attempt = row.attempt + 1
    this.#runSql(
      'update schedules set attempt = ?, start_at = null, lease_until = ?, last_run_at = ? where name = ?',
      attempt,
      nowMs + LEASE_MS,
      nowMs,
      row.name,
    )
    const { name: schedule, handler, run_id, due_at } = row
    return [{ schedule, handler, id: run_id ?? '', attempt, scheduledAtMs: due_at ?? nowMs }]
  }

  #failAttempt(
    row: ScheduleRow,
    outcome: { error: string; ms: number },
    { maxAttempts }: ScheduleSettings,
    nowMs: number,
  ): void {
    const attemptsMax = row.retries === null ? maxAttempts : row.retries + 1
    if (row.attempt >= attemptsMax) return this.#endRun(row, 'failed', outcome, nowMs)
    this.#runSql(
      'update schedules set start_at = ?, lease_until = null, last_error = ?, last_ms = ? where name = ?',
      nowMs + pauseAfter(row.attempt),
      outcome.error,
      outcome.ms,
      row.name,
    )
  }

  #endRun(
    { name }: ScheduleRow,
    status: 'ok' | 'failed',
    { error, ms }: { error: string | null; ms: number },
    nowMs: number,
  ): void {
    this.#runSql(
      `update schedules set run_id = null, due_at = null, start_at = null, lease_until = null, last_status = ?,
       last_error = ?, last_ms = ?, last_run_at = ? where name = ?`,
      status,
      error,
      ms,
      nowMs - ms,
      name,
    )
  }
}

const isoTime = (atMs: number | null): string | null => (atMs === null ? null : new Date(atMs).toISOString())
