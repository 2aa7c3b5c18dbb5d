interface Kept<T> {
  /** Milliseconds since 1970. */
  until: number
  value: Promise<T>
}

/**
 * Answers that may be a little old: whoever asks for the same thing meanwhile gets the same answer, also while it is
 * being fetched. Failures are kept too, but shorter, so that a provider in trouble is not asked by every page.
 */
export class RecentReads<T> {
  readonly #kept = new Map<string, Kept<T>>()
  readonly #limits: { keptMs: number; failedMs: number; max: number }

  constructor(limits: { keptMs: number; failedMs: number; max: number }) {
    this.#limits = limits
  }

  /** `now` in milliseconds; `isFitting` turns away a kept answer that does not hold what is asked for. */
  async read(
    key: string,
    now: number,
    load: () => Promise<T>,
    isFitting: (value: T) => boolean = () => true,
  ): Promise<T> {
    const known = this.#kept.get(key)
    if (known !== undefined && known.until > now) {
      const value = await known.value
      if (isFitting(value)) return value
      // Asked for anew by somebody else while this one looked.
      const newer = this.#kept.get(key)
      if (newer !== undefined && newer !== known) return await newer.value
    }
    return await this.#load(key, now, load)
  }

  #load(key: string, now: number, load: () => Promise<T>): Promise<T> {
    const { keptMs, failedMs, max } = this.#limits
    const kept: Kept<T> = { until: now + keptMs, value: load() }
    kept.value.catch(() => {
      kept.until = now + failedMs
    })
    // Put in anew, so that the oldest is the first in the map.
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    const oldest = this.#kept.keys().next().value
    if (this.#kept.size > max && oldest !== undefined) this.#kept.delete(oldest)
    return kept.value
  }
}
