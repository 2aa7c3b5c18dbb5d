import { invalid } from '../kernel/errors.ts'
import { sha256Hex } from '../kernel/secrets.ts'
import { publicUrl } from '../kernel/public-url.ts'
import { areValidPushKeys } from './encrypt.ts'
import type { Subscription } from './types.ts'
import { fieldsOf } from '../kernel/fields.ts'

/**
 * The push service of the local emulator of Cloudflare. The top-level domain `.test` is reserved (RFC 6761),
 * so no real push service has this name.
 */
const TEST_ENDPOINT = /^https:\/\/push\.slipway\.test\//

/** Returns a valid subscription. Throws for any other value and for an endpoint on a private host. */
export async function subscriptionIn(given: unknown): Promise<Subscription> {
  const { endpoint: url, keys } = fieldsOf(given)
  const endpoint = typeof url === 'string' && TEST_ENDPOINT.test(url) ? url : publicUrl(url, 'endpoint')
  if (new URL(endpoint).port !== '') throw invalid('endpoint', 'must have no port')
  const { p256dh, auth } = fieldsOf(keys)
  if (typeof p256dh !== 'string' || typeof auth !== 'string' || !(await areValidPushKeys({ p256dh, auth })))
    throw invalid('keys', 'must be those that the browser gave')
  return { endpoint, keys: { p256dh, auth } }
}

/** The SHA-256 hash of the endpoint: unlike the endpoint, the hash is not secret. */
export const deviceIdOf = (endpoint: string): string => sha256Hex(endpoint)
