import { isIPv6 } from 'node:net'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Caller } from './caller.ts'
import type { RouteLimit } from './endpoint.ts'
import { ApiError } from './errors.ts'

export interface Limits {
  /** Every request, before anybody is identified. */
  address(address: string): Promise<void>
  /** Requests of one key, or of one user whatever the number of sessions. */
  caller(caller: Pick<Caller, 'kind' | 'actorId'>): Promise<void>
  /** A route's own limit, after every check of the caller. */
  route(limit: RouteLimit, request: Counted): Promise<void>
}

/** What a route may count by. */
export interface Counted {
  address: string
  caller: Pick<Caller, 'userId' | 'actorId' | 'organizationId'> | null
  path: string
}

/** Counters of this process in fixed windows of a minute; past them a call throws `rate_limited`. */
export function createLimits(config: {
  keyPerMinute: number
  sessionPerMinute: number
  addressPerMinute: number
}): Limits {
  const address = new RateLimiterMemory({ points: config.addressPerMinute, duration: 60 })
  const key = new RateLimiterMemory({ points: config.keyPerMinute, duration: 60 })
  const session = new RateLimiterMemory({ points: config.sessionPerMinute, duration: 60 })
  const routes = new Map<string, RateLimiterMemory>()
  const counterOf = ({ counter, perMinute }: RouteLimit) => {
    const known = routes.get(counter) ?? new RateLimiterMemory({ points: perMinute, duration: 60 })
    routes.set(counter, known)
    return known
  }
  return {
    address: (from) => spend(address, addressBucket(from)),
    caller: (caller) => spend(caller.kind === 'key' ? key : session, caller.actorId),
    route: (limit, request) => spend(counterOf(limit), bucketOf(limit.per, request)),
  }
}

function bucketOf(per: RouteLimit['per'], { address, caller, path }: Counted): string {
  if (per === 'path') return path
  if (per === 'address' || caller === null) return addressBucket(address)
  return per === 'organization' ? caller.organizationId : (caller.userId ?? caller.actorId)
}

/** One request more of this bucket. */
export async function spend(limiter: RateLimiterMemory, bucket: string): Promise<void> {
  try {
    await limiter.consume(bucket)
  } catch (refusal) {
    throw refusal instanceof RateLimiterRes ? tooMany(refusal.msBeforeNext) : refusal
  }
}

export function tooMany(waitMs: number): ApiError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new ApiError('rate_limited', `Too many requests: try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  })
}

/** A v6 customer is given a /64 at least: counting single addresses would be no limit at all. */
export function addressBucket(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
  return `${groups.slice(0, 4).join(':')}::/64`
}
