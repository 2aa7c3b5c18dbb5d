import { sql } from 'kysely'
import { prepared, transact, type Trx } from '../db/database.ts'
import { emit } from '../events/emit.ts'
import { JsonText } from '../http/endpoint.ts'
import { notFound } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'
import type { Context } from '../platform.ts'
import { requireGoodParent } from './parent.ts'
import { type NewTicket, TICKET_COLUMNS, type TicketChange } from './ticket.ts'

const selectOne = prepared<{ data: string }>(
  'ticket-get',
  `select row_to_json(r)::text as data from (
     select ${TICKET_COLUMNS} from tickets t where t.org_id = $1 and t.project_id = $2 and t.id = $3) r`,
)

/** A null `data` means that the project is not this organization's; an empty one that it has no tickets. */
const selectPage = prepared<{ data: string | null }>(
  'ticket-list',
  `select (
     select coalesce(json_agg(r), '[]')::text from (
       select ${TICKET_COLUMNS} from tickets t where t.org_id = p.org_id and t.project_id = p.id
       order by t.created_at desc, t.id desc limit $3) r
   ) as data from projects p where p.org_id = $1 and p.id = $2`,
)

export async function getTicket(ctx: Context, projectId: string, ticketId: string): Promise<JsonText> {
  const [row] = await selectOne(ctx.pool, [ctx.caller.organizationId, projectId, ticketId])
  if (row === undefined) throw notFound('ticket')
  return new JsonText(row.data)
}

/** The newest tickets, or every one when no limit is given. */
export async function listTickets(
  ctx: Context,
  projectId: string,
  limit: number | undefined,
): Promise<JsonText> {
  const [row] = await selectPage(ctx.pool, [ctx.caller.organizationId, projectId, limit ?? null])
  if (row?.data === undefined || row.data === null) throw notFound('project')
  return new JsonText(row.data)
}

export interface TicketDraft extends NewTicket {
  origin: string | null
  source: 'human' | 'agent' | 'ingest'
}

export async function createTicket(ctx: Context, projectId: string, input: NewTicket): Promise<JsonText> {
  return insertTicket(ctx, projectId, { ...input, origin: null, source: 'human' })
}

/** Stores a ticket, its `ticket.created` event and whatever else belongs to it (`also`) together. */
export async function insertTicket(
  ctx: Context,
  projectId: string,
  draft: TicketDraft,
  also?: (trx: Trx) => Promise<void>,
): Promise<JsonText> {
  const id = newId('tkt')
  const at = ctx.clock.now()
  const orgId = ctx.caller.organizationId
  await transact(ctx.db, async (trx) => {
    if (draft.parent !== null)
      await requireGoodParent(trx, { orgId, projectId, ticketId: id, parent: draft.parent })
    // The project is read by the same statement: a foreign or unknown one inserts nothing.
    const stored = await sql`
      insert into tickets (id, org_id, project_id, title, body, status, type, priority, due_at, parent_id, labels,
        origin, source, created_by, created_at, updated_at)
      select ${id}, p.org_id, p.id, ${draft.title}, ${draft.body}, ${draft.status}, ${draft.type},
        ${draft.priority}, ${dateOf(draft.dueAt)}::timestamptz, ${draft.parent}, ${draft.labels}::text[],
        ${draft.origin}, ${draft.source}, ${ctx.caller.actorId}, ${at}::timestamptz, ${at}::timestamptz
      from projects p where p.org_id = ${orgId} and p.id = ${projectId}`.execute(trx)
    if (stored.numAffectedRows !== 1n) throw notFound('project')
    const data = { ticketId: id, title: draft.title, type: draft.type, source: draft.source }
    await emit(trx, { type: 'ticket.created', orgId, projectId, data, at })
    await also?.(trx)
  })
  return getTicket(ctx, projectId, id)
}

/** Changes the fields that are given; fields that already have the value fire no event. */
export async function updateTicket(
  ctx: Context,
  projectId: string,
  ticketId: string,
  change: TicketChange,
): Promise<JsonText> {
  const orgId = ctx.caller.organizationId
  await transact(ctx.db, async (trx) => {
    const before = await lockTicket(trx, orgId, projectId, ticketId)
    if (change.parent !== undefined && change.parent !== null && change.parent !== before.parent_id)
      await requireGoodParent(trx, { orgId, projectId, ticketId, parent: change.parent })
    const next = {
      title: change.title ?? before.title,
      body: change.body ?? before.body,
      status: change.status ?? before.status,
      type: change.type ?? before.type,
      priority: change.priority ?? before.priority,
      due_at: change.dueAt === undefined ? before.due_at : dateOf(change.dueAt),
      parent_id: change.parent === undefined ? before.parent_id : change.parent,
      labels: change.labels ?? before.labels,
    }
    const changed = Object.keys(FIELD_OF).filter(
      (column) =>
        JSON.stringify(next[column as keyof typeof next]) !==
        JSON.stringify(before[column as keyof typeof next]),
    )
    if (changed.length === 0) return
    const at = ctx.clock.now()
    await trx
      .updateTable('tickets')
      .set({ ...next, updated_at: at })
      .where('org_id', '=', orgId)
      .where('id', '=', ticketId)
      .execute()
    const data = { ticketId, changed: changed.map((column) => FIELD_OF[column as keyof typeof FIELD_OF]) }
    await emit(trx, { type: 'ticket.updated', orgId, projectId, data, at })
  })
  return getTicket(ctx, projectId, ticketId)
}

/** Column to the field's name in the API. */
const FIELD_OF = {
  title: 'title',
  body: 'body',
  status: 'status',
  type: 'type',
  priority: 'priority',
  due_at: 'dueAt',
  parent_id: 'parent',
  labels: 'labels',
} as const

async function lockTicket(trx: Trx, orgId: string, projectId: string, ticketId: string) {
  const row = await trx
    .selectFrom('tickets')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('project_id', '=', projectId)
    .where('id', '=', ticketId)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw notFound('ticket')
  return row
}

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text))
