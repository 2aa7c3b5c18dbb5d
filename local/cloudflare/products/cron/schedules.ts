import { Cron } from 'croner'
import type { Store } from '../../../world/store.ts'
import { toCronerPattern } from './expression.ts'

export interface Schedule {
  scriptId: string
  cron: string
  createdAt: number
  modifiedAt: number
}

interface ScheduleRow {
  script_id: string
  cron: string
  created_at: number
  modified_at: number
}

function toSchedule(row: ScheduleRow): Schedule {
  return {
    scriptId: row.script_id,
    cron: row.cron,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  }
}

export function listSchedules(store: Store, scriptId: string): Schedule[] {
  return store
    .all<ScheduleRow>('SELECT * FROM schedules WHERE script_id = ? ORDER BY cron', scriptId)
    .map(toSchedule)
}

export function listAllSchedules(store: Store): Schedule[] {
  return store.all<ScheduleRow>('SELECT * FROM schedules').map(toSchedule)
}

export function listGroupSchedules(store: Store, groupId: string): Schedule[] {
  return store
    .all<ScheduleRow>(
      `SELECT schedules.* FROM schedules JOIN scripts ON scripts.id = schedules.script_id
       WHERE scripts.group_id = ?`,
      groupId,
    )
    .map(toSchedule)
}

/** Counts the triggers of the account's other workers, because the plan limits the number of triggers per account. */
export function countOtherSchedules(store: Store, accountId: string, scriptId: string): number {
  const row = store.get<{ n: number }>(
    `SELECT count(*) AS n FROM schedules JOIN scripts ON scripts.id = schedules.script_id
     WHERE scripts.account_id = ? AND scripts.id <> ?`,
    accountId,
    scriptId,
  )
  return row?.n ?? 0
}

/**
 * Replaces the cron triggers of a worker. A trigger that stays keeps its creation time: with a new creation time, a tick that is
 * due but not fired yet would be skipped.
 */
export function replaceSchedules(store: Store, scriptId: string, crons: string[], at: number): void {
  store.transact(() => {
    const before = listSchedules(store, scriptId)
    store.run('DELETE FROM schedules WHERE script_id = ?', scriptId)
    for (const cron of new Set(crons)) {
      const createdAt = before.find((one) => one.cron === cron)?.createdAt ?? at
      store.run('INSERT INTO schedules VALUES (?, ?, ?, ?)', scriptId, cron, createdAt, at)
    }
  })
}

const parsedPatterns = new Map<string, Cron>()
const CACHED_PATTERNS_MAX = 1000

/** Parses five fields in UTC like the provider: 1 is Sunday, L counts from the end, W finds a weekday, and # the nth weekday. */
function parsedPattern(cron: string): Cron {
  let pattern = parsedPatterns.get(cron)
  if (pattern === undefined) {
    const fields = toCronerPattern(cron)
    pattern = new Cron(fields, { timezone: 'UTC', mode: '5-part', alternativeWeekdays: true, paused: true })
    if (parsedPatterns.size >= CACHED_PATTERNS_MAX) parsedPatterns.clear()
    parsedPatterns.set(cron, pattern)
  }
  return pattern
}

/** Returns an error message for an invalid expression; null for a valid one. */
export function cronProblem(cron: string): string | null {
  try {
    return parsedPattern(cron).nextRun() === null ? 'it never comes true' : null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/**
 * Returns the first tick after a time (both in epoch milliseconds); null when there is none. A stored expression that is invalid,
 * because an earlier release accepted it, has no tick.
 */
export function nextTick(cron: string, after: number): number | null {
  try {
    return parsedPattern(cron).nextRun(new Date(after))?.getTime() ?? null
  } catch {
    return null
  }
}
