import { WaitRefusedError } from '../../workerd/groups.ts'

const SLOT_LIMITS = { waiting: 1000, waitMs: 3000 }

/** Limits the open requests of a process. Further requests wait in order of arrival, for a short time. */
export class RequestSlots {
  #free: number
  readonly #limits: { waiting: number; waitMs: number }
  /** The waiting requests in order: the function that admits each, and the timer that refuses it. */
  readonly #waiting = new Map<() => void, NodeJS.Timeout>()

  constructor(count: number, limits = SLOT_LIMITS) {
    this.#free = count
    this.#limits = limits
  }

  /** Throws `WaitRefusedError` when no slot becomes free in time, or when too many requests wait. Each `take` needs one `release`. */
  async take(): Promise<void> {
    if (this.#free > 0) {
      this.#free--
      return
    }
    const refusal = new WaitRefusedError('too many requests are open')
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
