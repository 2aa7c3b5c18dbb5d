import * as z from 'zod'
import { endpoint, group } from '../endpoint.ts'
import { EVENT_DATA } from '../events/event-types.ts'
import { createWebhook, deleteWebhook, ENDPOINTS_MAX, listWebhooks } from './webhooks.ts'
import { declaredKeys } from '../lib/keys.ts'

const EVENT_NAMES = declaredKeys(EVENT_DATA)
const EventName = z.enum([...EVENT_NAMES, '*'])

/** A webhook endpoint without its secret, which only the response that creates it contains. */
export const WebhookEndpoint = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(EventName),
    lastDeliveryAt: z.iso.datetime().nullable().describe('The last successful delivery.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'WebhookEndpoint' })

const NewWebhook = z.object({
  url: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .describe('An http or https address that is not private.'),
  events: z
    .array(EventName)
    .min(1)
    .max(EVENT_NAMES.length)
    .refine((names) => !names.includes('*') || names.length === 1, 'must be event names, or "*" alone')
    .describe('Names of events, or ["*"] for all of them.'),
})

export const webhookRoutes = group('Webhooks', {
  listWebhooks: endpoint({
    route: 'GET /webhooks',
    scope: 'projects:read',
    summary: 'List webhook endpoints, newest first',
    returns: z.array(WebhookEndpoint),
    handle: ({ ctx }) => listWebhooks(ctx),
  }),
  createWebhook: endpoint({
    route: 'POST /webhooks',
    scope: 'session',
    needs: ['config', 'keyring'],
    summary: 'Subscribe an address to events',
    description: `Only this response contains the signing secret. An organization has at most ${ENDPOINTS_MAX} endpoints.`,
    body: NewWebhook,
    returns: z.object({ id: z.string(), secret: z.string() }),
    fails: ['conflict'],
    handle: ({ ctx, body }) => createWebhook(ctx, body),
  }),
  deleteWebhook: endpoint({
    route: 'DELETE /webhooks/:id',
    scope: 'projects:write',
    summary: 'Delete a webhook endpoint',
    description: 'Deliveries that still wait for it are dropped.',
    returns: z.object({ id: z.string() }),
    handle: ({ ctx, params }) => deleteWebhook(ctx, params.id),
  }),
})
