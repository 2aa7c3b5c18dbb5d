import { isOwnOrigin, isUnsafe, refuseCrossSite } from '../http/cross-site.ts'
import { ApiError, invalid } from '../http/errors.ts'
import { readText, withDeadline } from '../http/body.ts'
import type { Limits } from '../http/limits/limits.ts'
import { chooseSession } from '../http/identify/session.ts'
import { sessionCookieName, sessionCookies, withOneSession } from '../http/identify/session-cookie.ts'
import type { PlatformPorts } from '../platform.ts'
import { actsInOrganization, requirePolicies } from './organization-policies.ts'

/** The header that passes the client address to the auth library. A value that the client sent is overwritten. */
export const CLIENT_ADDRESS_HEADER = 'x-slipway-client-ip'

const SAML_RESPONSES = '/api/auth/sso/saml2/sp/acs/'
const MAX_BODY_BYTES = 64 * 1024

/**
 * Returns the request to pass to the auth library, without the headers and cookies that the library must not trust.
 * Throws when the request is refused.
 */
export async function guardAuthRequest(
  platform: PlatformPorts<'config' | 'pool' | 'keyring'>,
  request: Request,
  address: string,
  limits: Limits,
): Promise<Request> {
  const { baseUrl } = platform.config
  // The library ignores this header and would use the session cookie sent with it.
  if (request.headers.has('authorization')) {
    throw new ApiError(
      'forbidden',
      'Sign-in and organization routes take a session cookie, never an API key.',
    )
  }
  // Postgres cannot store NUL or compare with it; the library would return a database error.
  if (request.url.includes('%00')) throw invalid('query', 'must not contain a NUL character')
  const headers = new Headers(request.headers)
  headers.set(CLIENT_ADDRESS_HEADER, address)
  const isReading = !isUnsafe(request.method)
  // An identity provider posts its SAML response from its own page. The response is signed, so a cross-site
  // request is allowed here.
  const isFromProvider = new URL(request.url).pathname.startsWith(SAML_RESPONSES)
  if (!isReading && !isFromProvider) refuseForeignPages(request, baseUrl)
  const body = isReading ? '' : await withDeadline(readText(request, MAX_BODY_BYTES))
  if (body.includes(String.raw`\u0000`)) throw invalid('body', String.raw`must not contain \u0000`)
  const cookies = headers.get('cookie') ?? ''
  const session = isFromProvider
    ? null
    : await chooseSession(platform, sessionCookies(cookies, baseUrl, platform.keyring.authSecrets))
  const isChecked = actsInOrganization(new URL(request.url).pathname)
  if (isChecked) await requirePolicies(platform, request, body, { token: session?.token, address, limits })
  // Only the chosen session cookie is passed on: the library reads the first session cookie, which an attacker may have planted. A request
  // that may change something, for example remove a passkey, gets no cached copy of a session, because that session may have ended.
  headers.set(
    'cookie',
    withOneSession(cookies, session, { keepsCopy: isReading && !isChecked && !isFromProvider }),
  )
  if (isReading) return new Request(request.url, { method: request.method, headers })

  // The cross-site check above has passed. The library accepts only one spelling of the service's origin and refuses a request
  // without an Origin header, so set the header.
  if (isFromOwnPage(request, baseUrl)) headers.set('origin', new URL(baseUrl).origin)
  return new Request(request.url, { method: request.method, headers, ...(body !== '' && { body }) })
}

/**
 * Refuses cross-site requests, also those without a session cookie, because another site must not sign the
 * visitor in.
 */
function refuseForeignPages(request: Request, baseUrl: string): void {
  const hasSession = request.headers.get('cookie')?.includes(`${sessionCookieName(baseUrl)}=`) ?? false
  if (hasSession || request.headers.has('origin')) refuseCrossSite(request, baseUrl)
}

function isFromOwnPage(request: Request, baseUrl: string): boolean {
  const origin = request.headers.get('origin')
  return origin === null
    ? request.headers.get('sec-fetch-site') === 'same-origin'
    : isOwnOrigin(origin, baseUrl)
}
