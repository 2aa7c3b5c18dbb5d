export type WindowKind = 'hour' | 'day' | 'week' | 'month' | 'lifetime'

/** A calendar window in UTC, in milliseconds since 1970; the end of a lifetime is null. */
export interface Window {
  start: number
  end: number | null
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const WEEK_MS = 7 * DAY_MS
/** 1970 began on a Thursday, weeks begin on Monday. */
const MONDAY_MS = 4 * DAY_MS

/** Returns the window that a time belongs to; its end belongs to the next one. */
export function windowAt(kind: WindowKind, nowMs: number): Window {
  switch (kind) {
    case 'hour':
      return spanAt(nowMs, HOUR_MS, 0)
    case 'day':
      return spanAt(nowMs, DAY_MS, 0)
    case 'week':
      return spanAt(nowMs, WEEK_MS, MONDAY_MS)
    case 'month': {
      const now = new Date(nowMs)
      const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
      return { start: Date.UTC(year, month), end: Date.UTC(year, month + 1) }
    }
    case 'lifetime':
      return { start: 0, end: null }
  }
}

/** The start of the window before: older ones are not kept. */
export const keptFrom = (kind: WindowKind, { start }: Window): number =>
  start === 0 ? 0 : windowAt(kind, start - 1).start

function spanAt(nowMs: number, lengthMs: number, originMs: number): Window {
  const start = Math.floor((nowMs - originMs) / lengthMs) * lengthMs + originMs
  return { start, end: start + lengthMs }
}
