import { accountQuery } from '../../api/account/auth.ts'
import { rememberOrganization } from '../../api/account/last-organization.ts'
import { setActiveOrganization } from '../../api/organization/organizations.ts'
import { queryClient } from '../../api/request/query-client.ts'

/**
 * Switches to another organization and opens `path` there. The page is reloaded, because its cache, streams
 * and input belong to the previous one.
 */
export async function switchOrganization(organizationId: string, path: string): Promise<void> {
  await setActiveOrganization(organizationId)
  await arriveInOrganization(organizationId, path)
}

/** Remembers the organization and reloads the page at `path`. The session must have been switched to it before. */
export async function arriveInOrganization(organizationId: string, path: string): Promise<void> {
  const { user } = await queryClient.ensureQueryData(accountQuery())
  rememberOrganization(user.id, organizationId)
  location.assign(path)
}

/** The current URL, to open it in another organization. */
export const samePlace = () => location.pathname + location.search
