import * as z from 'zod'
import { group } from '../../endpoint.ts'
import { callOperator } from '../operator/call.ts'
import { operatorEndpoint } from '../operator/operator-endpoint.ts'

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
  listCalls: operatorEndpoint('call', {
    route: 'GET /projects/:projectId/capabilities/call/calls',
    scope: 'projects:read',
    summary: 'List the calls that are in progress in the live app, newest first',
    description:
      'At most 40. `mode` is `mesh` between the browsers and `sfu` through the account. A visitor has neither `userId` nor `name`.',
    returns: z.array(RunningCall),
    handle: ({ ctx, project }) =>
      callOperator(ctx, project, {
        tier: 'production',
        method: 'GET',
        path: '/call/calls',
        result: z.array(RunningCall),
      }),
  }),
})
