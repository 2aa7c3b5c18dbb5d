import * as z from 'zod'
import { group } from '../../endpoint.ts'
import { limitParam } from '../../http/query.ts'
import { callOperator } from '../operator/call.ts'
import { operatorEndpoint } from '../operator/operator-endpoint.ts'

const LIMIT_DEFAULT = 100
const limitQuery = z.object({ limit: limitParam(1000).optional() })

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
  listTeams: operatorEndpoint('team', {
    route: 'GET /projects/:projectId/capabilities/team/teams',
    scope: 'projects:read',
    summary: 'List the teams of the app, newest first',
    query: limitQuery,
    returns: z.array(Team),
    handle: ({ ctx, project, query }) =>
      callOperator(ctx, project, {
        tier: 'production',
        method: 'GET',
        path: `/team/teams?limit=${query.limit ?? LIMIT_DEFAULT}`,
        result: z.array(Team),
      }),
  }),
})
