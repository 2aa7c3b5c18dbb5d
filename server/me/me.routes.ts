import * as z from 'zod'
import { endpoint, group, SCOPES } from '../http/endpoint.ts'
import { describeCaller } from './me.ts'

const Me = z
  .object({
    user: z
      .object({ id: z.string(), name: z.string(), email: z.string() })
      .nullable()
      .describe('Who is signed in, or who created the key; null when that person is gone.'),
    organization: z.object({ id: z.string(), name: z.string() }),
    role: z.enum(['owner', 'admin', 'member']).nullable().describe('Null for API keys.'),
    scopes: z.array(z.enum(SCOPES)),
    plan: z.enum(['free', 'starter', 'pro', 'enterprise']),
  })
  .meta({ id: 'Me' })

export const meRoutes = group('Me', {
  getMe: endpoint({
    route: 'GET /me',
    scope: 'any',
    summary: 'Read who is calling',
    returns: Me,
    handle: ({ ctx }) => describeCaller(ctx.caller),
  }),
})
