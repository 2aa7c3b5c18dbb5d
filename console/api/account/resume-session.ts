import type { Me } from '@slipway/sdk/client/types.gen.ts'
import { authSend } from '../request/auth-request.ts'
import { setActiveOrganization } from '../organization/organizations.ts'
import { queryClient } from '../request/query-client.ts'

/**
 * Lets the open page continue after its user has signed in again: switches the new session to the organization of the page and repeats the
 * reads that failed. Returns false without a session. Also returns false for a session of another user, who must not see this page's data.
 */
export async function resumeSession(before: Me): Promise<boolean> {
  const now = await authSend<{
    user: { id: string }
    session: { activeOrganizationId: string | null }
  } | null>('GET', '/get-session')
  if (now === null || now.user.id !== before.user?.id) return false
  if (now.session.activeOrganizationId !== before.organization.id)
    await setActiveOrganization(before.organization.id)
  // Repeat the reads that failed without a session.
  void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
  return true
}
