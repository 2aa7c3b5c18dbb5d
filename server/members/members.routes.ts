import * as z from 'zod'
import { endpoint, group } from '../endpoint.ts'
import { Key } from '../keys/keys.routes.ts'
import { readBelongings, settleBelongings } from './belongings.ts'

const Choice = z.enum(['remove', 'hand_over'])

export const memberRoutes = group('Members', {
  readMemberBelongings: endpoint({
    route: 'GET /members/:memberId/belongings',
    scope: 'session',
    summary: 'What a member has made that outlives a membership',
    description: 'For owners and admins, and for the member in question.',
    returns: z.object({
      apiKeys: z.array(Key.omit({ createdBy: true })),
      webhooks: z.array(z.object({ id: z.string(), url: z.string() })),
      ingestSources: z.array(z.object({ id: z.string(), projectId: z.string(), projectName: z.string() })),
    }),
    fails: ['forbidden'],
    handle: ({ ctx, params }) => readBelongings(ctx, params.memberId),
  }),
  settleMemberBelongings: endpoint({
    route: 'POST /members/:memberId/belongings',
    scope: 'session',
    role: 'admin',
    summary: 'Remove what a member has made, or hand it over to the caller',
    description:
      'For use before a member is removed. A membership that ends otherwise revokes the API keys the person made; webhooks and ingest sources stay with the organization. A key that is handed over still works for everybody who has copied it. Answers how many of each were removed or handed over.',
    body: z.object({ apiKeys: Choice, webhooks: Choice, ingestSources: Choice }),
    returns: z.object({ apiKeys: z.int(), webhooks: z.int(), ingestSources: z.int() }),
    fails: ['forbidden'],
    handle: ({ ctx, params, body }) => settleBelongings(ctx, params.memberId, body),
  }),
})
