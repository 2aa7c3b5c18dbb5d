/** Deliveries in flight at once in this process, each with a socket. */
const SLOTS_MAX = 256
const PER_ENDPOINT_MAX = 8
/**
 * How many of them endpoints without a recent success may take; the rest is reserved for endpoints that
 * respond.
 */
const UNPROVEN_MAX = 128
const REMEMBERED_MAX = 1000
/**
 * Idle endpoints whose window is still passed to every claim; with more, the claim costs more than the
 * windows save.
 */
const TOLD_MAX = 64

interface Endpoint {
  busy: number
  /** As many deliveries may be in flight; grows with each success. */
  window: number
}

/**
 * Limits how many deliveries are in flight per endpoint. An endpoint starts with one, each success allows one
 * more, and a failure resets it to one, so hanging endpoints never take all slots, however many there are.
 */
export class Slots {
  readonly #endpoints = new Map<string, Endpoint>()
  #busy = 0

  take(endpointId: string): void {
    const endpoint = this.#endpoints.get(endpointId) ?? { busy: 0, window: 1 }
    endpoint.busy += 1
    this.#busy += 1
    // Most recently used last, so the least recently used is evicted first.
    this.#endpoints.delete(endpointId)
    this.#endpoints.set(endpointId, endpoint)
  }

  release(endpointId: string, succeeded: boolean): void {
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
   * How many more deliveries each known endpoint may start, and how many any other endpoint may: one while
   * unproven endpoints have slots left. When they have none, `known` lists every proven endpoint.
   */
  budget(): { known: Record<string, number>; others: number } {
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
