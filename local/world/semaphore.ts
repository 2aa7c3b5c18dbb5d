/** Runs at most `slots` tasks at once, in the order in which they were added. */
export class Semaphore {
  readonly #queue: (() => void)[] = []
  #free: number

  constructor(slots: number) {
    this.#free = slots
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#queue.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#queue.shift()
      if (next === undefined) this.#free++
      else next()
    }
  }
}
