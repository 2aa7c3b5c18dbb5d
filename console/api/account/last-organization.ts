import { setActiveOrganization } from '../organization/organizations.ts'
import { queryClient } from '../request/query-client.ts'
import { meQuery } from './session.ts'

const PREFIX = 'slipway.organizations.'
const REMEMBERED = 50

/** The organizations a person worked in on this device, the last one first. */
export function lastOrganizations(userId: string): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(PREFIX + userId) ?? '[]')
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

/** Puts an organization at the head of those a person worked in. */
export function rememberOrganization(userId: string, organizationId: string): void {
  const others = lastOrganizations(userId).filter((id) => id !== organizationId)
  try {
    localStorage.setItem(PREFIX + userId, JSON.stringify([organizationId, ...others].slice(0, REMEMBERED)))
  } catch {
    // Without storage the oldest organization comes first at the next sign-in.
  }
}

/** A new session begins in the oldest organization; goes back to the one last worked in on this device. */
export async function resumeOrganization(): Promise<void> {
  try {
    const me = await queryClient.fetchQuery(meQuery())
    const last = me.user && lastOrganizations(me.user.id)[0]
    if (!last || last === me.organization.id) return
    await setActiveOrganization(last)
    queryClient.clear()
  } catch {
    // No organization, a policy in the way, or no member there any more: the page that opens says so.
  }
}
