import { accountQuery } from '../../api/account/auth.ts'
import { rememberOrganization } from '../../api/account/last-organization.ts'
import { setActiveOrganization } from '../../api/organization/organizations.ts'
import { queryClient } from '../../api/request/query-client.ts'

/**
 * Switches to another organization and loads `path` as a new page, because the cache, the streams and the input belong to the previous
 * organization.
 */
export async function switchOrganization(organizationId: string, path: string): Promise<void> {
  await setActiveOrganization(organizationId)
  await openInOrganization(organizationId, path)
}

/** Stores the organization as the last used one and loads `path` as a new page. Switch the session first. */
export async function openInOrganization(organizationId: string, path: string): Promise<void> {
  // Leave the page even when the user cannot be read: the requests of this page would go to the new organization.
  const account = await queryClient.ensureQueryData(accountQuery()).catch(() => null)
  if (account !== null) rememberOrganization(account.user.id, organizationId)
  location.assign(path)
}

/** The current URL, to open it in another organization. */
export const currentPath = () => location.pathname + location.search
