import { isLoopbackHost } from '../lib/loopback.ts'
import { ApiError } from './errors.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

export const isUnsafe = (method: string): boolean => !SAFE_METHODS.has(method)

/** Returns whether an `Origin` header names the service itself. On loopback every loopback name with the same port counts. */
export function isOwnOrigin(origin: string, baseUrl: string): boolean {
  const own = new URL(baseUrl)
  if (origin === own.origin) return true
  if (!isLoopbackHost(own.hostname) || !URL.canParse(origin)) return false
  const other = new URL(origin)
  return (
    other.origin === origin &&
    other.protocol === own.protocol &&
    other.port === own.port &&
    isLoopbackHost(other.hostname)
  )
}

/**
 * Throws for an unsafe request that another site may have sent with the visitor's cookie. Browsers since 2020 send `Origin` or
 * `Sec-Fetch-Site`. A script with a session cookie can set `Origin` itself, or use an API key.
 */
export function refuseCrossSite(request: Request, baseUrl: string): void {
  if (!isUnsafe(request.method)) return
  const origin = request.headers.get('origin')
  const isOwn =
    origin === null ? request.headers.get('sec-fetch-site') === 'same-origin' : isOwnOrigin(origin, baseUrl)
  if (isOwn) return
  throw new ApiError(
    'forbidden',
    `A request with a session cookie must come from ${new URL(baseUrl).origin}: send that as the Origin header, or use an API key.`,
  )
}
