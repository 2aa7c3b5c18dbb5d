import * as z from 'zod'
import { isoTime } from '../lib/sql-json.ts'

export const TICKET_STATUSES = ['backlog', 'todo', 'in_progress', 'in_review', 'done', 'cancelled'] as const
export const TICKET_TYPES = ['epic', 'feature', 'task', 'bug', 'chore'] as const
export const TICKET_PRIORITIES = ['none', 'low', 'medium', 'high', 'urgent'] as const

/** A ticket as the API shows it. */
export const Ticket = z
  .object({
    id: z.string(),
    projectId: z.string(),
    title: z.string(),
    body: z.string(),
    status: z.enum(TICKET_STATUSES),
    type: z.enum(TICKET_TYPES),
    priority: z.enum(TICKET_PRIORITIES),
    dueAt: z.iso.datetime().nullable(),
    parent: z.string().nullable(),
    labels: z.array(z.string()),
    origin: z.string().nullable(),
    source: z.enum(['human', 'agent', 'ingest']),
    url: z.string().nullable(),
    build: z.object({
      state: z.enum(['idle', 'queued', 'running', 'awaiting']),
      runId: z.string().nullable(),
      outcome: z.enum(['built', 'awaiting', 'replied']).nullable(),
    }),
    createdBy: z.string().nullable(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Ticket' })

/** The same record made by Postgres; `t` is the tickets row. The build is that of the ticket's latest run. */
export const TICKET_COLUMNS = `t.id, t.project_id as "projectId", t.title, t.body, t.status, t.type, t.priority,
  ${isoTime('t.due_at')} as "dueAt", t.parent_id as parent, t.labels, t.origin, t.source, t.url,
  coalesce(
    (select json_build_object(
      'state', case when r.status in ('queued', 'running', 'awaiting') then r.status else 'idle' end,
      'runId', r.id, 'outcome', r.outcome)
    from runs r where r.ticket_id = t.id order by r.created_at desc, r.id desc limit 1),
    '{"state":"idle","runId":null,"outcome":null}'::json) as build,
  t.created_by as "createdBy", ${isoTime('t.created_at')} as "createdAt", ${isoTime('t.updated_at')} as "updatedAt"`

const Title = z.string().trim().min(1).max(200)
const Body = z.string().refine((text) => Buffer.byteLength(text) <= 65_536, 'must be at most 64 KiB')
const Labels = z
  .array(z.string().trim().min(1).max(50))
  .max(20)
  .refine(
    (labels) => new Set(labels.map((label) => label.toLowerCase())).size === labels.length,
    'must be unique, ignoring case',
  )
const DueAt = z.iso.datetime({ offset: true }).nullable()

export const NewTicket = z.object({
  title: Title,
  body: Body.default(''),
  status: z.enum(TICKET_STATUSES).default('todo'),
  type: z.enum(TICKET_TYPES).default('task'),
  priority: z.enum(TICKET_PRIORITIES).default('none'),
  dueAt: DueAt.default(null),
  parent: z.string().nullable().default(null),
  labels: Labels.default([]),
})
export type NewTicket = z.output<typeof NewTicket>

export const TicketChange = z.object({
  title: Title.optional(),
  body: Body.optional(),
  status: z.enum(TICKET_STATUSES).optional(),
  type: z.enum(TICKET_TYPES).optional(),
  priority: z.enum(TICKET_PRIORITIES).optional(),
  dueAt: DueAt.optional(),
  parent: z.string().nullable().optional(),
  labels: Labels.optional(),
})
export type TicketChange = z.output<typeof TicketChange>
