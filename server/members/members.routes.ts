import * as z from 'zod'
import { endpoint, group } from '../endpoint.ts'
import { Key } from '../keys/keys.routes.ts'
import { readBelongings, settleBelongings } from './belongings.ts'

const Choice = z.enum(['remove', 'hand_over'])

export const memberRoutes = group('Members', {
  readMemberBelongings: endpoint({
    route: 'GET /members/:memberId/belongings',
    scope: 'session',
    summary: 'List what a member has made that stays when the member leaves',
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
      "Call it before the member is removed. Otherwise the end of the membership revokes the person's API keys, and their webhooks and ingest sources stay with the organization. A key that is handed over still works for everyone who has a copy. Returns how many of each were removed or handed over.",
    body: z.object({ apiKeys: Choice, webhooks: Choice, ingestSources: Choice }),
    returns: z.object({ apiKeys: z.int(), webhooks: z.int(), ingestSources: z.int() }),
    fails: ['forbidden'],
    handle: ({ ctx, params, body }) => settleBelongings(ctx, params.memberId, body),
  }),
})
