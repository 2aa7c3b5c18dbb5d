import type { Member, Role } from '../../../api/organization/members.ts'
import { membersText } from '../../../text/members.en.ts'

/** The viewer's role and the number of owners. The allowed changes depend on both. */
export interface Viewer {
  userId: string
  role: Role
  owners: number
}

/** Why this role may not manage members; null when it may. */
export const manageRefusal = (role: Role): string | null => (role === 'member' ? membersText.managers : null)

export const rolesToGive = (role: Role): Role[] =>
  role === 'owner' ? ['owner', 'admin', 'member'] : ['admin', 'member']

/** Why the role of a member cannot be changed; null when it can. */
export function roleChangeRefusal(viewer: Viewer, member: Member): string | null {
  if (viewer.role === 'member') return membersText.managers
  if (member.role !== 'owner') return null
  if (viewer.role !== 'owner') return membersText.ownersChangeOwners
  return viewer.owners <= 1 ? membersText.lastOwner : null
}

/** Why a member cannot be removed; null when they can. */
export function removalRefusal(viewer: Viewer, member: Member): string | null {
  if (member.role === 'owner' && viewer.owners <= 1) return membersText.lastOwner
  if (member.userId === viewer.userId) return membersText.leaveInstead
  return roleChangeRefusal(viewer, member)
}
