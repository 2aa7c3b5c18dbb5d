import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type {
  ReadMemberBelongingsResponse,
  SettleMemberBelongingsData,
} from '@slipway/sdk/client/types.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { authGet, authPost } from '../request/auth-request.ts'
import { call } from '../request/client.ts'

export const ROLES = ['owner', 'admin', 'member'] as const
export type Role = (typeof ROLES)[number]

export interface Member {
  id: string
  userId: string
  role: Role
  createdAt: string
  user: { name: string; email: string }
}

export interface PendingInvitation {
  id: string
  email: string
  role: Role
  expiresAt: string
  createdAt: string
  inviterId: string
}

/** All members of the organization, in the order in which they joined. */
export const membersQuery = () =>
  queryOptions({
    queryKey: queryKeys.members.all,
    queryFn: async () => {
      const { members } = await authGet<{ members: Member[] }>('/organization/list-members')
      return members.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
    },
  })

/** The invitations that were neither accepted nor declined, newest first. Includes expired invitations. */
export const pendingInvitationsQuery = () =>
  queryOptions({
    queryKey: queryKeys.members.invitations,
    queryFn: async () => {
      const all = await authGet<(PendingInvitation & { status: string })[]>('/organization/list-invitations')
      return all
        .filter(({ status }) => status === 'pending')
        .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
    },
  })

/** Invites an address. An earlier invitation of the same address is replaced, and its link stops working. */
export const inviteMember = (input: { email: string; role: Role }) =>
  authPost<PendingInvitation>('/organization/invite-member', input)

/** Sends an open invitation again with the same link and a new expiry time. An expired invitation is replaced by one with a new link. */
export const resendInvitation = ({ email, role }: PendingInvitation) =>
  authPost<PendingInvitation>('/organization/invite-member', { email, role, resend: true })

/** Withdraws an open invitation, so that its link stops working. */
export const cancelInvitation = (invitationId: string) =>
  authPost('/organization/cancel-invitation', { invitationId })

/** Changes a member's role. Only an owner may change an owner, and the last owner stays one. */
export const changeRole = (memberId: string, role: Role) =>
  authPost('/organization/update-member-role', { memberId, role })

/**
 * Removes a member. Decide about the member's API keys, webhooks and ingest sources first (`settleBelongings`): keys that are left are
 * revoked.
 */
export const removeMember = (memberId: string) =>
  authPost('/organization/remove-member', { memberIdOrEmail: memberId })

/**
 * For each kind of object that a member created (API keys, webhooks, ingest sources), whether to remove it or
 * to transfer it to the caller.
 */
export type Dispositions = SettleMemberBelongingsData['body']
export type Disposition = Dispositions['apiKeys']
export type MemberBelongings = ReadMemberBelongingsResponse['data']

/** The API keys, webhooks and ingest sources that a member created. They outlive the membership. */
export const belongingsQuery = (memberId: string) =>
  queryOptions({
    queryKey: queryKeys.belongings(memberId),
    queryFn: ({ signal }) => call(api.readMemberBelongings({ path: { memberId }, signal })),
    staleTime: 0,
  })

/** Removes the API keys, webhooks and ingest sources of a member, or transfers them to the caller. */
export const settleBelongings = (memberId: string, body: Dispositions) =>
  call(api.settleMemberBelongings({ path: { memberId }, body }))
