import type { AttentionItem } from '../api/project/attention.ts'

const STORAGE_KEY = 'slipway.seen-builds'
/**
 * The maximum number of stored ids. It must exceed the number of builds that the service returns at once, which is 1,200, because
 * builds whose ids were dropped would count as unseen again.
 */
const IDS_MAX = 2400

/** The storage for the ids of seen builds. All tabs share it. */
type SeenStorage = Pick<globalThis.Storage, 'getItem' | 'setItem'>

/** Stores which ended builds a user has seen. Opening a project marks its ended builds as seen. */
export class UnseenBuilds {
  readonly #storage: SeenStorage | undefined

  /** Without `storage`, each call reads `localStorage`, which throws when the browser blocks storage. */
  constructor(storage?: SeenStorage) {
    this.#storage = storage
  }

  /**
   * Returns those of `items` that were not seen yet. Pass all builds: the first call stores the passed builds as seen, so builds that are
   * not passed would count as unseen later.
   */
  unseen(items: AttentionItem[]): AttentionItem[] {
    const seen = this.#readSeen()
    if (seen === null) {
      this.#storeSeen(items.map(({ runId }) => runId))
      return []
    }
    return items.filter(({ runId }) => !seen.has(runId))
  }

  markSeen(items: AttentionItem[]): void {
    const seen = this.#readSeen() ?? new Set()
    const fresh = items.map(({ runId }) => runId).filter((id) => !seen.has(id))
    if (fresh.length > 0) this.#storeSeen([...fresh, ...seen])
  }

  #readSeen(): Set<string> | null {
    try {
      const stored = (this.#storage ?? localStorage).getItem(STORAGE_KEY)
      return stored === null ? null : new Set(stored.split(' '))
    } catch {
      return null
    }
  }

  #storeSeen(ids: string[]): void {
    try {
      ;(this.#storage ?? localStorage).setItem(STORAGE_KEY, ids.slice(0, IDS_MAX).join(' '))
    } catch {
      // Storage is blocked, so it is unknown which builds were seen, and none is announced.
    }
  }
}
