import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * The prefix of all cookie names of the auth library. Over https a browser accepts a `__Host-` cookie only
 * from the host itself and with `Path=/` (RFC 6265bis, section 4.1.3), so no other subdomain can set one.
 */
export const cookiePrefix = (baseUrl: string): string =>
  baseUrl.startsWith('https:') ? '__Host-slipway' : 'slipway'

export const sessionCookieName = (baseUrl: string): string => `${cookiePrefix(baseUrl)}.session_token`

/** A session cookie whose signature was verified. */
export interface SessionCookie {
  token: string
  /** The pair `name=value` as the browser sent it. */
  pair: string
}

/**
 * Returns the session cookies of a `Cookie` header that have a valid signature, the last one first. Over http another
 * port or host may have set a cookie of the same name. A browser sends cookies with longer paths first, so the cookie of
 * this service, with the path `/`, is the last one.
 */
export function sessionCookies(
  cookies: string | null,
  baseUrl: string,
  secrets: readonly { value: string }[],
): SessionCookie[] {
  // The auth library signs with the newest secret only.
  const secret = secrets[0]
  if (cookies === null || !secret) return []
  const name = sessionCookieName(baseUrl)
  return cookiePairs(cookies)
    .filter((pair) => cookieName(pair) === name)
    .flatMap((pair) => {
      const token = verifiedToken(pair.slice(pair.indexOf('=') + 1).trim(), secret.value)
      return token === null ? [] : [{ token, pair }]
    })
    .toReversed()
}

/** Returns the token in a cookie value, `<token>.<base64 HMAC-SHA256>`, or null when the signature is not valid. */
function verifiedToken(value: string, secret: string): string | null {
  const signed = decodeOrNull(value)
  const dot = signed?.lastIndexOf('.') ?? -1
  if (signed === null || dot < 1) return null
  const token = signed.slice(0, dot)
  const expected = createHmac('sha256', secret).update(token).digest()
  const given = Buffer.from(signed.slice(dot + 1), 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null
}

/**
 * Returns the `Cookie` header with the chosen cookie as the only session cookie, so that the auth library uses exactly
 * that session. Without `keepsCopy` the cookie in which the library caches a session for a minute is removed too,
 * because that session may have ended.
 */
export function withOneSession(
  cookies: string,
  chosen: SessionCookie | null,
  { keepsCopy }: { keepsCopy: boolean },
): string {
  const dropped = keepsCopy ? /session_token$/ : /session_(token|data)/
  const others = cookiePairs(cookies).filter((pair) => !dropped.test(cookieName(pair)))
  return [...(chosen === null ? [] : [chosen.pair]), ...others].join('; ')
}

const cookiePairs = (header: string): string[] => header.split(';').map((pair) => pair.trim())

const cookieName = (pair: string): string => (pair.split('=')[0] ?? '').trim()

function decodeOrNull(value: string): string | null {
  try {
    return decodeURIComponent(value)
  } catch {
    return null
  }
}
