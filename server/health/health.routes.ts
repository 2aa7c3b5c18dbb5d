import { sql } from 'kysely'
import * as z from 'zod'
import { endpoint, group } from '../endpoint.ts'
import { ApiError } from '../http/errors.ts'
import { findUnready } from './readiness.ts'

export const healthRoutes = group('Operations', {
  getHealth: endpoint({
    route: 'GET /health',
    at: 'root',
    scope: 'public',
    summary: 'Check whether the service can do its work',
    description: 'Returns 503 `unavailable` while the database cannot be reached.',
    returns: z.object({ status: z.string(), service: z.string() }),
    handle: async ({ ctx }) => {
      await sql`select 1`.execute(ctx.db)
      return { status: 'ok', service: 'slipway' }
    },
  }),

  getLiveness: endpoint({
    route: 'GET /livez',
    at: 'root',
    scope: 'public',
    summary: 'Check whether the process runs',
    description:
      'Uses neither the database nor another service, so that a process manager does not restart the process when one of them is unavailable.',
    returns: z.object({ status: z.string() }),
    handle: () => ({ status: 'ok' }),
  }),

  getServiceReadiness: endpoint({
    route: 'GET /readyz',
    at: 'root',
    scope: 'public',
    needs: ['config', 'pool'],
    summary: 'Check whether all parts of the service are ready for work',
    description:
      'Returns 503 `unavailable` and names the parts that are not: database, migrations, worker heartbeat, data directory, local world.',
    returns: z.object({ status: z.string() }),
    fails: ['unavailable'],
    handle: async ({ ctx }) => {
      const unready = await findUnready(ctx)
      if (unready.length > 0) throw new ApiError('unavailable', `Not ready: ${unready.join(', ')}.`)
      return { status: 'ready' }
    },
  }),

  getServiceMetrics: endpoint({
    kind: 'bytes',
    route: 'GET /metrics',
    at: 'root',
    scope: 'public',
    needs: ['pool', 'streamPool', 'metrics'],
    summary: 'Read the metrics of the service, for Prometheus',
    description:
      'Needs `Authorization: Bearer <SLIPWAY_METRICS_TOKEN>`, no API key and no session. Returns 404 while that setting is empty.',
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
    fails: ['not_found', 'unauthorized'],
    handle: async ({ ctx, request }) => {
      const { metrics } = ctx
      if (metrics === null) throw new ApiError('not_found', 'No route GET /metrics.')
      if (!metrics.admits(request.headers.get('authorization')))
        throw new ApiError('unauthorized', 'Send the metrics token as Authorization: Bearer <token>.')
      return { body: await metrics.text(ctx, ctx.log), contentType: metrics.contentType }
    },
  }),
})
