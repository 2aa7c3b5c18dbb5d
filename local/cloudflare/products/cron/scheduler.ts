import type { Log } from '../../../world/log.ts'
import type { Store } from '../../../world/store.ts'
import { findScriptById } from '../../store/scripts.ts'
import type { Script } from '../../types.ts'
import { listAllSchedules, listGroupSchedules, nextTick, type Schedule } from './schedules.ts'

interface SchedulerDeps {
  store: Store
  now(): number
  /** Runs a worker's `scheduled()` and returns its outcome. */
  fire(script: Script, tick: { cron: string; scheduledTime: number }): Promise<string>
  log: Log
}

// A tick that is at most this late still fires. Later than that, a tick is skipped, as at the provider.
const LATE_TICK_MS_MAX = 60_000
const TICKS_AT_ONCE = 100
const TIMER_MAX_MS = 2 ** 31 - 1

/** Fires the cron triggers of all workers when they are due. Skips ticks that were due while the local cloud was not running. */
export class CronScheduler {
  readonly #deps: SchedulerDeps
  #timer: NodeJS.Timeout | null = null
  /** All ticks up to this time have been fired or skipped. */
  #doneUntil = 0
  #isClosed = false

  constructor(deps: SchedulerDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#doneUntil = this.#deps.now()
    this.check()
  }

  close(): void {
    this.#isClosed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  /** Fires due triggers and schedules the next check. Call it when triggers have changed. */
  check(): void {
    this.#catchUp(Math.max(this.#doneUntil, this.#deps.now() - LATE_TICK_MS_MAX))
  }

  /**
   * Fires every tick that was due since the last check, however late it is. Call this method after a test has
   * advanced the clock.
   */
  fireDueTicks(): void {
    this.#catchUp(this.#doneUntil)
  }

  /**
   * The time of the next tick of the workers in one process (a group), in epoch milliseconds; null when there
   * is none.
   */
  nextAt(groupId: string): number | null {
    return this.#earliestTick(listGroupSchedules(this.#deps.store, groupId))
  }

  #catchUp(since: number): void {
    if (this.#isClosed) return
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const { store, now } = this.#deps
    const until = now()
    const schedules = listAllSchedules(store)
    for (const schedule of schedules) this.#fireTicksBetween(schedule, since, until)
    this.#doneUntil = until
    const next = this.#earliestTick(schedules)
    if (next === null) return
    const delayMs = Math.min(Math.max(next - until, 0), TIMER_MAX_MS)
    this.#timer = setTimeout(() => this.check(), delayMs).unref()
  }

  #fireTicksBetween({ scriptId, cron, createdAt }: Schedule, since: number, until: number): void {
    // A trigger has no ticks before its creation.
    let at = nextTick(cron, Math.max(since, createdAt))
    for (let fired = 0; at !== null && at <= until && fired < TICKS_AT_ONCE; fired++) {
      void this.#fireCron(scriptId, { cron, scheduledTime: at })
      at = nextTick(cron, at)
    }
  }

  async #fireCron(scriptId: string, tick: { cron: string; scheduledTime: number }): Promise<void> {
    const { store, fire, log } = this.#deps
    const script = findScriptById(store, scriptId)
    if (script === null) return
    const outcome = await fire(script, tick).catch((error: unknown) => String(error))
    if (outcome !== 'ok') log.warn('a cron trigger failed', { worker: script.name, cron: tick.cron, outcome })
  }

  #earliestTick(schedules: Schedule[]): number | null {
    const times = schedules
      .map(({ cron, createdAt }) => nextTick(cron, Math.max(this.#doneUntil, createdAt)))
      .filter((time) => time !== null)
    return times.length === 0 ? null : Math.min(...times)
  }
}
