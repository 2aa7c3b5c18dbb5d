import * as z from 'zod'

const text = z.string()

/** The eleven event types of the contract and their `data`. Receivers depend on both (docs/guides/webhooks.md#what-arrives). */
export const EVENT_DATA = {
  'project.created': z.object({ name: text, slug: text }),
  'ticket.created': z.object({
    ticketId: text,
    title: text,
    type: z.enum(['epic', 'feature', 'task', 'bug', 'chore']),
    source: z.enum(['human', 'agent', 'ingest']),
  }),
  'ticket.updated': z.object({ ticketId: text, changed: z.array(text) }),
  'ticket.build.succeeded': z.object({
    ticketId: text,
    runId: text,
    sha: text,
    previewUrl: text.nullable(),
  }),
  'ticket.build.failed': z.object({
    ticketId: text,
    runId: text,
    error: z.object({ kind: text, message: text }),
  }),
  'project.deployed': z.object({ url: text, sha: text }),
  'project.rolled_back': z.object({ resourceId: text, production: z.literal(true).optional() }),
  'project.reverted': z.object({ sha: text }),
  'project.renamed': z.object({ name: text, previousName: text, slug: text }),
  'project.archived': z.object({}),
  'project.deleted': z.object({ name: text }),
} as const

export type EventType = keyof typeof EVENT_DATA
export type EventData<Type extends EventType> = z.input<(typeof EVENT_DATA)[Type]>
