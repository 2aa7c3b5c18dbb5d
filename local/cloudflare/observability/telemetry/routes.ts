import { Hono } from 'hono'
import { queryTelemetry, TelemetryQuery } from './query.ts'
import type { ApiEnv } from '../../rest/context.ts'
import { respond } from '../../rest/envelope.ts'
import { ApiFailure } from '../../rest/failure.ts'
import { readBody } from '../../rest/read-body.ts'
import type { Telemetry } from './telemetry.ts'

const TELEMETRY_SCOPES = ['workers-observability.read', 'workers-observability.write']

/** As at the provider, a query is a POST even though it only reads. */
export function telemetryRoutes({ telemetry }: { telemetry: Telemetry }): Hono<ApiEnv> {
  return new Hono<ApiEnv>().post('/workers/observability/telemetry/query', async (c) => {
    const { scopes } = c.get('token')
    if (scopes.length > 0 && !TELEMETRY_SCOPES.some((scope) => scopes.includes(scope)))
      throw new ApiFailure(403, 10000, `Authentication error: the token lacks ${TELEMETRY_SCOPES[0]}`)
    return respond(c, queryTelemetry(telemetry, c.get('account').id, await readBody(c, TelemetryQuery)))
  })
}
