import * as z from 'zod'
import { endpoint, group } from '../../endpoint.ts'
import { callOperator } from '../operator/call.ts'
import { READER_FAILS, requireServing } from '../operator/serving.ts'

const Time = z.string()

const MeterUsage = z.object({
  limits: z.array(
    z.object({
      key: z.string(),
      per: z.enum(['user', 'team', 'app']),
      window: z.enum(['hour', 'day', 'week', 'month', 'lifetime']),
      limit: z.number(),
      windowStart: Time.nullable(),
      windowEnd: Time.nullable(),
      spent: z.number(),
      people: z.int(),
    }),
  ),
})

export const meterRoutes = group('Capabilities', {
  getMeterUsage: endpoint({
    route: 'GET /projects/:projectId/capabilities/meter/usage',
    scope: 'projects:read',
    needs: ['accounts'],
    summary: 'Read what is used of each allowance in its window',
    returns: MeterUsage,
    fails: READER_FAILS,
    handle: async ({ ctx, params }) =>
      callOperator(ctx, await requireServing(ctx, params.projectId, 'meter'), {
        tier: 'production',
        method: 'GET',
        path: '/meter/usage',
        result: MeterUsage,
      }),
  }),
})
