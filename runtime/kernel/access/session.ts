import type { Caller } from './actor.ts'
import { isEnabled, tier } from '../worker/env.ts'

const SESSION_COOKIE = 'app_session'
const OAUTH_COOKIE = 'app_oauth'
const OAUTH_COOKIE_SECONDS = 600

/**
 * The prefix `__Host-` makes browsers send the cookie to exactly this host over https. The local emulator of
 * Cloudflare uses http, where the prefix is not allowed.
 */
const cookieName = (request: Request, name = SESSION_COOKIE): string =>
  new URL(request.url).protocol === 'https:' ? `__Host-${name}` : name

/**
 * Returns the caller that the session cookie names. Does not verify the session: only the Durable Object of the
 * person knows whether it is valid.
 */
export function callerOf(request: Request): Caller {
  if (!isEnabled('auth')) return 'anonymous'
  const session = sessionOf(request)
  return session === null ? 'anonymous' : { session }
}

export const sessionOf = (request: Request): string | null => cookieValue(request, SESSION_COOKIE)

export const oauthTicketOf = (request: Request): string | null => cookieValue(request, OAUTH_COOKIE)

function cookieValue(request: Request, name: string): string | null {
  const wanted = `${cookieName(request, name)}=`
  const cookies = (request.headers.get('cookie') ?? '').split(/; */)
  return cookies.find((cookie) => cookie.startsWith(wanted))?.slice(wanted.length) ?? null
}

/** Returns a `Set-Cookie` value that stores the session in the browser, or deletes the cookie when `session` is null. */
export function sessionCookie(
  request: Request,
  session: { token: string; expiresAt: string } | null,
): string {
  const end = session === null ? 'Max-Age=0' : `Expires=${new Date(session.expiresAt).toUTCString()}`
  return cookieHeader(request, SESSION_COOKIE, `${session?.token ?? ''}; ${end}`)
}

/** Like `sessionCookie`, for the cookie that binds a sign-in at a provider to this browser. */
export const ticketCookie = (request: Request, ticket: string | null): string =>
  cookieHeader(
    request,
    OAUTH_COOKIE,
    `${ticket ?? ''}; Max-Age=${ticket === null ? 0 : OAUTH_COOKIE_SECONDS}`,
  )

function cookieHeader(request: Request, name: string, valueAndEnd: string): string {
  const isSecure = new URL(request.url).protocol === 'https:'
  // The console, which is another site, shows the preview in a frame. Browsers send cookies to such a frame only with these attributes.
  const site =
    tier() === 'preview' ? 'SameSite=None; Secure; Partitioned' : `SameSite=Lax${isSecure ? '; Secure' : ''}`
  const [value = '', end = ''] = valueAndEnd.split('; ')
  return `${cookieName(request, name)}=${value}; Path=/; HttpOnly; ${site}; ${end}`
}
