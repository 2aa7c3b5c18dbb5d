import { isIPv6 } from 'node:net'
import type { Caller } from '../caller.ts'
import type { RouteLimit } from '../endpoint.ts'
import type { CounterSource } from '../../lib/counter.ts'
import { Counters, rateLimitedError } from './counters.ts'

export { rateLimitedError }

export interface Limits {
  /** Counts every request, before its caller is identified. */
  address(address: string): Promise<void>
  /** Counts requests to routes of the auth library that check a password, a code or a link, before anything is looked up. */
  credentials(address: string, path: string): Promise<void>
  /** Counts the requests of one API key, or of one user over all sessions. */
  caller(caller: Pick<Caller, 'kind' | 'actorId'>): Promise<void>
  /** Counts a request against the limit that its route declares. Called when the caller has passed all checks. */
  route(limit: RouteLimit, request: CountedRequest): Promise<void>
}

export interface CountedRequest {
  address: string
  caller: Pick<Caller, 'userId' | 'actorId' | 'organizationId'> | null
  path: string
}

const CREDENTIAL_PATHS =
  /^\/api\/auth\/(sign-in|sign-up|request-password-reset|reset-password|send-verification-email|verify-email|change-password|two-factor|passkey)(\/|$)/

/**
 * Creates the rate limiters (docs/limits.md#rates), which count in fixed windows of a minute. A call beyond a limit
 * throws `rate_limited`.
 */
export function createLimits(
  config: { keyPerMinute: number; sessionPerMinute: number; addressPerMinute: number },
  counters: CounterSource = new Counters(),
): Limits {
  const perMinute = (name: string, points: number, isLocal = false) =>
    counters.open({ name, points, seconds: 60, isLocal })
  const address = perMinute('address', config.addressPerMinute)
  // A tenth of the general limit per address: 120 by default.
  const credentials = perMinute('credentials', Math.ceil(config.addressPerMinute / 10))
  const key = perMinute('key', config.keyPerMinute)
  const session = perMinute('session', config.sessionPerMinute)
  // Each process counts exports for itself, because the export limit only has to be approximate
  // (docs/limits.md#rates).
  const routeCounter = ({ counter, perMinute: points }: RouteLimit) =>
    perMinute(`route ${counter}`, points, counter === 'export')
  return {
    address: (from) => address.spend(addressBucket(from)),
    credentials: async (from, path) => {
      if (CREDENTIAL_PATHS.test(path)) await credentials.spend(addressBucket(from))
    },
    caller: (caller) => (caller.kind === 'key' ? key : session).spend(caller.actorId),
    route: (limit, request) => routeCounter(limit).spend(limitBucketOf(limit.per, request)),
  }
}

function limitBucketOf(per: RouteLimit['per'], { address, caller, path }: CountedRequest): string {
  if (per === 'path') return path
  if (per === 'address' || caller === null) return addressBucket(address)
  return per === 'organization' ? caller.organizationId : (caller.userId ?? caller.actorId)
}

/** An IPv6 customer has at least a whole /64 network, so a limit for each single address would have no effect. */
export function addressBucket(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
  return `${groups.slice(0, 4).join(':')}::/64`
}
