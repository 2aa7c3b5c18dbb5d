const PAGES_MAX = 200
const CACHED_PAGE_CHARS_MAX = 2_000_000

/**
 * A cache of list pages. Only this Durable Object writes its records, so a page stays valid until the next operation is logged. A cached
 * page costs no query and no billed row reads.
 */
export class PageCache {
  readonly #pages = new Map<string, string>()
  #headSeq = 0
  #chars = 0

  /** Returns the cached page; null when no page was cached since the last write. `head` is the number of the last operation in the log. */
  find(question: string, head: number): string | null {
    if (head !== this.#headSeq) this.forget()
    this.#headSeq = head
    return this.#pages.get(question) ?? null
  }

  /** Caches a page that was read at the `head` of the last `find` call. */
  keep(question: string, page: string): void {
    const chars = question.length + page.length
    if (chars > CACHED_PAGE_CHARS_MAX) return
    if (this.#pages.size >= PAGES_MAX || this.#chars + chars > CACHED_PAGE_CHARS_MAX) this.forget()
    this.#pages.set(question, page)
    this.#chars += chars
  }

  forget(): void {
    this.#pages.clear()
    this.#chars = 0
  }
}
