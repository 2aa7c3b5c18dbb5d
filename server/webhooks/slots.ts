/** Deliveries under way at once, of this process. */
const SLOTS_MAX = 256
const PER_ENDPOINT_MAX = 8
/** What endpoints that have not answered well lately may take of them; the rest is kept for those that have. */
const UNPROVEN_MAX = 128
const REMEMBERED_MAX = 1000
/** Idle endpoints whose window is still told to every claim: more would cost it more than they gain. */
const TOLD_MAX = 64

interface Endpoint {
  busy: number
  /** How many may be under way. */
  window: number
}

/**
 * Who may get how much at once. An endpoint begins with one delivery at a time, each success lets one more
 * through and a failure leads back to one: endpoints that hang never take all slots, however many they are.
 */
export class Slots {
  readonly #endpoints = new Map<string, Endpoint>()
  #busy = 0

  take(endpointId: string): void {
    const endpoint = this.#endpoints.get(endpointId) ?? { busy: 0, window: 1 }
    endpoint.busy += 1
    this.#busy += 1
    // Touched last, forgotten last.
    this.#endpoints.delete(endpointId)
    this.#endpoints.set(endpointId, endpoint)
  }

  giveBack(endpointId: string, succeeded: boolean): void {
    const endpoint = this.#endpoints.get(endpointId)
    if (endpoint === undefined) return
    endpoint.busy -= 1
    this.#busy -= 1
    endpoint.window = succeeded ? Math.min(PER_ENDPOINT_MAX, endpoint.window + 1) : 1
    this.#forget()
  }

  get free(): number {
    return SLOTS_MAX - this.#busy
  }

  /**
   * How many more each endpoint that matters now may get, and any other: one, as long as there is room for those
   * that have not proved themselves. When there is none, all that have are named.
   */
  allowance(): { known: Record<string, number>; others: number } {
    const endpoints = [...this.#endpoints]
    const unproven = endpoints.reduce((sum, [, { busy, window }]) => sum + (window === 1 ? busy : 0), 0)
    const others = unproven < UNPROVEN_MAX ? 1 : 0
    const left = ({ busy, window }: Endpoint) => Math.max(0, (window === 1 ? others : window) - busy)
    const recent = endpoints.length - TOLD_MAX
    const told = endpoints.filter(([, { busy }], i) => busy > 0 || i >= recent || others === 0)
    return { known: Object.fromEntries(told.map(([id, endpoint]) => [id, left(endpoint)])), others }
  }

  #forget(): void {
    for (const [id, { busy }] of this.#endpoints) {
      if (this.#endpoints.size <= REMEMBERED_MAX) return
      if (busy === 0) this.#endpoints.delete(id)
    }
  }
}
