import { accountQuery } from '../../api/account/auth.ts'
import { rememberOrganization } from '../../api/account/last-organization.ts'
import { setActiveOrganization } from '../../api/organization/organizations.ts'
import { queryClient } from '../../api/request/query-client.ts'

/**
 * Works in another organization and opens `path` there. The page is loaded anew: what was read, what runs and what
 * is typed belongs to the other one.
 */
export async function switchOrganization(organizationId: string, path: string): Promise<void> {
  await setActiveOrganization(organizationId)
  await arriveInOrganization(organizationId, path)
}

/** What follows once the session works in another organization. */
export async function arriveInOrganization(organizationId: string, path: string): Promise<void> {
  const { user } = await queryClient.ensureQueryData(accountQuery())
  rememberOrganization(user.id, organizationId)
  location.assign(path)
}

/** The address on screen, to be opened in another organization. */
export const samePlace = () => location.pathname + location.search
