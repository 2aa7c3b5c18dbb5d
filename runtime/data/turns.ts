/**
 * Does what callers want at the same time in one turn of the object. What a turn writes is committed at its end, all
 * at once, and nobody is answered before: the calls of a busy moment share one commit, and a lone one waits for no other.
 */
export class Turns {
  #waiting: (() => void)[] = []

  take<T>(work: () => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    this.#waiting.push(() => {
      // Each for itself: the others of the turn must not hear of what one of them does wrong.
      try {
        resolve(work())
      } catch (error) {
        reject(error)
      }
    })
    if (this.#waiting.length === 1) setTimeout(() => this.#go(), 0)
    return promise
  }

  #go(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const run of waiting) run()
  }
}
