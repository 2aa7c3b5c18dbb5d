import type { Identity } from '../caller.ts'
import type { Kernel } from '../context.ts'
import { ApiError } from '../errors.ts'
import { identifyKey } from './key.ts'
import { identifySession } from './session.ts'
import { sessionCookies } from './session-cookie.ts'

/**
 * Returns the caller from the `Authorization` header, or else from the session cookie, with one query.
 * Nothing is cached: a revoked key, an ended session, a removed member and a changed policy take effect at
 * the next request.
 */
export async function identify(
  platform: Kernel,
  request: Request,
  now: Date,
  takes: { withoutOrganization?: true | undefined } = {},
): Promise<Identity> {
  const authorization = request.headers.get('authorization')
  if (authorization !== null) return identifyKey(platform, authorization, now)
  const cookies = sessionCookies(
    request.headers.get('cookie'),
    platform.config.baseUrl,
    platform.keyring.authSecrets,
  )
  if (cookies.length === 0)
    throw new ApiError('unauthorized', 'Sign in, or send an API key as Authorization: Bearer svk_...')
  return identifySession(platform, cookies, now, takes)
}
