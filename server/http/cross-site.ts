import { isLoopbackHost } from '../lib/loopback.ts'
import { ApiError } from './errors.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

export const isUnsafe = (method: string): boolean => !SAFE_METHODS.has(method)

/**
 * Returns whether the value of an `Origin` header is the origin of this service. When the base URL is on loopback,
 * every loopback host name with the same port counts as this service.
 */
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
 * Throws for a request that may change something when another site may have sent it with the visitor's cookie.
 * Browsers since 2020 send `Origin` or `Sec-Fetch-Site` with such a request. A script that uses a session cookie can
 * set `Origin` itself, or use an API key instead.
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
