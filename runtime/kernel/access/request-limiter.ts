const PER_MINUTE_MAX = 20
const WINDOW_MS = 60_000
/** Above this many networks, counts whose minute has passed are removed. */
const NETWORKS_MAX = 10_000

/** Limits the requests of each network per minute. Counts in memory, so a restart resets the counts and no address is stored. */
export class RequestLimiter {
  readonly #perMinuteMax: number
  readonly #windows = new Map<string, { count: number; endsAt: number }>()

  constructor(perMinuteMax = PER_MINUTE_MAX) {
    this.#perMinuteMax = perMinuteMax
  }

  /** Counts a visit. Returns how many seconds the network must wait; 0 when the network may continue. */
  count(address: string, nowMs: number): number {
    const network = networkOf(address)
    // The address is empty when Cloudflare does not report it, as on a developer's machine.
    if (network === '') return 0
    if (this.#windows.size > NETWORKS_MAX) this.#forgetEnded(nowMs)
    const known = this.#windows.get(network)
    const window =
      known === undefined || known.endsAt <= nowMs ? { count: 0, endsAt: nowMs + WINDOW_MS } : known
    this.#windows.set(network, window)
    window.count++
    return window.count <= this.#perMinuteMax ? 0 : Math.ceil((window.endsAt - nowMs) / 1000)
  }

  #forgetEnded(nowMs: number): void {
    for (const [network, { endsAt }] of this.#windows) if (endsAt <= nowMs) this.#windows.delete(network)
  }
}

/** One household usually has a whole IPv6 /64, so its addresses count as one network. */
export const networkOf = (address: string): string =>
  address.includes(':') && !address.includes('.') ? networkPrefix(address) : address

function networkPrefix(address: string): string {
  const [head = '', tail] = address.toLowerCase().split('::')
  const first = head.split(':').filter((group) => group !== '')
  const last = (tail ?? '').split(':').filter((group) => group !== '')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length)
  return [...first, ...Array<string>(zeros).fill('0'), ...last]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}
