import { createHmac, timingSafeEqual } from 'node:crypto'

/** The prefix of every cookie of the auth library; the rest of their names is its own. */
export const COOKIE_PREFIX = 'slipway'

/** Browsers accept the `__Secure-` name over https only, so another host name cannot plant one. */
export function sessionCookieName(baseUrl: string): string {
  return `${baseUrl.startsWith('https:') ? '__Secure-' : ''}${COOKIE_PREFIX}.session_token`
}

/** The session token of a `Cookie` header whose signature is ours, else null. */
export function sessionToken(
  cookies: string | null,
  baseUrl: string,
  secrets: readonly { value: string }[],
): string | null {
  const signed = cookies === null ? null : readCookie(cookies, sessionCookieName(baseUrl))
  const dot = signed?.lastIndexOf('.') ?? -1
  // The library signs with the newest secret only.
  const secret = secrets[0]
  if (signed == null || dot < 1 || !secret) return null
  const token = signed.slice(0, dot)
  const expected = createHmac('sha256', secret.value).update(token).digest()
  const given = Buffer.from(signed.slice(dot + 1), 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null
}

/**
 * The header with the first session cookie alone, so that the auth library acts for exactly the session we judged: not
 * for a second one, and not for its own minute-old copy of one that has ended since.
 */
export function withOneSession(cookies: string, baseUrl: string): string {
  const name = sessionCookieName(baseUrl)
  const pairs = cookies.split(';').map((pair) => pair.trim())
  const others = pairs.filter((pair) => !/session_(token|data)/.test(pair.split('=')[0] ?? ''))
  const first = pairs.find((pair) => pair.split('=')[0]?.trim() === name)
  return [...(first === undefined ? [] : [first]), ...others].join('; ')
}

function readCookie(header: string, name: string): string | null {
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=')
    if (equals < 0 || pair.slice(0, equals).trim() !== name) continue
    try {
      return decodeURIComponent(pair.slice(equals + 1).trim())
    } catch {
      return null
    }
  }
  return null
}
