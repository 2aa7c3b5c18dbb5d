import type { RequestContext } from '../endpoint.ts'
import { authorize } from '../http/access.ts'
import { ApiError } from '../http/errors.ts'
import { chooseSession, identifyMemberships } from '../http/identify-session.ts'
import type { Limits } from '../http/limits.ts'
import { sessionCookies } from '../http/session-cookie.ts'
import type { Needs } from '../platform.ts'

const ORGANIZATION_PATH = '/api/auth/organization/'

/** Routes with which a person lists, joins or switches organizations; no policy may block them. */
const OPEN_ROUTES = new Set([
  'list',
  'set-active',
  'accept-invitation',
  'reject-invitation',
  'list-user-invitations',
])

/** Returns whether a library route acts in an organization, so that the organization's policy applies. */
export function actsInOrganization(path: string): boolean {
  return path.startsWith(ORGANIZATION_PATH) && !OPEN_ROUTES.has(path.slice(ORGANIZATION_PATH.length))
}

/**
 * Checks the caller against the policies of all organizations that the request may act in: the active one and
 * every one that it names. The library's routes differ in which field names the organization, so any text in
 * the request counts as a name.
 */
export async function requirePolicies(
  platform: Needs<'config' | 'pool' | 'keyring'>,
  request: Request,
  body: string,
  from: { token: string | undefined; address: string; limits: Limits },
): Promise<void> {
  const { token } = from
  if (token === undefined) throw new ApiError('unauthorized', 'Sign in first.')
  await authorizeOrganizations(platform, request, namesIn(request.url, body), { ...from, token })
}

/**
 * The same check for an API request that acts in other organizations than the active one. The active one has
 * been checked and counted before.
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

function namesIn(url: string, body: string): string[] {
  const named = [...new URL(url).searchParams.values(), ...textsOf(body)]
  return named.filter((text) => !text.includes('\0'))
}

/** The library reads no names from nested values. A body that is not JSON contains no names, because the library rejects it. */
function textsOf(body: string): string[] {
  try {
    const fields: unknown = JSON.parse(body)
    return Object.values(fields ?? {}).filter((value) => typeof value === 'string')
  } catch {
    return []
  }
}
