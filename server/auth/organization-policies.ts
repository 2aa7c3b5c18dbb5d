import { ApiError } from '../http/errors.ts'
import type { Limits } from '../http/limits/limits.ts'
import { authorizeOrganizations } from '../http/organization-policies.ts'
import type { PlatformPorts } from '../platform.ts'

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
 * Checks the caller against the policies of all organizations that the request may concern: the active organization,
 * and every organization whose id, slug or invitation id is in the request. The auth library's routes use different
 * fields for them, so every string in the query and the body is looked up.
 */
export async function requirePolicies(
  platform: PlatformPorts<'config' | 'pool' | 'keyring'>,
  request: Request,
  body: string,
  from: { token: string | undefined; address: string; limits: Limits },
): Promise<void> {
  const { token } = from
  if (token === undefined) throw new ApiError('unauthorized', 'Sign in first.')
  await authorizeOrganizations(platform, request, textsInRequest(request.url, body), { ...from, token })
}

function textsInRequest(url: string, body: string): string[] {
  const named = [...new URL(url).searchParams.values(), ...textsInJson(body)]
  return named.filter((text) => !text.includes('\0'))
}

/**
 * Returns the top-level strings of a JSON body. The auth library reads no ids from nested values, and it rejects a
 * body that is not JSON.
 */
function textsInJson(body: string): string[] {
  try {
    const fields: unknown = JSON.parse(body)
    return Object.values(fields ?? {}).filter((value) => typeof value === 'string')
  } catch {
    return []
  }
}
