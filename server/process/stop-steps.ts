import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

/** Longer than the limits of any step: running jobs return to the queue within 8 s, and the database stops within 10 s. */
const STEP_MS_MAX = 12_000

/**
 * The steps that stop the service, run in the reverse order of their addition. A step that fails or takes too
 * long is logged and skipped, because later steps must run: they end the child processes, such as the
 * database.
 */
export class ShutdownSteps {
  readonly #steps: { what: string; stop: () => Promise<unknown> }[] = []
  readonly #log: Logger
  readonly #stepMsMax: number

  constructor(log: Logger, stepMsMax = STEP_MS_MAX) {
    this.#log = log
    this.#stepMsMax = stepMsMax
  }

  add(what: string, stop: () => Promise<unknown>): void {
    this.#steps.push({ what, stop })
  }

  /** Runs every step once; never rejects. */
  async run(): Promise<void> {
    for (const { what, stop } of this.#steps.splice(0).toReversed()) {
      const inTime = new AbortController()
      const late = sleep(this.#stepMsMax, 'late', { signal: inTime.signal }).catch(() => 'in time')
      try {
        if ((await Promise.race([stop(), late])) === 'late')
          this.#log.error(
            { what, ms: this.#stepMsMax },
            'stopping it takes too long; the rest is stopped without it',
          )
      } catch (error) {
        this.#log.error({ err: error, what }, 'stop')
      } finally {
        inTime.abort()
      }
    }
  }
}
