import * as z from 'zod'
import { endpoint, group } from '../http/endpoint.ts'
import { describeConnections } from './connections.ts'

const Connections = z
  .object({
    cloudflare: z.object({
      connected: z.boolean(),
      account: z
        .object({ id: z.string(), name: z.string().nullable(), subdomain: z.string().nullable() })
        .nullable(),
      method: z.enum(['oauth', 'token']).nullable(),
      scopes: z.array(z.string()),
      missingScopes: z.array(z.string()),
    }),
    github: z.object({ connected: z.boolean(), login: z.string().nullable() }),
    role: z.enum(['owner', 'admin', 'member']).nullable(),
  })
  .meta({ id: 'Connections' })

export const connectionRoutes = group('Connections', {
  getConnections: endpoint({
    route: 'GET /connections',
    scope: 'session',
    summary: 'Which cloud and code-hosting accounts are connected',
    returns: Connections,
    handle: ({ ctx }) => describeConnections(ctx),
  }),
})
