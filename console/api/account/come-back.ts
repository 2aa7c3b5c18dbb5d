import type { Me } from '@slipway/sdk/client/types.gen.ts'
import { authSend } from '../request/auth-request.ts'
import { setActiveOrganization } from '../organization/organizations.ts'
import { queryClient } from '../request/query-client.ts'

/**
 * Makes a new session the continuation of the one that ended: same person, same organization. Answers false when
 * it is not, since then nothing on the page is this person's.
 */
export async function comeBack(before: Me): Promise<boolean> {
  const now = await authSend<{
    user: { id: string }
    session: { activeOrganizationId: string | null }
  } | null>('GET', '/get-session')
  if (now === null || now.user.id !== before.user?.id) return false
  if (now.session.activeOrganizationId !== before.organization.id)
    await setActiveOrganization(before.organization.id)
  // Reads that failed without a session are repeated now.
  void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
  return true
}
