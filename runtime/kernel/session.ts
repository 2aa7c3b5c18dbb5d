import type { Caller } from './actor.ts'
import { isEnabled, tier } from './env.ts'

const NAME = 'app_session'

/**
 * The name of the session's cookie. Browsers keep a `__Host-` cookie to exactly this host and to https, so the local
 * cloud, which serves http, has the plain name.
 */
const cookieName = (request: Request): string =>
  new URL(request.url).protocol === 'https:' ? `__Host-${NAME}` : NAME

/** Returns who sent a request, as far as the worker can tell: only the objects know whether a session is valid. */
export function callerOf(request: Request): Caller {
  if (!isEnabled('auth')) return 'anonymous'
  const session = sessionOf(request)
  return session === null ? 'anonymous' : { session }
}

/** Returns the text of the session's cookie, or null. */
export function sessionOf(request: Request): string | null {
  const wanted = `${cookieName(request)}=`
  const cookies = (request.headers.get('cookie') ?? '').split(/; */)
  return cookies.find((cookie) => cookie.startsWith(wanted))?.slice(wanted.length) ?? null
}

/** Returns the cookie that carries a session; without one it ends what the browser has. */
export function sessionCookie(
  request: Request,
  session: { token: string; expiresAt: string } | null,
): string {
  const isSecure = new URL(request.url).protocol === 'https:'
  // The console shows the preview in a frame of another site, where a browser sends no other cookie.
  const site =
    tier() === 'preview' ? 'SameSite=None; Secure; Partitioned' : `SameSite=Lax${isSecure ? '; Secure' : ''}`
  const end = session === null ? 'Max-Age=0' : `Expires=${new Date(session.expiresAt).toUTCString()}`
  return `${cookieName(request)}=${session?.token ?? ''}; Path=/; HttpOnly; ${site}; ${end}`
}
