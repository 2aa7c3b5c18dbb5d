/** The number of deliveries that this process sends at the same time; each needs a socket. */
const SLOTS_MAX = 256
const PER_ENDPOINT_MAX = 8
/** The number of slots for endpoints without a recent success. The remaining slots are reserved for endpoints that respond. */
const UNPROVEN_SLOTS_MAX = 128
const REMEMBERED_ENDPOINTS_MAX = 1000
/**
 * The number of idle endpoints whose window is passed to every claim. Any other idle endpoint may start only one delivery. This limit costs
 * less than a longer list, which would slow down every claim.
 */
const WINDOWS_PER_CLAIM_MAX = 64

interface EndpointSlots {
  busy: number
  /** The number of deliveries that may be in flight to this endpoint. It grows with each success. */
  window: number
}

/**
 * Limits how many deliveries are in flight per endpoint. An endpoint starts with one slot; each success adds one, and a failure resets the
 * number to one. Endpoints without a recent success share `UNPROVEN_SLOTS_MAX` slots, so endpoints that hang never take all slots.
 */
export class Slots {
  readonly #endpoints = new Map<string, EndpointSlots>()
  #busyTotal = 0

  take(endpointId: string): void {
    const endpoint = this.#endpoints.get(endpointId) ?? { busy: 0, window: 1 }
    endpoint.busy += 1
    this.#busyTotal += 1
    // Inserted again at the end, so that the least recently used endpoint is evicted first.
    this.#endpoints.delete(endpointId)
    this.#endpoints.set(endpointId, endpoint)
  }

  release(endpointId: string, succeeded: boolean): void {
    const endpoint = this.#endpoints.get(endpointId)
    if (endpoint === undefined) return
    endpoint.busy -= 1
    this.#busyTotal -= 1
    endpoint.window = succeeded ? Math.min(PER_ENDPOINT_MAX, endpoint.window + 1) : 1
    this.#forgetIdle()
  }

  get free(): number {
    return SLOTS_MAX - this.#busyTotal
  }

  /**
   * Returns how many more deliveries may start for each endpoint in `known` and for every other endpoint (0 or 1). Endpoints without a
   * recent success may occupy `UNPROVEN_SLOTS_MAX` slots together. While they occupy all of these slots, `others` is 0, and `known` lists
   * every remembered endpoint, so that endpoints with a success still get slots.
   */
  budget(): { known: Record<string, number>; others: number } {
    const endpoints = [...this.#endpoints]
    const unproven = endpoints.reduce((sum, [, { busy, window }]) => sum + (window === 1 ? busy : 0), 0)
    const others = unproven < UNPROVEN_SLOTS_MAX ? 1 : 0
    const slotsLeft = ({ busy, window }: EndpointSlots) =>
      Math.max(0, (window === 1 ? others : window) - busy)
    const recent = endpoints.length - WINDOWS_PER_CLAIM_MAX
    const told = endpoints.filter(([, { busy }], i) => busy > 0 || i >= recent || others === 0)
    return { known: Object.fromEntries(told.map(([id, endpoint]) => [id, slotsLeft(endpoint)])), others }
  }

  #forgetIdle(): void {
    for (const [id, { busy }] of this.#endpoints) {
      if (this.#endpoints.size <= REMEMBERED_ENDPOINTS_MAX) return
      if (busy === 0) this.#endpoints.delete(id)
    }
  }
}
