import { meQuery } from '../api/account/session.ts'
import type { AttentionBuild } from '../api/project/attention.ts'
import { queryClient } from '../api/request/query-client.ts'

const KEY_PREFIX = 'slipway.seen-builds.'
/**
 * The maximum number of stored ids. Builds whose ids were dropped count as unseen again. So the maximum must exceed the 1,200 builds that
 * the service returns at once.
 */
const IDS_MAX = 2400

/** The storage for the ids of seen builds. All tabs share it. */
type SeenStorage = Pick<globalThis.Storage, 'getItem' | 'setItem'>

/**
 * Stores which ended builds this user has seen in this organization. Each organization has its own list, so that the first visit to an
 * organization is recognized, and no organization uses up the space of another. Opening a project marks its ended builds as seen. Without a
 * user nothing is stored.
 */
export class UnseenBuilds {
  readonly #storage: SeenStorage | undefined
  readonly #key: string | null

  /** Without `storage`, each call reads `localStorage`, which throws when the browser blocks storage. */
  constructor(storage?: SeenStorage) {
    this.#storage = storage
    const me = queryClient.getQueryData(meQuery().queryKey)
    this.#key = me?.user ? `${KEY_PREFIX}${me.user.id}.${me.organization.id}` : null
  }

  /**
   * Returns the `items` that were not seen yet. Pass all builds: the first call stores the passed builds as seen. Builds that are not
   * passed would count as unseen later.
   */
  unseen(items: AttentionBuild[]): AttentionBuild[] {
    const seen = this.#readSeen()
    if (seen === null) {
      this.#storeSeen(items.map(({ runId }) => runId))
      return []
    }
    return items.filter(({ runId }) => !seen.has(runId))
  }

  markSeen(items: AttentionBuild[]): void {
    const seen = this.#readSeen() ?? new Set()
    const fresh = items.map(({ runId }) => runId).filter((id) => !seen.has(id))
    if (fresh.length > 0) this.#storeSeen([...fresh, ...seen])
  }

  #readSeen(): Set<string> | null {
    if (this.#key === null) return null
    try {
      const stored = (this.#storage ?? localStorage).getItem(this.#key)
      return stored === null ? null : new Set(stored.split(' '))
    } catch {
      return null
    }
  }

  #storeSeen(ids: string[]): void {
    if (this.#key === null) return
    try {
      ;(this.#storage ?? localStorage).setItem(this.#key, ids.slice(0, IDS_MAX).join(' '))
    } catch {
      // Storage is blocked, so it is unknown which builds were seen. Announce none.
    }
  }
}
