export class HoldRefused extends Error {}

interface Waiter {
  let(): void
  timer: NodeJS.Timeout
}

/** Where requests of one group wait while it is exchanged. */
export class Gate {
  readonly #limits: { waiting: number; holdMs: number }
  readonly #waiting = new Set<Waiter>()
  #drained: (() => void)[] = []
  #isOpen = true
  #inside = 0

  constructor(limits: { waiting: number; holdMs: number }) {
    this.#limits = limits
  }

  get inside(): number {
    return this.#inside
  }

  /** Counts a request in, at once or when the gate opens. Every enter needs exactly one leave. */
  async enter(): Promise<void> {
    if (this.#isOpen) this.#inside++
    else await this.#wait()
  }

  leave(): void {
    this.#inside--
    if (this.#inside > 0) return
    for (const tell of this.#drained.splice(0)) tell()
  }

  close(): void {
    this.#isOpen = false
  }

  open(): void {
    this.#isOpen = true
    for (const waiter of this.#waiting) {
      clearTimeout(waiter.timer)
      // Counted here, not by the waiter: a gate closed again at once must see it inside.
      this.#inside++
      waiter.let()
    }
    this.#waiting.clear()
  }

  /** Resolves when nobody is inside, or after the limit. */
  async drain(limitMs: number): Promise<void> {
    if (this.#inside === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, limitMs)
      this.#drained.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  #wait(): Promise<void> {
    if (this.#waiting.size >= this.#limits.waiting) throw new HoldRefused('too many requests are waiting')
    return new Promise<void>((resolve, reject) => {
      const waiter: Waiter = {
        let: resolve,
        timer: setTimeout(() => {
          this.#waiting.delete(waiter)
          reject(new HoldRefused('the app is being exchanged and did not come back in time'))
        }, this.#limits.holdMs),
      }
      this.#waiting.add(waiter)
    })
  }
}
