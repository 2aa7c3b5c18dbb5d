/**
 * Runs the calls of one moment in a single event loop turn of the object. Their writes are committed together
 * at its end, and no call returns before: calls of a busy moment share one commit, and a single call waits
 * for no other.
 */
export class GroupCommit {
  #waiting: (() => void)[] = []

  take<T>(work: () => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    this.#waiting.push(() => {
      // Each on its own, so that one failing call does not fail the others.
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
