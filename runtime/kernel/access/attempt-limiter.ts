import { networkOf } from './request-limiter.ts'
import { DAY_MS } from '../durations.ts'

/** From the fifth wrong code or password on, the sender must pause: one second, doubled by each further wrong one. */
const FREE_ATTEMPTS = 5
const PAUSE_MAX_SECONDS = 900
/** Wrong attempts are forgotten after this time. */
export const ATTEMPTS_LIFETIME_MS = DAY_MS
const NETWORKS_MAX = 10_000

/** Returns the pause in seconds after `count` wrong attempts. */
export const pauseAfterWrong = (count: number): number =>
  count < FREE_ATTEMPTS ? 0 : Math.min(PAUSE_MAX_SECONDS, 2 ** (count - FREE_ATTEMPTS))

/** Slows down a network address that guesses codes. Counts in memory, so a restart resets it and no address is stored. */
export class AttemptLimiter {
  readonly #attempts = new Map<string, { count: number; freeAt: number }>()

  /**
   * Counts an attempt. Called before the code is checked, so that concurrent attempts do not evade the limit. Returns how many seconds the
   * network must wait; 0 when the network may continue. Requests without an address count as one network.
   */
  count(address: string, nowMs: number): number {
    if (this.#attempts.size > NETWORKS_MAX) this.#forgetExpired(nowMs)
    const network = networkOf(address)
    const known = this.#attempts.get(network)
    const waitMs = (known?.freeAt ?? 0) - nowMs
    if (waitMs > 0) return Math.ceil(waitMs / 1000)
    const isOver = known === undefined || known.freeAt + ATTEMPTS_LIFETIME_MS < nowMs
    const count = isOver ? 1 : known.count + 1
    this.#attempts.set(network, { count, freeAt: nowMs + pauseAfterWrong(count) * 1000 })
    return 0
  }

  /** Called after a correct code or password. Resets the count of the network that sent it. */
  resetCount(address: string): void {
    this.#attempts.delete(networkOf(address))
  }

  /** Removes counts that have expired. When too many remain, removes the oldest, so that memory stays limited. */
  #forgetExpired(nowMs: number): void {
    for (const [network, { freeAt }] of this.#attempts)
      if (freeAt + ATTEMPTS_LIFETIME_MS < nowMs) this.#attempts.delete(network)
    for (const network of this.#attempts.keys()) {
      if (this.#attempts.size <= NETWORKS_MAX) return
      this.#attempts.delete(network)
    }
  }
}
