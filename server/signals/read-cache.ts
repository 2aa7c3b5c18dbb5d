import { LRUCache } from 'lru-cache'

interface CachedRead<T> {
  /** The time until which the value is used, in milliseconds since the epoch. */
  until: number
  value: Promise<T>
}

/**
 * A cache for reads whose results may be a little old. Simultaneous callers share one read. Failures are
 * cached more briefly, so that not every page calls a failing provider.
 */
export class ReadCache<T> {
  readonly #entries: LRUCache<string, CachedRead<T>>
  readonly #limits: { keptMs: number; failedMs: number }

  constructor({ max, ...limits }: { keptMs: number; failedMs: number; max: number }) {
    this.#entries = new LRUCache({ max })
    this.#limits = limits
  }

  /**
   * Returns the cached value, or reads it again when it is too old or `isFitting` returns false. `now` is in
   * milliseconds since the epoch.
   */
  async read(
    key: string,
    now: number,
    load: () => Promise<T>,
    isFitting: (value: T) => boolean = () => true,
  ): Promise<T> {
    const known = this.#entries.get(key)
    if (known !== undefined && known.until > now) {
      const value = await known.value
      if (isFitting(value)) return value
      // Another caller has read the entry again meanwhile, so use its result.
      const newer = this.#entries.get(key)
      if (newer !== undefined && newer !== known) return await newer.value
    }
    return await this.#startLoad(key, now, load)
  }

  #startLoad(key: string, now: number, load: () => Promise<T>): Promise<T> {
    const { keptMs, failedMs } = this.#limits
    const kept: CachedRead<T> = { until: now + keptMs, value: load() }
    kept.value.catch(() => {
      kept.until = now + failedMs
    })
    this.#entries.set(key, kept)
    return kept.value
  }
}
