import { WaitRefusedError } from '../workerd/groups.ts'

interface SlotWaiter {
  let(): void
  timer: NodeJS.Timeout
}

/** Counts the running requests of a group and makes new ones wait while its process restarts. */
export class InFlightRequests {
  readonly #limits: { waiting: number; holdMs: number }
  readonly #waiters = new Set<SlotWaiter>()
  #drained: (() => void)[] = []
  #isPaused = false
  #count = 0

  constructor(limits: { waiting: number; holdMs: number }) {
    this.#limits = limits
  }

  get count(): number {
    return this.#count
  }

  /**
   * Counts a request; while paused, waits for `resume` first. Throws `WaitRefusedError` when too many requests wait or the request has
   * waited too long. Every `enter` needs exactly one `leave`.
   */
  async enter(): Promise<void> {
    if (this.#isPaused) await this.#waitForSlot()
    else this.#count++
  }

  leave(): void {
    this.#count--
    if (this.#count > 0) return
    for (const tell of this.#drained.splice(0)) tell()
  }

  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
    for (const waiter of this.#waiters) {
      clearTimeout(waiter.timer)
      // Count the request here and not after the `await` in `enter`, so that a `drain` called right after
      // `resume` waits for it.
      this.#count++
      waiter.let()
    }
    this.#waiters.clear()
  }

  /** Resolves when no request is running, or after `limitMs`. */
  async drain(limitMs: number): Promise<void> {
    if (this.#count === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, limitMs)
      this.#drained.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  #waitForSlot(): Promise<void> {
    if (this.#waiters.size >= this.#limits.waiting)
      throw new WaitRefusedError('too many requests are waiting')
    return new Promise<void>((resolve, reject) => {
      const waiter: SlotWaiter = {
        let: resolve,
        timer: setTimeout(() => {
          this.#waiters.delete(waiter)
          reject(new WaitRefusedError('the app is being exchanged and did not come back in time'))
        }, this.#limits.holdMs),
      }
      this.#waiters.add(waiter)
    })
  }
}
