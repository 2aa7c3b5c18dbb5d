import { env } from 'cloudflare:workers'

/**
 * Origins that requests were sent to: at most `CALLED_ORIGINS_MAX`, so that memory stays limited. An app has only a
 * few.
 */
const calledOrigins = new Set<string>()
const CALLED_ORIGINS_MAX = 20
/** Scheme and host of the previous request. Comparing this text avoids parsing most addresses. */
let lastOriginText: string | null = null

/** Records the origin of a request. Cloudflare routes only the app's own addresses to this worker, so the origin is the app's. */
export function recordOrigin({ url }: Request): void {
  // The part of the address before the path.
  const start = url.slice(0, url.indexOf('/', 'https://'.length))
  if (start === lastOriginText || calledOrigins.size >= CALLED_ORIGINS_MAX) return
  calledOrigins.add(new URL(url).origin)
  lastOriginText = start
}

/** Returns the app's origins: first the origin that Slipway has set as `APP_URL`, then the origins that requests were sent to. */
export function ownOrigins(): string[] {
  const said = env['APP_URL']
  const known = typeof said === 'string' && URL.canParse(said) ? [new URL(said).origin] : []
  return [...new Set([...known, ...calledOrigins])]
}
