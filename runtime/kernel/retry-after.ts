/**
 * Returns the wait that a `Retry-After` header asks for, in whole seconds, rounded up. Reads both formats of the header (RFC 9110, 10.2.3),
 * and fractions of a second, which model providers send. A time in the past is 0. Returns null without the header and for any other text.
 */
export function retryAfterSeconds(header: string | null | undefined, now = Date.now()): number | null {
  const text = header?.trim() ?? ''
  const seconds = /^[\d.]+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null
}
