import { Hono } from 'hono'
import type { Context } from 'hono'
import { queryPoints } from './query.ts'
import { SqlError } from './tokens.ts'
import { requireScope } from '../../rest/authenticate.ts'
import type { ApiEnv } from '../../rest/context.ts'
import type { Telemetry } from '../../observability/telemetry/telemetry.ts'

const QUERY_MAX = 64 * 1024

/** The SQL API: the body is SQL text, the response JSON without the usual envelope. */
export function analyticsEngineRoutes({ telemetry }: { telemetry: Telemetry }): Hono<ApiEnv> {
  const respondToQuery = (c: Context<ApiEnv>, sql: string) => {
    if (sql.length > QUERY_MAX) return c.text('The query is too long', 400)
    try {
      return c.json(queryPoints(telemetry, c.get('account').id, sql))
    } catch (error) {
      if (error instanceof SqlError) return c.text(error.message, 400)
      throw error
    }
  }
  return new Hono<ApiEnv>()
    .use(requireScope('account-analytics.read'))
    .get('/sql', (c) => respondToQuery(c, c.req.query('query') ?? ''))
    .post('/sql', async (c) => respondToQuery(c, await c.req.text()))
}
