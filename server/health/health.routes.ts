import { sql } from 'kysely'
import * as z from 'zod'
import { endpoint, group } from '../http/endpoint.ts'

export const healthRoutes = group('Operations', {
  getHealth: endpoint({
    route: 'GET /health',
    at: 'root',
    scope: 'public',
    summary: 'Whether the service can do its work',
    description: 'Answers 503 `unavailable` while the database is away.',
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
    summary: 'Whether the process runs',
    description:
      'Asks nobody else, so a process manager does not restart a service because its database is away.',
    returns: z.object({ status: z.string() }),
    handle: () => ({ status: 'ok' }),
  }),
})
