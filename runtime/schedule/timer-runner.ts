import type { ResultOf, HandlersOf } from '../kernel/objects/calls.ts'
import { ApiError, failureAnswer } from '../kernel/errors.ts'
import { logError } from '../kernel/objects/log.ts'
import { NOT_ENDED } from '../kernel/objects/pauses.ts'
import { callHandlers, handlersOf, RECHECK_MS, type RunnerDeps } from '../kernel/objects/runs.ts'
import { areSchedulesActive, scheduleSettingsOf } from './settings.ts'
import { type TimerDump, Timers, type TimerAttempt } from './timers.ts'
import type { TimerCalls } from './types.ts'

/** Runs the timers of one person. Timers are stored in the person's Durable Object and therefore deleted with it. */
export class TimerRunner {
  readonly #parts: RunnerDeps
  readonly #userId: string
  readonly #timers: Timers

  constructor(parts: RunnerDeps, userId: string) {
    this.#parts = parts
    this.#userId = userId
    this.#timers = new Timers(parts.ctx.storage)
  }

  /** Returns an `ApiError` as a value, because an error that is thrown across RPC loses its code. */
  answer<Kind extends keyof TimerCalls>(
    kind: Kind,
    ask: TimerCalls[Kind]['ask'],
  ): ResultOf<TimerCalls, Kind> {
    try {
      if (kind !== 'list') this.#parts.hold.require()
      const value = this.#handlers[kind](ask)
      this.#setAlarm()
      return { ok: true, value }
    } catch (error) {
      return failureAnswer(error)
    }
  }

  readonly #handlers: HandlersOf<TimerCalls> = {
    set: (timer) => ({ id: this.#timers.set(timer, Date.now()) }),
    list: () => this.#timers.list(),
    cancel: ({ id }) => {
      if (!this.#timers.cancel(id)) throw new ApiError('not_found', 'There is no such timer.')
      return { id }
    },
  }

  count(): number {
    return this.#timers.count()
  }

  dump(): TimerDump {
    return this.#timers.dump()
  }

  restore(rows: TimerDump): void {
    this.#timers.restore(rows)
    this.#setAlarm()
  }

  wake(): void {
    const { hold, alarms, ctx } = this.#parts
    if (hold.isHeld || !areSchedulesActive(this.#parts) || handlersOf(this.#parts, 'schedule') === null) {
      if (this.#timers.nextAt() !== null) alarms.set('timers', Date.now() + RECHECK_MS)
      return
    }
    const { starts, lost } = this.#timers.due(this.#attemptsMax, Date.now())
    for (const timer of lost) this.#logGivenUp(timer, NOT_ENDED)
    this.#setAlarm()
    for (const start of starts) ctx.waitUntil(this.#runTimer(start))
  }

  get #attemptsMax(): number {
    return scheduleSettingsOf(this.#parts.env).maxAttempts
  }

  async #runTimer(start: TimerAttempt): Promise<void> {
    const { name, data, id, attempt, atMs } = start
    const info = { id, attempt, scheduledAt: new Date(atMs).toISOString(), userId: this.#userId }
    const outcome = await callHandlers(this.#parts, 'schedule', (handlers) =>
      handlers.timer(name, data, info),
    )
    const isGivenUp = this.#timers.settle(start, outcome.ok, this.#attemptsMax, Date.now())
    if (isGivenUp && !outcome.ok) this.#logGivenUp(start, outcome.error)
    this.#setAlarm()
  }

  #logGivenUp({ name, attempt }: Pick<TimerAttempt, 'name' | 'attempt'>, error: string): void {
    logError(new Error(`A timer was given up after ${attempt} attempts: ${error}`), {
      route: `job ${name}`,
      tier: this.#parts.tier,
    })
  }

  #setAlarm(): void {
    const at = this.#timers.nextAt()
    if (at !== null) this.#parts.alarms.set('timers', at)
  }
}
