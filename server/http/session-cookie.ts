import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Prefix of all cookie names of the auth library. Over https a browser accepts a `__Host-` name only from the
 * host itself, with `Path=/` (RFC 6265bis, section 4.1.3), so neither another subdomain nor a longer path can
 * set one.
 */
export const cookiePrefix = (baseUrl: string): string =>
  baseUrl.startsWith('https:') ? '__Host-slipway' : 'slipway'

export const sessionCookieName = (baseUrl: string): string => `${cookiePrefix(baseUrl)}.session_token`

/** Only cookies with a valid signature become one. */
export interface SessionCookie {
  token: string
  /** As sent, `name=value`. */
  pair: string
}

/**
 * Returns the session cookies of a `Cookie` header with a valid signature, the last first. Over http another
 * port or host may have set cookies of this name. Browsers send those with a longer path first, and ours has
 * the shortest.
 */
export function sessionCookies(
  cookies: string | null,
  baseUrl: string,
  secrets: readonly { value: string }[],
): SessionCookie[] {
  // The library signs with the newest secret only.
  const secret = secrets[0]
  if (cookies === null || !secret) return []
  const name = sessionCookieName(baseUrl)
  return pairsOf(cookies)
    .filter((pair) => nameOf(pair) === name)
    .flatMap((pair) => {
      const token = verifiedToken(pair.slice(pair.indexOf('=') + 1).trim(), secret.value)
      return token === null ? [] : [{ token, pair }]
    })
    .toReversed()
}

/**
 * Returns the token of a cookie value, `<token>.<base64 HMAC-SHA256>`, or null when its signature is not
 * valid.
 */
function verifiedToken(value: string, secret: string): string | null {
  const signed = decode(value)
  const dot = signed?.lastIndexOf('.') ?? -1
  if (signed === null || dot < 1) return null
  const token = signed.slice(0, dot)
  const expected = createHmac('sha256', secret).update(token).digest()
  const given = Buffer.from(signed.slice(dot + 1), 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null
}

/**
 * Returns the header with the chosen session cookie as its only one, so that the auth library acts for
 * exactly that session. Without `keepsCopy` the library's own one-minute session cache is removed too,
 * because that session may have ended.
 */
export function withOneSession(
  cookies: string,
  chosen: SessionCookie | null,
  { keepsCopy }: { keepsCopy: boolean },
): string {
  const dropped = keepsCopy ? /session_token$/ : /session_(token|data)/
  const others = pairsOf(cookies).filter((pair) => !dropped.test(nameOf(pair)))
  return [...(chosen === null ? [] : [chosen.pair]), ...others].join('; ')
}

const pairsOf = (header: string): string[] => header.split(';').map((pair) => pair.trim())

const nameOf = (pair: string): string => (pair.split('=')[0] ?? '').trim()

function decode(value: string): string | null {
  try {
    return decodeURIComponent(value)
  } catch {
    return null
  }
}
