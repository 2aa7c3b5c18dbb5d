import { DAY_MS, HOUR_MS } from './durations.ts'

export type WindowKind = 'hour' | 'day' | 'week' | 'month' | 'lifetime'

/** A calendar window in UTC, in milliseconds since 1970. Its `end` is null for the kind `lifetime`. */
export interface CalendarWindow {
  start: number
  end: number | null
}

const WEEK_MS = 7 * DAY_MS
/** The first Monday after 1970-01-01, which was a Thursday. */
const MONDAY_MS = 4 * DAY_MS

/** Returns the window that contains a time. The end of a window is excluded. */
export function calendarWindowAt(kind: WindowKind, nowMs: number): CalendarWindow {
  switch (kind) {
    case 'hour':
      return windowOfLength(nowMs, HOUR_MS, 0)
    case 'day':
      return windowOfLength(nowMs, DAY_MS, 0)
    case 'week':
      return windowOfLength(nowMs, WEEK_MS, MONDAY_MS)
    case 'month': {
      const now = new Date(nowMs)
      const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
      return { start: Date.UTC(year, month), end: Date.UTC(year, month + 1) }
    }
    case 'lifetime':
      return { start: 0, end: null }
  }
}

/** Returns the start of the previous window. Counts of older windows are deleted. */
export const previousWindowStartMs = (kind: WindowKind, { start }: CalendarWindow): number =>
  start === 0 ? 0 : calendarWindowAt(kind, start - 1).start

function windowOfLength(nowMs: number, lengthMs: number, originMs: number): CalendarWindow {
  const start = Math.floor((nowMs - originMs) / lengthMs) * lengthMs + originMs
  return { start, end: start + lengthMs }
}
