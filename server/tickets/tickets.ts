import { preparedQuery } from '../db/database.ts'
import { namedSql } from '../db/named-sql.ts'
import { batchedLookup } from '../db/batched-lookup.ts'
import { readCursor } from '../db/read-cursor.ts'
import type { Context } from '../endpoint.ts'
import { JsonStream, RawJson } from '../http/endpoint.ts'
import { notFound } from '../http/errors.ts'
import { loadProject } from '../projects/projects.ts'
import { PAGE_COLUMNS, TICKET_COLUMNS, type TicketRow, ticketText } from './ticket.ts'

/**
 * Concurrent requests share one query (`batchedLookup`). The key contains organization and project, so that each
 * caller gets only a ticket of its own project.
 */
const lookUpTicket = batchedLookup<TicketRow & { place: string }>(
  'ticket-get',
  `select ${TICKET_COLUMNS}, place from unnest((select :keys::text[])::text[]) place
   join tickets t on t.id = split_part(place, '/', 3)
     and place = concat_ws('/', t.org_id, t.project_id, t.id)`,
  (row) => row.place,
)

interface NewestTicketsParams {
  orgId: string
  projectId: string
  /** The maximum number of tickets to return; null for all tickets. */
  limit: number | null
}

const NEWEST_FIRST = `
  select ${PAGE_COLUMNS} from tickets t where t.org_id = :orgId and t.project_id = :projectId
  order by t.created_at desc, t.id desc limit :limit`
const selectPage = preparedQuery<TicketRow, NewestTicketsParams>('ticket-list', NEWEST_FIRST)
const selectAll = namedSql<NewestTicketsParams>(NEWEST_FIRST)

/** A longer list of tickets is streamed in batches instead of being kept in memory, because a ticket's body may have 64 KiB. */
const TICKETS_IN_MEMORY_MAX = 500
const STREAM_BATCH = 200

export async function getTicket(ctx: Context<'pool'>, projectId: string, ticketId: string): Promise<RawJson> {
  const row = await lookUpTicket(ctx.pool, [ctx.caller.organizationId, projectId, ticketId].join('/'))
  if (row === undefined) throw notFound('ticket')
  return new RawJson(ticketText(row))
}

/** Returns the newest tickets, or all of them when there is no limit. */
export async function listTickets(
  ctx: Context<'pool' | 'streamPool'>,
  projectId: string,
  limit: number | undefined,
): Promise<RawJson | JsonStream> {
  const orgId = ctx.caller.organizationId
  const rows = await selectPage(ctx.pool, { orgId, projectId, limit: limit ?? TICKETS_IN_MEMORY_MAX + 1 })
  // When there are no rows, the project may belong to another organization. The caller then gets a 404.
  if (rows.length === 0) await loadProject(ctx, projectId)
  if (limit === undefined && rows.length > TICKETS_IN_MEMORY_MAX)
    return new JsonStream(everyTicket(ctx, projectId))
  return new RawJson(`[${rows.map(ticketText).join(',')}]`)
}

async function* everyTicket(ctx: Context<'streamPool'>, projectId: string): AsyncGenerator<string> {
  let before = '['
  const params = selectAll.values({ orgId: ctx.caller.organizationId, projectId, limit: null })
  const options = { batch: STREAM_BATCH, signal: ctx.signal }
  for await (const rows of readCursor<TicketRow>(ctx.streamPool, selectAll.text, params, options)) {
    yield before + rows.map(ticketText).join(',')
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}
