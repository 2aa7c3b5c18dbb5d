import * as z from 'zod'
import { endpoint, group } from '../endpoint.ts'
import { KEY_SCOPES } from '../http/scopes.ts'
import { createKey, listKeys, revokeKey } from './keys.ts'

const Scope = z.enum(KEY_SCOPES)

export const Key = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string().describe('The first characters, to recognise a key by; the rest is not stored.'),
    scopes: z.array(Scope),
    source: z.enum(['console', 'device']),
    createdBy: z.object({ id: z.string(), name: z.string() }).nullable(),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable(),
    expiresAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ApiKey' })

const NewKey = z.object({
  name: z.string().trim().min(1).max(80),
  scopes: z.array(Scope).min(1).optional().describe('Omitted: every scope except deploy:write.'),
  expiresInDays: z.int().min(1).max(3650).optional().describe('Omitted: the key does not expire.'),
})

export const keyRoutes = group('Keys', {
  listKeys: endpoint({
    route: 'GET /keys',
    scope: 'session',
    summary: 'List API keys, newest first',
    description:
      'Expired keys stay listed, and count towards the limit of keys, until they are revoked or 30 days have passed.',
    returns: z.array(Key),
    handle: ({ ctx }) => listKeys(ctx),
  }),
  createKey: endpoint({
    route: 'POST /keys',
    scope: 'session',
    summary: 'Create an API key',
    description: 'Only this response contains the key itself.',
    body: NewKey,
    returns: z.object({ id: z.string(), prefix: z.string(), key: z.string(), scopes: z.array(Scope) }),
    fails: ['conflict'],
    handle: ({ ctx, body }) => createKey(ctx, body),
  }),
  revokeKey: endpoint({
    route: 'DELETE /keys/:id',
    scope: 'session',
    summary: 'Revoke an API key',
    returns: z.object({ id: z.string() }),
    handle: ({ ctx, params }) => revokeKey(ctx, params.id),
  }),
})
