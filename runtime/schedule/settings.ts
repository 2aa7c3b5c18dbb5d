import type { RunnerDeps } from '../kernel/runs.ts'

/** How schedules and timers run. */
export interface ScheduleSettings {
  /** Of schedules that name none. */
  timezone: string
  isPaused: boolean
  /** Of a run, where the schedule does not say. */
  maxAttempts: number
  runInPreview: boolean
}

/** Reads the settings from the live worker's variables; the defaults in a worker that was deployed by hand. */
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

/** Whether schedules and timers of a tier run without being asked. */
export function runsByItself({ env, tier }: Pick<RunnerDeps, 'env' | 'tier'>): boolean {
  const { isPaused, runInPreview } = scheduleSettingsOf(env)
  return !isPaused && (tier === 'production' || runInPreview)
}
