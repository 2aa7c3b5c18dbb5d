import * as z from 'zod'
import { endpoint, group } from '../../endpoint.ts'
import { callOperator } from '../operator/call.ts'
import { READER_FAILS, requireServing } from '../operator/serving.ts'

const Track = z.enum(['audio', 'video', 'screen'])

const RunningCall = z.object({
  room: z.string(),
  id: z.string(),
  partition: z.string().nullable(),
  mode: z.enum(['mesh', 'sfu']),
  startedAt: z.string(),
  people: z.array(
    z.object({
      userId: z.string().nullable(),
      name: z.string().nullable(),
      joinedAt: z.string(),
      tracks: z.array(Track),
      muted: z.array(Track),
    }),
  ),
})

export const callRoutes = group('Capabilities', {
  listCalls: endpoint({
    route: 'GET /projects/:projectId/capabilities/call/calls',
    scope: 'projects:read',
    needs: ['accounts'],
    summary: 'List the calls that are in progress in the live app, newest first',
    description:
      'At most 40. `mode` is `mesh` between the browsers and `sfu` through the account. A visitor has neither `userId` nor `name`.',
    returns: z.array(RunningCall),
    fails: READER_FAILS,
    handle: async ({ ctx, params }) =>
      callOperator(ctx, await requireServing(ctx, params.projectId, 'call'), {
        tier: 'production',
        method: 'GET',
        path: '/call/calls',
        result: z.array(RunningCall),
      }),
  }),
})
