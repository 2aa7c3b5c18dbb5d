import { prepared, transact, type Trx } from '../db/database.ts'
import { lookUp } from '../db/look-up.ts'
import { emit } from '../events/emit.ts'
import { JsonText } from '../http/endpoint.ts'
import { notFound } from '../http/errors.ts'
import type { Context } from '../platform.ts'
import { loadProject } from '../projects/projects.ts'
import { insertTicket } from './insert-ticket.ts'
import { requireGoodParent } from './parent.ts'
import {
  type NewTicket,
  type Ticket,
  TICKET_COLUMNS,
  type TicketChange,
  type TicketRow,
  ticketText,
} from './ticket.ts'

/** By `organization/project/ticket`, so that a look-up shared by several callers still asks for each of them. */
const ticketByPlace = lookUp<TicketRow & { place: string }>(
  'ticket-get',
  `select ${TICKET_COLUMNS}, place from unnest((select $1::text[])::text[]) place
   join tickets t on t.id = split_part(place, '/', 3)
     and place = concat_ws('/', t.org_id, t.project_id, t.id)`,
  (row) => row.place,
)

const selectPage = prepared<TicketRow>(
  'ticket-list',
  `select ${TICKET_COLUMNS} from tickets t where t.org_id = $1 and t.project_id = $2
   order by t.created_at desc, t.id desc limit $3`,
)

export async function getTicket(ctx: Context, projectId: string, ticketId: string): Promise<JsonText> {
  const row = await ticketByPlace(ctx.pool, [ctx.caller.organizationId, projectId, ticketId].join('/'))
  if (row === undefined) throw notFound('ticket')
  return new JsonText(ticketText(row))
}

/** The newest tickets, or every one when no limit is given. */
export async function listTickets(
  ctx: Context,
  projectId: string,
  limit: number | undefined,
): Promise<JsonText> {
  const rows = await selectPage(ctx.pool, [ctx.caller.organizationId, projectId, limit ?? null])
  // None at all: the project may be somebody else's.
  if (rows.length === 0) await loadProject(ctx, projectId)
  return new JsonText(`[${rows.map(ticketText).join(',')}]`)
}

export function createTicket(ctx: Context, projectId: string, input: NewTicket): Promise<Ticket> {
  return insertTicket(ctx, projectId, { ...input, origin: null, source: 'human' })
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
