import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { circuitOpen, rateLimited } from './errors.ts'

/**
 * In five minutes Cloudflare allows 1,200 REST calls for everything that uses an account, including its dashboard and
 * the owner's scripts, and separately 320 GraphQL calls. `burst` plus five times `perMinute` equals
 * the limit.
 */
const REST_LIMIT = { perMinute: 228, burst: 60 }
const GRAPHQL_LIMIT = { perMinute: 60, burst: 20 }

const FAILURES_MAX = 5
const FAILURES_WITHIN_MS = 30_000
const CIRCUIT_OPEN_MS = 15_000

/** A token bucket: calls pass at once until the burst is used up, then at an even rate. Times are milliseconds of `performance.now()`. */
export class TokenBucket {
  readonly #perMs: number
  readonly #burst: number
  #tokensLeft: number
  #refilledAt: number
  #pausedUntil = 0

  constructor(rate: { perMinute: number; burst: number }, now: number) {
    this.#perMs = rate.perMinute / 60_000
    this.#burst = rate.burst
    this.#tokensLeft = rate.burst
    this.#refilledAt = now
  }

  /** Returns the milliseconds until the next call may be sent, without reserving a place in the queue. */
  waitMs(now: number): number {
    this.#tokensLeft = Math.min(this.#burst, this.#tokensLeft + (now - this.#refilledAt) * this.#perMs)
    this.#refilledAt = now
    return Math.max(0, (1 - this.#tokensLeft) / this.#perMs)
  }

  /** Reserves the next place in the queue. Returns the milliseconds to wait, or null when the wait would exceed `waitMsMax`. */
  reserve(now: number, waitMsMax: number): number | null {
    const waitMs = this.waitMs(now)
    if (waitMs > waitMsMax) return null
    this.#tokensLeft--
    return waitMs
  }

  /** Pauses all calls with the credential, because the provider counts them together. */
  pause(now: number, seconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, now + seconds * 1000)
  }

  pausedMs(now: number): number {
    return Math.max(0, this.#pausedUntil - now)
  }
}

/** A circuit breaker: stops calling a provider that does not respond, so that callers do not wait for one timeout after another. */
export class CircuitBreaker {
  #failures: number[] = []
  #openUntil = 0

  /**
   * Returns the milliseconds until calls are allowed again, 0 when calls are allowed. After the pause one failure
   * opens the circuit again.
   */
  openMs(now: number): number {
    return Math.max(0, this.#openUntil - now)
  }

  /** Closes the circuit. Called after any response, even an error. */
  answered(): void {
    this.#failures = []
  }

  failed(now: number): void {
    this.#failures = [...this.#failures.filter((at) => at > now - FAILURES_WITHIN_MS), now]
    if (this.#failures.length >= FAILURES_MAX) this.#openUntil = now + CIRCUIT_OPEN_MS
  }
}

/** The limits of one credential, shared by all its calls in this process. Other processes have their own. */
export class CallLimiter {
  readonly circuit = new CircuitBreaker()
  readonly #restBucket: TokenBucket
  readonly #graphqlBucket: TokenBucket
  /**
   * When Cloudflare last confirmed that the credential is valid. Each call that is refused for a missing permission
   * asks for this confirmation, unless there is a recent one.
   */
  aliveAt = Number.NEGATIVE_INFINITY

  constructor(now: number, perMinute = REST_LIMIT.perMinute) {
    this.#restBucket = new TokenBucket({ ...REST_LIMIT, perMinute }, now)
    this.#graphqlBucket = new TokenBucket(GRAPHQL_LIMIT, now)
  }

  pace(path: string): TokenBucket {
    return path === '/graphql' ? this.#graphqlBucket : this.#restBucket
  }

  /** Resolves when the next call may be sent. Throws a `CloudflareError` when the wait would be too long or the circuit is open. */
  async acquire(path: string, waitMsMax: number, signal: AbortSignal | undefined): Promise<void> {
    const now = performance.now()
    this.#requireClosedCircuit(now)
    const pace = this.pace(path)
    const pausedMs = pace.pausedMs(now)
    const waitMs = pausedMs > waitMsMax ? null : pace.reserve(now, waitMsMax)
    if (waitMs === null)
      throw rateLimited(Math.max(1, Math.ceil(Math.max(pausedMs, pace.waitMs(now)) / 1000)))
    if (waitMs > 0) await sleep(waitMs, undefined, { signal })
    // While this call waited, the provider may have asked for a pause, or stopped responding.
    this.#requireClosedCircuit(performance.now())
    const leftMs = pace.pausedMs(performance.now())
    if (leftMs > waitMsMax) throw rateLimited(Math.ceil(leftMs / 1000))
    if (leftMs > 0) await sleep(leftMs, undefined, { signal })
  }

  #requireClosedCircuit(now: number): void {
    const openMs = this.circuit.openMs(now)
    if (openMs > 0) throw circuitOpen(Math.ceil(openMs / 1000))
  }
}

/**
 * The maximum is higher than the number of credentials that a process uses at the same time. When it is exceeded, the
 * least recently used limiter is evicted, which allows its credential one more burst at worst.
 */
const accountLimiters = new LRUCache<string, CallLimiter>({ max: 2000 })

/** Returns the limiter of a credential, which the first call creates with `perMinute`. Later calls ignore `perMinute`. */
export function limiterOf(credentialId: string, perMinute?: number): CallLimiter {
  const limiter = accountLimiters.get(credentialId) ?? new CallLimiter(performance.now(), perMinute)
  accountLimiters.set(credentialId, limiter)
  return limiter
}
