import * as z from 'zod'
import { endpoint, group } from '../../http/endpoint.ts'
import { limitParam } from '../../http/query.ts'
import { refuseUnbuilt } from '../operator/unbuilt.ts'

const limited = z.object({ limit: limitParam(1000).optional() })

const Time = z.string()

const Team = z.object({
  id: z.string(),
  name: z.string(),
  members: z.int(),
  pendingInvites: z.int(),
  createdAt: Time,
  createdBy: z.string().nullable(),
})

export const teamRoutes = group('Capabilities', {
  listTeams: endpoint({
    route: 'GET /projects/:projectId/capabilities/team/teams',
    scope: 'projects:read',
    summary: 'The teams of the app, newest first',
    query: limited,
    returns: z.array(Team),
    fails: ['not_enabled'],
    handle: ({ ctx, params }) => refuseUnbuilt(ctx, params, 'team'),
  }),
})
