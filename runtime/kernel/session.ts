import type { Caller } from './actor.ts'
import { isEnabled, tier } from './env.ts'

const NAME = 'app_session'
const TICKET = 'app_oauth'
const TICKET_SECONDS = 600

/**
 * Browsers keep a `__Host-` cookie to exactly this host and to https. The local cloud serves http, so there the name is plain.
 */
const cookieName = (request: Request, name = NAME): string =>
  new URL(request.url).protocol === 'https:' ? `__Host-${name}` : name

/** As far as the worker can tell: only the objects know whether a session is valid. */
export function callerOf(request: Request): Caller {
  if (!isEnabled('auth')) return 'anonymous'
  const session = sessionOf(request)
  return session === null ? 'anonymous' : { session }
}

export const sessionOf = (request: Request): string | null => cookieOf(request, NAME)

export const ticketOf = (request: Request): string | null => cookieOf(request, TICKET)

function cookieOf(request: Request, name: string): string | null {
  const wanted = `${cookieName(request, name)}=`
  const cookies = (request.headers.get('cookie') ?? '').split(/; */)
  return cookies.find((cookie) => cookie.startsWith(wanted))?.slice(wanted.length) ?? null
}

/** `session` null: the cookie ends the one in the browser. */
export function sessionCookie(
  request: Request,
  session: { token: string; expiresAt: string } | null,
): string {
  const end = session === null ? 'Max-Age=0' : `Expires=${new Date(session.expiresAt).toUTCString()}`
  return cookie(request, NAME, `${session?.token ?? ''}; ${end}`)
}

/** Binds a sign-in at another provider to this browser. `ticket` null: the cookie ends. */
export const ticketCookie = (request: Request, ticket: string | null): string =>
  cookie(request, TICKET, `${ticket ?? ''}; Max-Age=${ticket === null ? 0 : TICKET_SECONDS}`)

function cookie(request: Request, name: string, valueAndEnd: string): string {
  const isSecure = new URL(request.url).protocol === 'https:'
  // The console shows the preview in a frame of another site, where browsers send only such a cookie.
  const site =
    tier() === 'preview' ? 'SameSite=None; Secure; Partitioned' : `SameSite=Lax${isSecure ? '; Secure' : ''}`
  const [value = '', end = ''] = valueAndEnd.split('; ')
  return `${cookieName(request, name)}=${value}; Path=/; HttpOnly; ${site}; ${end}`
}
