import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * What the names of all cookies of the auth library begin with. Over https a browser keeps a `__Host-` name only for the
 * host that set it, with `Path=/` (RFC 6265bis, section 4.1.3): neither another subdomain nor a longer path can plant one.
 */
export const cookiePrefix = (baseUrl: string): string =>
  baseUrl.startsWith('https:') ? '__Host-slipway' : 'slipway'

/** The name of the cookie that holds a session. */
export const sessionCookieName = (baseUrl: string): string => `${cookiePrefix(baseUrl)}.session_token`

/** A session cookie whose signature is ours. */
export interface SessionCookie {
  token: string
  /** As it was sent, `name=value`. */
  pair: string
}

/**
 * The session cookies of a `Cookie` header that carry our signature, the last first. Over http another port or host may
 * have planted cookies of this name. Browsers send those with a longer path first, and ours has the shortest.
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

/** The token of a cookie's value, `<token>.<base64 HMAC-SHA256>`, when its signature is ours. */
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
 * The header with the chosen session cookie as its only one, so that the auth library acts for exactly that session.
 * Without `keepsCopy` the library also loses its own minute-old copy of a session, which may have ended since.
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
