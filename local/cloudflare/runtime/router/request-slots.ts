import { WaitRefused } from '../in-flight.ts'

const LIMITS = { waiting: 1000, waitMs: 3000 }

/** Limits the open requests of a process. A burst waits for places in order, but not for long. */
export class RequestSlots {
  #free: number
  readonly #limits: { waiting: number; waitMs: number }
  /** In order: how each waiting request is let in, and its time limit. */
  readonly #waiting = new Map<() => void, NodeJS.Timeout>()

  constructor(count: number, limits = LIMITS) {
    this.#free = count
    this.#limits = limits
  }

  /**
   * Takes a place. Throws `WaitRefused` when none becomes free in time, or too many requests wait. Each take needs one
   * `giveBack`.
   */
  async take(): Promise<void> {
    if (this.#free > 0) {
      this.#free--
      return
    }
    const refusal = new WaitRefused('too many requests are open')
    if (this.#waiting.size >= this.#limits.waiting) throw refusal
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(resolve)
        reject(refusal)
      }, this.#limits.waitMs)
      this.#waiting.set(resolve, timer)
    })
  }

  release(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#free++
      return
    }
    const [letIn, timer] = next
    this.#waiting.delete(letIn)
    clearTimeout(timer)
    letIn()
  }
}
