import type { RunnerDeps } from '../kernel/runs.ts'

export interface ScheduleSettings {
  /** For schedules that name none. */
  timezone: string
  isPaused: boolean
  /** For schedules that set no `retries`. */
  maxAttempts: number
  runInPreview: boolean
}

/** Reads the live worker's variables. A worker that was deployed by hand gets the defaults. */
export function scheduleSettingsOf(env: unknown): ScheduleSettings {
  const { SCHEDULE_TIMEZONE, SCHEDULE_PAUSED, SCHEDULE_ATTEMPTS, SCHEDULE_IN_PREVIEW } = env as Record<
    string,
    unknown
  >
  return {
    timezone: typeof SCHEDULE_TIMEZONE === 'string' ? SCHEDULE_TIMEZONE : 'UTC',
    isPaused: SCHEDULE_PAUSED === 'on',
    maxAttempts: Number(SCHEDULE_ATTEMPTS ?? 5),
    runInPreview: SCHEDULE_IN_PREVIEW === 'on',
  }
}

/** False while paused, and in the preview unless the setting allows it. */
export function runsByItself({ env, tier }: Pick<RunnerDeps, 'env' | 'tier'>): boolean {
  const { isPaused, runInPreview } = scheduleSettingsOf(env)
  return !isPaused && (tier === 'production' || runInPreview)
}
