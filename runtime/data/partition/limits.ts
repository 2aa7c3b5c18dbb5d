import { wholeNumberVariable } from '../../kernel/variable.ts'

/** Limits of the data capability. A worker that was deployed with plain wrangler has the defaults. */
export interface DataLimits {
  /** How many days the log of changes is kept for pages that were offline. */
  logDays: number
  recordKb: number
}

export const DEFAULT_LIMITS: DataLimits = { logDays: 7, recordKb: 128 }

export function limitsOf(env: unknown): DataLimits {
  return {
    logDays: wholeNumberVariable(env, 'DATA_LOG_DAYS', { absent: DEFAULT_LIMITS.logDays, most: 30 }),
    recordKb: wholeNumberVariable(env, 'DATA_MAX_RECORD_KB', { absent: DEFAULT_LIMITS.recordKb, most: 128 }),
  }
}
