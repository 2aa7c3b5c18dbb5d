import type { AttentionItem } from '../api/project/attention.ts'

const KEY = 'slipway.seen-builds'
/** More builds than one response of the service has. */
const KEPT = 400

/** Where the ids of seen builds are stored; tabs share it. */
type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>

/** Which builds a user has not seen yet. A build is seen once its project is on screen after it ended. */
export class UnseenBuilds {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  /** The builds that were not seen yet. On the first visit there are none. */
  unseen(items: AttentionItem[]): AttentionItem[] {
    const seen = this.#read()
    if (seen === null) {
      this.#write(items.map(({ runId }) => runId))
      return []
    }
    return items.filter(({ runId }) => !seen.includes(runId))
  }

  markSeen(items: AttentionItem[]): void {
    const seen = this.#read() ?? []
    const fresh = items.map(({ runId }) => runId).filter((id) => !seen.includes(id))
    if (fresh.length > 0) this.#write([...fresh, ...seen])
  }

  #read(): string[] | null {
    try {
      return this.#storage.getItem(KEY)?.split(' ') ?? null
    } catch {
      return null
    }
  }

  #write(ids: string[]): void {
    try {
      this.#storage.setItem(KEY, ids.slice(0, KEPT).join(' '))
    } catch {
      // Storage is blocked: no build is new, because it is unknown which were seen.
    }
  }
}
