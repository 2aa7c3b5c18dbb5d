import * as z from 'zod'

const textField = z.string()

/**
 * The eleven event types of the public API and their `data`. Receivers depend on both
 * (docs/guides/webhooks.md#what-arrives).
 */
export const EVENT_DATA = {
  'project.created': z.object({ name: textField, slug: textField }),
  'ticket.created': z.object({
    ticketId: textField,
    title: textField,
    type: z.enum(['epic', 'feature', 'task', 'bug', 'chore']),
    source: z.enum(['human', 'agent', 'ingest']),
  }),
  'ticket.updated': z.object({ ticketId: textField, changed: z.array(textField) }),
  'ticket.build.succeeded': z.object({
    ticketId: textField,
    runId: textField,
    sha: textField,
    previewUrl: textField.nullable(),
  }),
  'ticket.build.failed': z.object({
    ticketId: textField,
    runId: textField,
    error: z.object({ kind: textField, message: textField }),
  }),
  'project.deployed': z.object({ url: textField, sha: textField }),
  'project.rolled_back': z.object({ resourceId: textField, production: z.literal(true).optional() }),
  'project.reverted': z.object({ sha: textField }),
  'project.renamed': z.object({ name: textField, previousName: textField, slug: textField }),
  'project.archived': z.object({}),
  'project.deleted': z.object({ name: textField }),
} as const

export type EventType = keyof typeof EVENT_DATA
export type EventData<Type extends EventType> = z.input<(typeof EVENT_DATA)[Type]>
