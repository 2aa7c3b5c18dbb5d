import { Hono } from 'hono'
import * as z from 'zod'
import type { ApiEnv, Cloud } from '../../rest/context.ts'
import { readBody } from '../../rest/read-body.ts'

const Query = z.object({ query: z.string(), variables: z.record(z.string(), z.unknown()).nullish() })

export function graphqlRoutes({ telemetry }: Cloud): Hono<ApiEnv> {
  return new Hono<ApiEnv>().post('/graphql', async (c) => {
    const { query, variables } = await readBody(c, Query)
    // Import this module at the first query, because most processes never get one.
    const { runAnalyticsQuery } = await import('./analytics.ts')
    return c.json(runAnalyticsQuery(telemetry, c.get('token'), { query, variables: variables ?? {} }))
  })
}
