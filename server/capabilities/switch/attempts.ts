/** Work of an attempt. It adds the capabilities that it omits to the passed set. */
type AttemptWork = (omitted: Set<string>) => Promise<void>

/** A running or successful attempt to create a resource. Failed attempts are removed. */
interface Attempt {
  done: Promise<void>
  /**
   * Capabilities that this attempt omitted, or whose current settings it did not use. Another attempt is started for
   * these capabilities.
   */
  omitted: Set<string>
}

/** The attempts to create resources, each identified by the id of its resource. Several capabilities can share an attempt. */
export class Attempts {
  readonly #latest = new Map<string, Attempt>()
  /** Every attempt that was started, including failed ones, which are no longer in `#latest`. */
  readonly #all = new Set<Promise<void>>()

  has(id: string): boolean {
    return this.#latest.has(id)
  }

  /**
   * Starts an attempt as soon as the previous attempt for the same resource has ended. `work` adds the capabilities
   * that it omits to the passed set.
   */
  start(id: string, work: AttemptWork): Promise<void> {
    const before = this.#latest.get(id)?.done ?? Promise.resolve()
    const omitted = new Set<string>()
    const attempt = { done: before.catch(() => {}).then(() => work(omitted)), omitted }
    this.#latest.set(id, attempt)
    this.#all.add(attempt.done)
    // Removes a failed attempt, so that the next call starts another one. This handler also prevents an unhandled
    // rejection when no caller awaits the attempt. Callers that await the attempt still get the error.
    attempt.done.catch(() => {
      if (this.#latest.get(id) === attempt) this.#latest.delete(id)
    })
    return attempt.done
  }

  /**
   * Waits for the latest attempt to create this resource. Starts an attempt when there is none, or when the latest
   * attempt omitted this capability.
   */
  async share(id: string, capability: string, work: AttemptWork): Promise<void> {
    const known = this.#latest.get(id)
    await (known === undefined || known.omitted.has(capability) ? this.start(id, work) : known.done)
  }

  /** Records that the latest attempt for this resource, if there is one, does not include these capabilities. */
  markOmitted(id: string, capabilities: Iterable<string>): void {
    for (const capability of capabilities) this.#latest.get(id)?.omitted.add(capability)
  }

  /** Makes `ended` also wait for `work`. A failure of the work is ignored. */
  include(work: Promise<void>): void {
    this.#all.add(work.catch(() => {}))
  }

  /** Waits until every attempt has ended, including attempts that start during the wait. */
  async ended(): Promise<void> {
    for (let count = -1; count < this.#all.size;) {
      count = this.#all.size
      await Promise.allSettled(this.#all)
    }
  }
}
