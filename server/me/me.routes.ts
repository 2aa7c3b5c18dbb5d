import * as z from 'zod'
import { PLANS } from '../billing-plans.ts'
import { endpoint, group } from '../endpoint.ts'
import type { Caller } from '../http/caller.ts'
import { KEY_SCOPES } from '../http/scopes.ts'

const Me = z
  .object({
    user: z
      .object({ id: z.string(), name: z.string(), email: z.string() })
      .nullable()
      .describe('Who is signed in, or who created the key; null when that person is gone.'),
    organization: z.object({ id: z.string(), name: z.string() }),
    role: z.enum(['owner', 'admin', 'member']).nullable().describe('Null for API keys.'),
    scopes: z.array(z.enum(KEY_SCOPES)),
    plan: z.enum(PLANS),
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

function describeCaller(caller: Caller) {
  const { userId, userName, email, organizationId, organizationName, role, scopes, plan } = caller
  return {
    user: userId === null ? null : { id: userId, name: userName ?? '', email: email ?? '' },
    organization: { id: organizationId, name: organizationName },
    role,
    scopes: KEY_SCOPES.filter((scope) => scopes.has(scope)),
    plan,
  }
}
