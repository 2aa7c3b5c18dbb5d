import type { Member, Role } from '../../../api/organization/members.ts'
import { membersText } from '../../../text/members.en.ts'

/** Who looks at the page, and how many owners there are: what a change of somebody depends on. */
export interface Viewer {
  userId: string
  role: Role
  owners: number
}

/** Why this person may not invite or change anybody; null when they may. */
export const whyNotManage = (role: Role): string | null => (role === 'member' ? membersText.managers : null)

/** Roles this person may give. */
export const rolesToGive = (role: Role): Role[] =>
  role === 'owner' ? ['owner', 'admin', 'member'] : ['admin', 'member']

/** Why this member's role stays as it is; null when it may change. */
export function whyNotChangeRole(viewer: Viewer, member: Member): string | null {
  if (viewer.role === 'member') return membersText.managers
  if (member.role !== 'owner') return null
  if (viewer.role !== 'owner') return membersText.ownersChangeOwners
  return viewer.owners <= 1 ? membersText.lastOwner : null
}

/** Why this member cannot be removed; null when they can. */
export function whyNotRemove(viewer: Viewer, member: Member): string | null {
  if (member.role === 'owner' && viewer.owners <= 1) return membersText.lastOwner
  if (member.userId === viewer.userId) return membersText.leaveInstead
  return whyNotChangeRole(viewer, member)
}
