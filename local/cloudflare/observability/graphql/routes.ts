import { Hono } from 'hono'
import * as z from 'zod'
import type { ApiEnv } from '../../rest/context.ts'
import { readBody } from '../../rest/read-body.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'

const Query = z.object({ query: z.string(), variables: z.record(z.string(), z.unknown()).nullish() })

export function graphqlRoutes({ telemetry }: { telemetry: Telemetry }): Hono<ApiEnv> {
  return new Hono<ApiEnv>().post('/graphql', async (c) => {
    const { query, variables } = await readBody(c, Query)
    // Import this module at the first query, because most processes never get one.
    const { runAnalyticsQuery } = await import('./analytics.ts')
    return c.json(runAnalyticsQuery(telemetry, c.get('token'), { query, variables: variables ?? {} }))
  })
}
