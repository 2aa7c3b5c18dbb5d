import * as z from 'zod'
import { endpoint, group } from '../../endpoint.ts'
import { limitParam } from '../../http/query.ts'
import { callOperator } from '../operator/call.ts'
import { READER_FAILS, requireServing } from '../operator/serving.ts'

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
  listTeams: endpoint({
    route: 'GET /projects/:projectId/capabilities/team/teams',
    scope: 'projects:read',
    needs: ['accounts'],
    summary: 'List the teams of the app, newest first',
    query: limitQuery,
    returns: z.array(Team),
    fails: READER_FAILS,
    handle: async ({ ctx, params, query }) =>
      callOperator(ctx, await requireServing(ctx, params.projectId, 'team'), {
        tier: 'production',
        method: 'GET',
        path: `/team/teams?limit=${query.limit ?? LIMIT_DEFAULT}`,
        result: z.array(Team),
      }),
  }),
})
