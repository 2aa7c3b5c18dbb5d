import * as z from 'zod'
import { group } from '../../endpoint.ts'
import { callOperator } from '../operator/call.ts'
import { operatorEndpoint } from '../operator/operator-endpoint.ts'

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
  getMeterUsage: operatorEndpoint('meter', {
    route: 'GET /projects/:projectId/capabilities/meter/usage',
    scope: 'projects:read',
    summary: 'Read what is used of each allowance in its window',
    returns: MeterUsage,
    handle: ({ ctx, project }) =>
      callOperator(ctx, project, {
        tier: 'production',
        method: 'GET',
        path: '/meter/usage',
        result: MeterUsage,
      }),
  }),
})
