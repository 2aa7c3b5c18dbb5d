import { prepared } from '../db/database.ts'
import { lookUp } from '../db/look-up.ts'
import { JsonText } from '../http/endpoint.ts'
import { notFound } from '../http/errors.ts'
import type { Context } from '../platform.ts'
import { loadProject } from '../projects/projects.ts'
import { insertTicket } from './insert-ticket.ts'
import { type NewTicket, type Ticket, TICKET_COLUMNS, type TicketRow, ticketText } from './ticket.ts'

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
