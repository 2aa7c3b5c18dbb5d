import type { RequestContext } from '../endpoint.ts'
import { authorize } from '../http/access.ts'
import { ApiError } from '../http/errors.ts'
import { chooseSession, identifyMemberships } from '../http/identify-session.ts'
import type { Limits } from '../http/limits.ts'
import { sessionCookies } from '../http/session-cookie.ts'
import type { Needs } from '../platform.ts'

const ORGANIZATION_PATH = '/api/auth/organization/'

/**
 * Routes of the auth library with which a person lists, joins or switches organizations. No policy may block
 * them, because otherwise a person could not switch away from an organization whose policy the session does
 * not meet.
 */
const OPEN_ROUTES = new Set([
  'list',
  'set-active',
  'accept-invitation',
  'reject-invitation',
  'list-user-invitations',
])

/**
 * Returns whether this route of the auth library reads or changes an organization, so that the organization's
 * policy applies.
 */
export function actsInOrganization(path: string): boolean {
  return path.startsWith(ORGANIZATION_PATH) && !OPEN_ROUTES.has(path.slice(ORGANIZATION_PATH.length))
}

/**
 * Checks the caller against the policies of all organizations that the request may concern: the active one
 * and every one whose id or slug, or the id of an invitation to it, is in the request. The auth library's
 * routes use different fields for these, so every text in the query and the body is looked up.
 */
export async function requirePolicies(
  platform: Needs<'config' | 'pool' | 'keyring'>,
  request: Request,
  body: string,
  from: { token: string | undefined; address: string; limits: Limits },
): Promise<void> {
  const { token } = from
  if (token === undefined) throw new ApiError('unauthorized', 'Sign in first.')
  await authorizeOrganizations(platform, request, textsInRequest(request.url, body), { ...from, token })
}

/**
 * Checks the caller of an API endpoint against the policies of further organizations, named by `ids`. Before the
 * handler, the policy of the active one was checked and the request was counted against the rate limits.
 */
export async function requirePoliciesOf(
  ctx: RequestContext<'config' | 'pool' | 'keyring'>,
  request: Request,
  ids: readonly string[],
): Promise<void> {
  const { baseUrl } = ctx.config
  const cookies = sessionCookies(request.headers.get('cookie'), baseUrl, ctx.keyring.authSecrets)
  const session = await chooseSession(ctx, cookies)
  if (session === null) throw new ApiError('unauthorized', 'Sign in first.')
  await authorizeOrganizations(ctx, request, ids, {
    token: session.token,
    address: ctx.address,
    limits: null,
  })
}

async function authorizeOrganizations(
  platform: Needs<'config' | 'pool' | 'keyring'>,
  request: Request,
  names: readonly string[],
  from: { token: string; address: string; limits: Limits | null },
): Promise<void> {
  const identities = await identifyMemberships(platform, from.token, names)
  for (const [index, identity] of identities.entries()) {
    // The request counts once against the rate limits, however many organizations it names.
    const limits = index === 0 ? from.limits : null
    await authorize({
      endpoint: { scope: 'any' },
      identity,
      request,
      address: from.address,
      kernel: platform,
      limits,
    })
  }
}

function textsInRequest(url: string, body: string): string[] {
  const named = [...new URL(url).searchParams.values(), ...textsInJson(body)]
  return named.filter((text) => !text.includes('\0'))
}

/**
 * Returns the top-level texts of a JSON body. The auth library reads no ids from nested values, and it
 * rejects a body that is not JSON.
 */
function textsInJson(body: string): string[] {
  try {
    const fields: unknown = JSON.parse(body)
    return Object.values(fields ?? {}).filter((value) => typeof value === 'string')
  } catch {
    return []
  }
}
