import { isInQueueOf, isQueued, latestRun } from '../sql/builds.ts'
import { type ExportedTable, listField } from '../lib/exported.ts'
import * as z from 'zod'
import { AttachmentKeys } from '../attachments/load.ts'
import { DependsOn } from './dependencies.ts'
import { foldText } from '../lib/fold.ts'
import { isoTime, jsonFields, jsonList, jsonTime, jsonValue, jsonWord, jsonOrNull } from '../lib/sql-json.ts'

export const TICKET_STATUSES = ['backlog', 'todo', 'in_progress', 'in_review', 'done', 'cancelled'] as const
export const TICKET_TYPES = ['epic', 'feature', 'task', 'bug', 'chore'] as const
export const TICKET_PRIORITIES = ['none', 'low', 'medium', 'high', 'urgent'] as const

/**
 * Why a queued ticket leaves the queue without a build: its model cannot read its attachments, its last run
 * waits for answers, or its builds have used all tokens that a ticket may use.
 */
export const QUEUE_REFUSALS = ['attachments', 'awaiting', 'ticket_tokens'] as const
export type QueueRefusal = (typeof QUEUE_REFUSALS)[number]

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
    dependsOn: z
      .array(z.string())
      .describe('Ids of the tickets that must be in review or done before the queue builds this one.'),
    origin: z.string().nullable(),
    source: z.enum(['human', 'agent', 'ingest']),
    url: z.string().nullable(),
    build: z.object({
      state: z.enum(['idle', 'queued', 'running', 'awaiting']),
      runId: z.string().nullable(),
      outcome: z.enum(['built', 'awaiting', 'replied']).nullable(),
      refused: z
        .enum(QUEUE_REFUSALS)
        .nullable()
        .describe(
          'Why the ticket left the build queue without a build; null again once it is queued or built.',
        ),
    }),
    attachments: z.array(z.string()).describe('Keys of the attachments that go into every build.'),
    createdBy: z.string().nullable(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Ticket' })

export type Ticket = z.output<typeof Ticket>

export const NO_BUILD: Ticket['build'] = { state: 'idle', runId: null, outcome: null, refused: null }

const QUEUE_REFUSAL_SQL = jsonOrNull(jsonWord('t.queue_refusal'))

/**
 * SQL of a ticket's build: its latest run, or its place in the queue. Most tickets have neither. Do not use `exists` to check for a run,
 * because Postgres may then read all runs of the installation instead of only the runs of the page's tickets.
 */
const buildJson = (isWaiting: string): string => `coalesce(
  (select '{' || ${jsonFields({
    state: jsonWord(`case when r.status in ('queued', 'running') then r.status
      when ${isWaiting} then 'queued' when r.status = 'awaiting' then r.status else 'idle' end`),
    runId: jsonWord('r.id'),
    outcome: jsonOrNull(jsonWord('r.outcome')),
    refused: QUEUE_REFUSAL_SQL,
  })} || '}' from ${latestRun('t')}),
  case when t.queue_refusal is null and not ${isWaiting} then '${JSON.stringify(NO_BUILD)}'
  else '{' || ${jsonFields({
    state: jsonWord(`case when ${isWaiting} then 'queued' else 'idle' end`),
    runId: `'null'`,
    outcome: `'null'`,
    refused: QUEUE_REFUSAL_SQL,
  })} || '}' end)`

/**
 * Returns SQL of the JSON fields of a ticket (`t`), without title and body. `ticketText` adds these two, because escaping long texts in
 * Postgres is slow. `isWaiting` is SQL of the condition that the ticket waits in the build queue.
 */
const ticketFields = (isWaiting: string): string =>
  jsonFields({
    id: jsonWord('t.id'),
    projectId: jsonWord('t.project_id'),
    status: jsonWord('t.status'),
    type: jsonWord('t.type'),
    priority: jsonWord('t.priority'),
    dueAt: jsonOrNull(jsonTime('t.due_at')),
    parent: jsonOrNull(jsonWord('t.parent_id')),
    labels: jsonValue('t.labels'),
    dependsOn: jsonList('t.depends_on'),
    attachments: jsonList('t.attachments'),
    origin: jsonOrNull(jsonValue('t.origin')),
    source: jsonWord('t.source'),
    url: jsonOrNull(jsonValue('t.url')),
    build: buildJson(isWaiting),
    createdBy: jsonOrNull(jsonValue('t.created_by')),
    createdAt: jsonTime('t.created_at'),
    updatedAt: jsonTime('t.updated_at'),
  })

/** The fields of the tickets of a page. All these tickets belong to the project `:projectId`, a parameter of the statement. */
export const PAGE_FIELDS = ticketFields(isInQueueOf('t', ':projectId'))

/** The columns that `ticketText` needs; `t` is the ticket's row. */
export const PAGE_COLUMNS = `${PAGE_FIELDS} as fields, t.title, t.body`
export const TICKET_COLUMNS = `${ticketFields(isQueued('t'))} as fields, t.title, t.body`

export interface TicketRow {
  fields: string
  title: string
  body: string
}

/** Returns a ticket as JSON text. Title and body are escaped here, because escaping in Postgres takes forty times as long. */
export const ticketText = ({ fields, title, body }: TicketRow): string =>
  `{${fields},"title":${JSON.stringify(title)},"body":${JSON.stringify(body)}}`

/**
 * Returns the text that searches compare, without differences in case and full-width forms. Store it whenever the title or the body
 * changes.
 */
export const searchText = (ticket: { title: string; body: string }): string =>
  foldText(`${ticket.title}\n${ticket.body}`)

const Title = z.string().trim().min(1).max(200)
const Body = z.string().refine((text) => Buffer.byteLength(text) <= 65_536, 'must be at most 64 KiB')
const Labels = z
  .array(z.string().trim().min(1).max(50))
  .max(20)
  .refine((labels) => new Set(labels.map(foldText)).size === labels.length, 'must be unique, ignoring case')
// Outside these years Postgres, JavaScript and ISO 8601 write dates differently.
const hasCommonYear = (text: string): boolean => {
  const year = new Date(text).getUTCFullYear()
  return year >= 1 && year <= 9999
}
const DueAt = z.iso
  .datetime({ offset: true })
  .refine(hasCommonYear, 'must be in the years 1 to 9999')
  .nullable()

const DEPENDS_ON =
  'Ids of tickets of this project that must be built first, at most 20; the build queue waits for them.'

export const NewTicket = z.object({
  title: Title,
  body: Body.default(''),
  status: z.enum(TICKET_STATUSES).default('todo'),
  type: z.enum(TICKET_TYPES).default('task'),
  priority: z.enum(TICKET_PRIORITIES).default('none'),
  dueAt: DueAt.default(null),
  parent: z.string().nullable().default(null),
  labels: Labels.default([]),
  dependsOn: DependsOn.default([]).describe(DEPENDS_ON),
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
  dependsOn: DependsOn.optional().describe(DEPENDS_ON),
  attachments: AttachmentKeys.optional().describe(
    'Keys of all attachments of the ticket from now on; one that is new must be finalized. A build says whether its model can read them.',
  ),
})
export type TicketChange = z.output<typeof TicketChange>

export const EXPORTED_TICKETS: ExportedTable = {
  fields: {
    id: 'id',
    projectId: 'project_id',
    title: 'title',
    body: 'body',
    status: 'status',
    type: 'type',
    priority: 'priority',
    dueAt: isoTime('due_at'),
    parent: 'parent_id',
    labels: listField('labels'),
    dependsOn: listField('depends_on'),
    origin: 'origin',
    source: 'source',
    url: 'url',
    attachments: listField('attachments'),
    createdBy: 'created_by',
    createdAt: isoTime('created_at'),
    updatedAt: isoTime('updated_at'),
  },
  from: 'tickets where org_id = $1 order by created_at, id',
}
