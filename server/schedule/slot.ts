import type { Period } from './task.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Length and start offset of each period, in milliseconds; the night begins at 03:00 UTC. */
const PERIODS: Record<Period, { lengthMs: number; offsetMs: number }> = {
  minute: { lengthMs: MINUTE_MS, offsetMs: 0 },
  '10 minutes': { lengthMs: 10 * MINUTE_MS, offsetMs: 0 },
  hour: { lengthMs: HOUR_MS, offsetMs: 0 },
  night: { lengthMs: 24 * HOUR_MS, offsetMs: 3 * HOUR_MS },
}

/** Returns when a task of this period was last due. */
export function slotOf(every: Period, now: Date): Date {
  const { lengthMs, offsetMs } = PERIODS[every]
  return new Date(Math.floor((now.getTime() - offsetMs) / lengthMs) * lengthMs + offsetMs)
}
