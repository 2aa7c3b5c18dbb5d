import type { RunnerDeps } from '../kernel/objects/runs.ts'
import { fieldsOf } from '../kernel/fields.ts'

export interface ScheduleSettings {
  /** The time zone of schedules that declare none. */
  timezone: string
  isPaused: boolean
  /** The number of attempts for schedules that declare no `retries`. */
  maxAttempts: number
  runInPreview: boolean
}

/**
 * Reads the variables that the service sets when it deploys the app. Without them, as after a deployment with
 * plain wrangler, the defaults apply.
 */
export function scheduleSettingsOf(env: unknown): ScheduleSettings {
  const { SCHEDULE_TIMEZONE, SCHEDULE_PAUSED, SCHEDULE_ATTEMPTS, SCHEDULE_IN_PREVIEW } = fieldsOf(env)
  return {
    timezone: typeof SCHEDULE_TIMEZONE === 'string' ? SCHEDULE_TIMEZONE : 'UTC',
    isPaused: SCHEDULE_PAUSED === 'on',
    maxAttempts: Number(SCHEDULE_ATTEMPTS ?? 5),
    runInPreview: SCHEDULE_IN_PREVIEW === 'on',
  }
}

/** Returns whether schedules run: not while paused, and in the preview only if the setting allows it. */
export function areSchedulesActive({ env, tier }: Pick<RunnerDeps, 'env' | 'tier'>): boolean {
  const { isPaused, runInPreview } = scheduleSettingsOf(env)
  return !isPaused && (tier === 'production' || runInPreview)
}
