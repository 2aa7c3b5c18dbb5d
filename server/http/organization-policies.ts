import { authorize } from './access.ts'
import type { Kernel } from './context.ts'
import { ApiError } from './errors.ts'
import { chooseSession, identifyMemberships } from './identify/session.ts'
import type { Limits } from './limits/limits.ts'
import { sessionCookies } from './identify/session-cookie.ts'

/**
 * Checks the session of a request against the policies of further organizations, which `ids` lists. The policy of the active
 * organization was already checked before the handler was called, and the request was counted against the rate limits.
 */
export async function requirePoliciesOf(
  kernel: Kernel,
  { request, address }: { request: Request; address: string },
  ids: readonly string[],
): Promise<void> {
  const { config, keyring } = kernel
  const cookies = sessionCookies(request.headers.get('cookie'), config.baseUrl, keyring.authSecrets)
  const session = await chooseSession(kernel, cookies)
  if (session === null) throw new ApiError('unauthorized', 'Sign in first.')
  await authorizeOrganizations(kernel, request, ids, { token: session.token, address, limits: null })
}

/** Checks a session against the policies of its active organization and of the organizations that an id, a slug or an invitation names. */
export async function authorizeOrganizations(
  kernel: Kernel,
  request: Request,
  names: readonly string[],
  from: { token: string; address: string; limits: Limits | null },
): Promise<void> {
  const identities = await identifyMemberships(kernel, from.token, names)
  for (const [index, identity] of identities.entries()) {
    // The request counts once against the rate limits, however many organizations it names.
    const limits = index === 0 ? from.limits : null
    await authorize({
      endpoint: { scope: 'any' },
      identity,
      request,
      address: from.address,
      kernel,
      limits,
    })
  }
}
