import { env } from 'cloudflare:workers'

/** Origins under which the app was called; a worker has few addresses. */
const called = new Set<string>()
const CALLED_MAX = 20
/** Scheme and host of the last address, as text, so that most requests need no parsing. */
let lastStart: string | null = null

/** The provider routes only the app's own addresses here, so each is an origin of the app. */
export function recordOrigin({ url }: Request): void {
  // The end of scheme and host.
  const start = url.slice(0, url.indexOf('/', 'https://'.length))
  if (start === lastStart || called.size >= CALLED_MAX) return
  called.add(new URL(url).origin)
  lastStart = start
}

/** First the origin that the service has bound, then those under which the app was called. */
export function ownOrigins(): string[] {
  const said = env['APP_URL']
  const known = typeof said === 'string' && URL.canParse(said) ? [new URL(said).origin] : []
  return [...new Set([...known, ...called])]
}
