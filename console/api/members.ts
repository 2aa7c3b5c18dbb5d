import { queryOptions } from '@tanstack/react-query'
import { authGet, authPost } from './auth-request.ts'

export const ROLES = ['owner', 'admin', 'member'] as const
export type Role = (typeof ROLES)[number]

/** Somebody who belongs to the organization. */
export interface Member {
  id: string
  userId: string
  role: Role
  createdAt: string
  user: { name: string; email: string }
}

/** An invitation nobody has answered yet. */
export interface PendingInvitation {
  id: string
  email: string
  role: Role
  expiresAt: string
  createdAt: string
  inviterId: string
}

/** Everybody of the organization, in the order they came. */
export const membersQuery = () =>
  queryOptions({
    queryKey: ['members'],
    queryFn: async () => {
      const { members } = await authGet<{ members: Member[] }>('/organization/list-members')
      return members.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
    },
  })

/** The invitations that wait for an answer, newest first; those whose time is over are among them. */
export const pendingInvitationsQuery = () =>
  queryOptions({
    queryKey: ['members', 'invitations'],
    queryFn: async () => {
      const all = await authGet<(PendingInvitation & { status: string })[]>('/organization/list-invitations')
      return all
        .filter(({ status }) => status === 'pending')
        .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
    },
  })

/** Invites an address; who is invited already gets a fresh invitation, and the old link ends. */
export const inviteMember = (input: { email: string; role: Role }) =>
  authPost<PendingInvitation>('/organization/invite-member', input)

/** Gives an open invitation its whole time again and sends it once more; its link stays. */
export const resendInvitation = ({ email, role }: PendingInvitation) =>
  authPost<PendingInvitation>('/organization/invite-member', { email, role, resend: true })

export const cancelInvitation = (invitationId: string) =>
  authPost('/organization/cancel-invitation', { invitationId })

export const changeRole = (memberId: string, role: Role) =>
  authPost('/organization/update-member-role', { memberId, role })

export const removeMember = (memberId: string) =>
  authPost('/organization/remove-member', { memberIdOrEmail: memberId })
