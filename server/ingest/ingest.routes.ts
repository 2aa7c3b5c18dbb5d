import * as z from 'zod'
import { endpoint, group } from '../endpoint.ts'
import { acceptIdea } from './accept-idea.ts'
import { createSource, listSources, removeSource } from './sources.ts'

const Source = z
  .object({
    id: z.string(),
    projectId: z.string(),
    webhookUrl: z.string().describe('Where ideas are posted to.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'IngestSource' })

const Idea = z
  .object({
    title: z.string().optional(),
    text: z.string().optional(),
    id: z.string().optional().describe('Your own id for the idea: a repeat is the same idea.'),
    url: z.string().optional().describe('Linked from the ticket.'),
  })
  .meta({ id: 'Idea' })

export const ingestRoutes = group('Ingest', {
  listIngestSources: endpoint({
    route: 'GET /ingest',
    scope: 'projects:read',
    needs: ['config'],
    summary: 'List ingest sources, newest first',
    returns: z.array(Source),
    handle: ({ ctx }) => listSources(ctx),
  }),
  createIngestSource: endpoint({
    route: 'POST /ingest',
    scope: 'session',
    needs: ['config', 'keyring'],
    summary: 'Create an address that turns signed posts into tickets of a project',
    description: 'Only this response contains the secret.',
    body: z.object({ projectId: z.string() }),
    returns: z.object({ id: z.string(), secret: z.string(), webhookUrl: z.string() }),
    fails: ['not_found', 'conflict'],
    handle: ({ ctx, body }) => createSource(ctx, body.projectId),
  }),
  deleteIngestSource: endpoint({
    route: 'DELETE /ingest/:id',
    scope: 'projects:write',
    summary: 'Remove an ingest source',
    description: 'Its address returns 404 from then on. Ideas that it has accepted still become tickets.',
    returns: z.object({ id: z.string() }),
    handle: ({ ctx, params }) => removeSource(ctx, params.id),
  }),
})

/** The route that senders post to. It has no API prefix: `SLIPWAY_INGEST_URL` is its base address. */
export const ingressRoutes = group('Ingest ingress', {
  postIdea: endpoint({
    route: 'POST /i/:id',
    at: 'root',
    scope: 'public',
    needs: ['pool', 'keyring'],
    kind: 'status',
    summary: 'Post an idea, signed with the secret of its source',
    description: 'Responds with a status and no body.',
    signedBy: 'Service-Signature',
    sends: Idea,
    statuses: {
      202: 'Stored; the ticket appears afterwards.',
      204: 'Rightly signed, but neither title nor text: ignored.',
      413: 'The body is larger than 256 KiB.',
    },
    fails: ['unauthorized'],
    // Counted after the signature was checked, because unsigned posts must not use up the source's limit.
    limit: { counter: 'ingest', per: 'path', perMinute: 120, countedBy: 'handler' },
    handle: ({ ctx, params, request, spend }) => acceptIdea(ctx, { sourceId: params.id, request, spend }),
  }),
})
