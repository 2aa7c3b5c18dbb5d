import { setActiveOrganization } from '../organization/organizations.ts'
import { queryClient } from '../request/query-client.ts'
import { meQuery } from './session.ts'

const KEY_PREFIX = 'slipway.organizations.'
const ENTRIES_MAX = 50

/** The ids of the organizations this user worked in on this device, most recent first. */
export function lastOrganizations(userId: string): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY_PREFIX + userId) ?? '[]')
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

/** Puts the organization first in the user's list on this device. The list keeps at most `ENTRIES_MAX` ids. */
export function rememberOrganization(userId: string, organizationId: string): void {
  const others = lastOrganizations(userId).filter((id) => id !== organizationId)
  try {
    localStorage.setItem(
      KEY_PREFIX + userId,
      JSON.stringify([organizationId, ...others].slice(0, ENTRIES_MAX)),
    )
  } catch {
    // Storage is blocked, so the next sign-in starts in the oldest organization.
  }
}

/** A new session starts in the oldest organization, so switch to the organization last used on this device. */
export async function resumeOrganization(): Promise<void> {
  try {
    const me = await queryClient.fetchQuery(meQuery())
    const last = me.user && lastOrganizations(me.user.id)[0]
    if (!last || last === me.organization.id) return
    await setActiveOrganization(last)
    queryClient.clear()
  } catch {
    // The switch is optional, so ignore the error: the session stays in its current organization. If that organization cannot be opened,
    // the next page says why.
  }
}
