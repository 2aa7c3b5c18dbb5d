import { networkOf } from './visits.ts'

/** So many wrong codes or passwords cost nothing; after them each one doubles the pause. */
const FREE_ATTEMPTS = 5
const PAUSE_MAX_SECONDS = 900
/** A series of wrong attempts is forgotten after this time. */
export const FORGET_MS = 86_400_000
const KEPT_MAX = 10_000

/** Returns seconds; `count` is the number of wrong attempts so far. */
export const pauseAfterWrong = (count: number): number =>
  count < FREE_ATTEMPTS ? 0 : Math.min(PAUSE_MAX_SECONDS, 2 ** (count - FREE_ATTEMPTS))

/** Slows down a network that tries one code after the other. Kept in memory only: a restart forgets, and no address is stored. */
export class Attempts {
  readonly #series = new Map<string, { count: number; freeAt: number }>()

  /**
   * Counts an attempt before its code is checked, so that many at once gain nothing. Returns for how many seconds its network has
   * to wait; 0: not at all. Requests without an address count as one network.
   */
  count(address: string, nowMs: number): number {
    if (this.#series.size > KEPT_MAX) this.#forget(nowMs)
    const network = networkOf(address)
    const known = this.#series.get(network)
    const waitMs = (known?.freeAt ?? 0) - nowMs
    if (waitMs > 0) return Math.ceil(waitMs / 1000)
    const isOver = known === undefined || known.freeAt + FORGET_MS < nowMs
    const count = isOver ? 1 : known.count + 1
    this.#series.set(network, { count, freeAt: nowMs + pauseAfterWrong(count) * 1000 })
    return 0
  }

  /** The code was right, so the series of its network ends. */
  forgive(address: string): void {
    this.#series.delete(networkOf(address))
  }

  /** Drops series that have ended; while too many have not, the oldest, so that memory stays bounded. */
  #forget(nowMs: number): void {
    for (const [network, { freeAt }] of this.#series)
      if (freeAt + FORGET_MS < nowMs) this.#series.delete(network)
    for (const network of this.#series.keys()) {
      if (this.#series.size <= KEPT_MAX) return
      this.#series.delete(network)
    }
  }
}
