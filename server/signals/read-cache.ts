import { LRUCache } from 'lru-cache'

interface Kept<T> {
  /** Milliseconds since the epoch. */
  until: number
  value: Promise<T>
}

/**
 * A cache for reads whose results may be a little old; simultaneous callers share one read. Failures are
 * cached too, but shorter, so that a failing provider is not asked by every page.
 */
export class ReadCache<T> {
  readonly #kept: LRUCache<string, Kept<T>>
  readonly #limits: { keptMs: number; failedMs: number }

  constructor({ max, ...limits }: { keptMs: number; failedMs: number; max: number }) {
    this.#kept = new LRUCache({ max })
    this.#limits = limits
  }

  /** `now` is in milliseconds. A cached value for which `isFitting` returns false is read again. */
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
      // Another caller refreshed the entry meanwhile.
      const newer = this.#kept.get(key)
      if (newer !== undefined && newer !== known) return await newer.value
    }
    return await this.#load(key, now, load)
  }

  #load(key: string, now: number, load: () => Promise<T>): Promise<T> {
    const { keptMs, failedMs } = this.#limits
    const kept: Kept<T> = { until: now + keptMs, value: load() }
    kept.value.catch(() => {
      kept.until = now + failedMs
    })
    this.#kept.set(key, kept)
    return kept.value
  }
}
