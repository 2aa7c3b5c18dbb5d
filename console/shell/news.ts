import type { AttentionItem } from '../api/project/attention.ts'

const KEY = 'slipway.seen-builds'
/** More than the service answers at a time. */
const KEPT = 400

/** Where the ids of seen builds are kept; tabs share it. */
type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>

/** Which builds a person has not looked at yet. A build is seen once its project is on screen after it ended. */
export class News {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  /** The builds not seen yet. At the very first look there is nothing new. */
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
      // Without storage nothing is new: there is no telling what was seen.
    }
  }
}
