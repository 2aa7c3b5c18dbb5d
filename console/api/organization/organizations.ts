import * as api from '@slipway/sdk/client/sdk.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { authSend } from '../request/auth-request.ts'
import { readAuth, sendAuth } from '../request/auth-messages.ts'
import { call } from '../request/client.ts'

export interface Organization {
  id: string
  name: string
  slug: string
}

/** Every organization of the user, including those whose security policy refuses this session. */
export const organizationsQuery = () =>
  queryOptions({
    queryKey: queryKeys.organizations.all,
    queryFn: () => readAuth<Organization[]>('/organization/list'),
    staleTime: 60_000,
  })

/** The user's role in one organization. The list of organizations does not contain it, so each shown organization needs one request. */
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
 * Switches the session to another organization, which makes every cached response stale. Uses `authSend`, because the sign-in dialog calls
 * this function: without a session `authSend` does not open that dialog.
 */
export const setActiveOrganization = (organizationId: string) =>
  authSend<Organization>('POST', '/organization/set-active', { organizationId })

/** Creates an organization with the caller as owner and switches the session to it. */
export const createOrganization = (input: { name: string; slug: string }) =>
  sendAuth<Organization>('/organization/create', input)

/** Changes name and short name. Throws when another organization has the short name. */
export const updateOrganization = (organizationId: string, data: { name?: string; slug?: string }) =>
  sendAuth<Organization>('/organization/update', { organizationId, data })

/** Ends the user's own membership and revokes the API keys that the user created there. Throws for the only owner. */
export const leaveOrganization = (organizationId: string) =>
  sendAuth('/organization/leave', { organizationId })

interface OwnInvitation {
  id: string
  organizationName: string
  expiresAt: string
}

/** The invitations to the user's own address that can be accepted. Throws when the address is not verified. */
export const ownInvitationsQuery = () =>
  queryOptions({
    queryKey: queryKeys.organizations.invited,
    queryFn: async () => {
      const all = await readAuth<(OwnInvitation & { status: string })[]>(
        '/organization/list-user-invitations',
      )
      return all.filter(({ status, expiresAt }) => status === 'pending' && Date.parse(expiresAt) > Date.now())
    },
    staleTime: 0,
  })

/** The invitation behind a link. It can be read with and without a session. */
export const invitationQuery = (invitationId: string) =>
  queryOptions({
    queryKey: queryKeys.invitation(invitationId),
    queryFn: ({ signal }) => call(api.getInvitation({ path: { invitationId }, signal })),
    staleTime: 0,
  })

/** Accepts an invitation: joins the organization and switches the session to it. */
export const acceptInvitation = (invitationId: string) =>
  sendAuth<{ invitation: { organizationId: string } }>('/organization/accept-invitation', { invitationId })

/** Declines an invitation. The user needs a new one to join later. */
export const rejectInvitation = (invitationId: string) =>
  sendAuth('/organization/reject-invitation', { invitationId })
