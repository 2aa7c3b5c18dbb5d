import { callHandlers, handlersOf, RECHECK_MS, type RunnerDeps } from '../kernel/objects/runs.ts'
import { Schedules, type ScheduleAttempt } from './schedules.ts'
import { areSchedulesActive, scheduleSettingsOf } from './settings.ts'
import type { ScheduledJob, ScheduleSpec } from './types.ts'
import type { PartContext } from '../kernel/objects/part.ts'

export const createSchedules = (parts: PartContext): ScheduleRunner => new ScheduleRunner(parts)

export class ScheduleRunner {
  readonly #parts: RunnerDeps
  readonly #schedules: Schedules

  constructor(parts: RunnerDeps) {
    this.#parts = parts
    this.#schedules = new Schedules(parts.ctx.storage)
  }

  /** Stores the schedules of the release that was just activated. Schedules that `suspend` stopped run again. */
  plan(specs: readonly ScheduleSpec[]): void {
    this.#schedules.suspend(false)
    this.#schedules.plan(specs, this.#scheduleSettings, Date.now())
    this.#setAlarm()
  }

  /** Stops all schedules until the next `plan`. */
  suspend(): void {
    this.#schedules.suspend(true)
  }

  list(): ScheduledJob[] {
    return this.#schedules.list(this.#scheduleSettings.isPaused)
  }

  wake(): void {
    const { hold, alarms } = this.#parts
    if (this.#schedules.isSuspended) return
    // Check again later: neither a changed setting nor the end of a move to another cloud account sets an alarm.
    if (hold.isHeld || !areSchedulesActive(this.#parts) || handlersOf(this.#parts, 'schedule') === null)
      return alarms.set('schedule', Date.now() + RECHECK_MS)
    const starts = this.#schedules.due(this.#scheduleSettings, Date.now())
    this.#setAlarm()
    // Not awaited, so that a long run does not delay other schedules. Each run is stored, so an interrupted run is retried.
    for (const start of starts) this.#parts.ctx.waitUntil(this.#runSchedule(start))
  }

  get #scheduleSettings() {
    return scheduleSettingsOf(this.#parts.env)
  }

  async #runSchedule(start: ScheduleAttempt): Promise<void> {
    const began = Date.now()
    const outcome = await callHandlers(this.#parts, 'schedule', (handlers) =>
      handlers.schedule(start.handler, {
        id: start.id,
        attempt: start.attempt,
        scheduledAt: new Date(start.scheduledAtMs).toISOString(),
        userId: null,
      }),
    )
    const error = outcome.ok ? null : outcome.error
    const now = Date.now()
    this.#schedules.settle(start, { error, ms: now - began }, this.#scheduleSettings, now)
    this.#setAlarm()
  }

  #setAlarm(): void {
    const at = this.#schedules.nextAt()
    if (at !== null) this.#parts.alarms.set('schedule', at)
  }
}
