/** Runs work with the same key one after the other, in the order of the calls, within this process. */
export class OneAtATime {
  readonly #last = new Map<string, Promise<unknown>>()

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve()
    const run = before.catch(() => {}).then(work)
    this.#last.set(key, run)
    try {
      return await run
    } finally {
      if (this.#last.get(key) === run) this.#last.delete(key)
    }
  }
}
