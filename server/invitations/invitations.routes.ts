import * as z from 'zod'
import { endpoint, group } from '../endpoint.ts'
import { INVITATION_STATUSES, readInvitation } from './invitations.ts'

export const invitationRoutes = group('Invitations', {
  getInvitation: endpoint({
    route: 'GET /invitations/:invitationId',
    scope: 'public',
    summary: 'Read an invitation before signing in',
    returns: z
      .object({
        organization: z.object({ name: z.string() }),
        inviter: z.object({ name: z.string() }),
        role: z.string(),
        status: z.enum(INVITATION_STATUSES),
      })
      .meta({ id: 'Invitation' }),
    handle: ({ ctx, params }) => readInvitation(ctx, params.invitationId),
  }),
})
