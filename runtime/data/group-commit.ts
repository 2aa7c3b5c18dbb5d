/**
 * Collects calls that arrive at the same moment and runs them in the next turn of the event loop, so that
 * their writes share one commit. A call settles only after that turn.
 */
export class GroupCommit {
  #waitingRuns: (() => void)[] = []

  take<T>(work: () => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    this.#waitingRuns.push(() => {
      // Catch each error separately, so that one failing call does not fail the others.
      try {
        resolve(work())
      } catch (error) {
        reject(error)
      }
    })
    if (this.#waitingRuns.length === 1) setTimeout(() => this.#runWaiting(), 0)
    return promise
  }

  #runWaiting(): void {
    const waiting = this.#waitingRuns
    this.#waitingRuns = []
    for (const run of waiting) run()
  }
}
