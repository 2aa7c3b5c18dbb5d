/** Limits of the data capability. A worker that was deployed with plain wrangler has the defaults. */
export interface DataLimits {
  /** How many days the log of changes is kept for pages that were offline. */
  logDays: number
  recordKb: number
}

export const DEFAULT_LIMITS: DataLimits = { logDays: 7, recordKb: 128 }

export function limitsOf(env: unknown): DataLimits {
  const { DATA_LOG_DAYS: logDays, DATA_MAX_RECORD_KB: recordKb } = env as Record<string, unknown>
  return {
    logDays: numberUpTo(logDays, 30) ?? DEFAULT_LIMITS.logDays,
    recordKb: numberUpTo(recordKb, 128) ?? DEFAULT_LIMITS.recordKb,
  }
}

function numberUpTo(value: unknown, max: number): number | null {
  const number = typeof value === 'string' ? Number(value) : Number.NaN
  return Number.isInteger(number) && number >= 1 && number <= max ? number : null
}
