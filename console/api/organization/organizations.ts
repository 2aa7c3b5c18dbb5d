import * as api from '@slipway/sdk/client/sdk.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { authSend } from '../request/auth-request.ts'
import { readAuth, sendAuth } from '../request/auth-words.ts'
import { call } from '../request/client.ts'

export interface Organization {
  id: string
  name: string
  slug: string
}

/** Every organization the person belongs to, whatever its policy asks for. */
export const organizationsQuery = () =>
  queryOptions({
    queryKey: queryKeys.organizations.all,
    queryFn: () => readAuth<Organization[]>('/organization/list'),
    staleTime: 60_000,
  })

/** What the person may do in one of them. */
export const organizationRoleQuery = (organizationId: string) =>
  queryOptions({
    queryKey: queryKeys.organizations.role(organizationId),
    queryFn: () =>
      readAuth<{ role: string }>(
        `/organization/get-active-member-role?${new URLSearchParams({ organizationId }).toString()}`,
      ),
    staleTime: 60_000,
  })

/**
 * Works in another organization from now on; everything read before belongs to the other one. Part of signing in,
 * so that it never asks to sign in itself.
 */
export const setActiveOrganization = (organizationId: string) =>
  authSend<Organization>('POST', '/organization/set-active', { organizationId })

/** Makes an organization whose owner is the caller, who works in it from now on. */
export const createOrganization = (input: { name: string; slug: string }) =>
  sendAuth<Organization>('/organization/create', input)

export const updateOrganization = (organizationId: string, data: { name?: string; slug?: string }) =>
  sendAuth<Organization>('/organization/update', { organizationId, data })

export const leaveOrganization = (organizationId: string) =>
  sendAuth('/organization/leave', { organizationId })

/** What the holder of an invitation's link may know, signed in or not. */
export const invitationQuery = (invitationId: string) =>
  queryOptions({
    queryKey: queryKeys.invitation(invitationId),
    queryFn: ({ signal }) => call(api.getInvitation({ path: { invitationId }, signal })),
    staleTime: 0,
  })

/** Joins the organization, which becomes the active one. */
export const acceptInvitation = (invitationId: string) =>
  sendAuth<{ invitation: { organizationId: string } }>('/organization/accept-invitation', { invitationId })

export const rejectInvitation = (invitationId: string) =>
  sendAuth('/organization/reject-invitation', { invitationId })
