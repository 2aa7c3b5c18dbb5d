import { env } from 'cloudflare:workers'

/** Origins that the app was called under; a worker has few addresses. */
const called = new Set<string>()
const CALLED_MAX = 20
/** The start of the last address, as it was sent: with the same start it is the same origin. */
let lastStart: string | null = null

/** Notes the address that a request came to: the provider leads only those of the app here. */
export function recordOrigin({ url }: Request): void {
  // After the scheme and the host.
  const start = url.slice(0, url.indexOf('/', 'https://'.length))
  if (start === lastStart || called.size >= CALLED_MAX) return
  called.add(new URL(url).origin)
  lastStart = start
}

/** Returns the origins of the app: the one that the service says, then those it was called under. */
export function ownOrigins(): string[] {
  const said = env['APP_URL']
  const known = typeof said === 'string' && URL.canParse(said) ? [new URL(said).origin] : []
  return [...new Set([...known, ...called])]
}
