import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * The maximum difference between the time in a signature and the current time, in either direction
 * (docs/limits.md#events-and-webhooks).
 */
const WINDOW_SECONDS = 300

// Accepts only the documented form. A lenient check would accept headers that other programs refuse.
const HEADER_FORMAT = /^t=(0|[1-9][0-9]{0,11}),v1=([0-9a-f]{64})$/

/** Returns a new secret for a webhook endpoint or an ingest source: `whsec_` and 32 random bytes in base64. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** Returns the `Service-Signature` header for a body sent at `at`. The HMAC key is the whole secret with its prefix. */
export function sign(secret: string, body: Uint8Array | string, at: Date): string {
  const t = unixSeconds(at)
  return `t=${t},v1=${computeMac(secret, t, body).toString('hex')}`
}

/** Returns whether the header signs exactly these bytes with this secret, at a time within 300 seconds of `now`. */
export function verifySignature(header: string | null, body: Uint8Array, secret: string, now: Date): boolean {
  const [, t, v1] = HEADER_FORMAT.exec(header ?? '') ?? []
  if (t === undefined || v1 === undefined) return false
  if (Math.abs(unixSeconds(now) - Number(t)) > WINDOW_SECONDS) return false
  return timingSafeEqual(computeMac(secret, t, body), Buffer.from(v1, 'hex'))
}

/**
 * Verifies the signature header of Stripe's events. While a secret is being replaced, the header contains one `v1`
 * for each of the two secrets. It may contain signatures of other schemes, too.
 */
export function verifyStripeSignature(
  header: string | null,
  body: Uint8Array,
  secret: string,
  now: Date,
): boolean {
  const parts = (header ?? '').split(',')
  const times = parts.filter((part) => /^t=[0-9]{1,12}$/.test(part))
  const [time] = times
  if (time === undefined || times.length > 1) return false
  return parts.some((part) => part.startsWith('v1=') && verifySignature(`${time},${part}`, body, secret, now))
}

const unixSeconds = (at: Date): number => Math.floor(at.getTime() / 1000)

function computeMac(secret: string, t: number | string, body: Uint8Array | string): Buffer {
  return createHmac('sha256', secret).update(`${t}.`).update(body).digest()
}
