import { sql } from 'kysely'
import type { TicketStatus } from '../db/tables/tickets.ts'
import type { JsonText } from '../http/endpoint.ts'
import type { Cursor } from '../http/query.ts'
import { containsPattern, foldText } from '../lib/fold.ts'
import type { Context } from '../platform.ts'
import { loadProject } from '../projects/projects.ts'
import { TICKET_COLUMNS } from './ticket.ts'
import { PLACE_COLUMNS, type PlacedTicket, ticketCursor, ticketPage } from './ticket-page.ts'

/** How many tickets one request looks at when no index knows the text. */
const WALK_ROWS = 50_000

export interface TicketSearch {
  q?: string | undefined
  status?: TicketStatus | undefined
  label?: string | undefined
  cursor?: string | undefined
  limit: number
}

/**
 * Tickets that satisfy every filter given, newest first. A text no index can find is looked for ticket by ticket; the
 * page then ends after `walkRows` tickets, with as many hits as there were and a cursor to go on from.
 */
export async function searchTickets(
  ctx: Context,
  projectId: string,
  search: TicketSearch,
  walkRows = WALK_ROWS,
): Promise<JsonText> {
  const { limit } = search
  const text = search.q === undefined ? '' : foldText(search.q)
  const wanted = { ...search, text, after: ticketCursor(search.cursor) }
  const walks = text !== '' && !isIndexed(text)
  const source = walks ? walked(ctx, projectId, wanted, walkRows) : found(ctx, projectId, wanted)
  const { rows } = await sql<PlacedTicket & { hit: boolean; place: number }>`
    select ${sql.raw(TICKET_COLUMNS)}, ${sql.raw(PLACE_COLUMNS)}, t.hit, t.place from (${source}) t
    order by t.created_at desc, t.id desc`.execute(ctx.db)
  if (rows.length === 0) await loadProject(ctx, projectId)
  if (rows.length > limit) return ticketPage(rows.slice(0, limit), rows[limit - 1])
  const last = rows.at(-1)
  const hits = rows.filter((row) => row.hit)
  return ticketPage(hits, walks && last?.place === walkRows ? last : undefined)
}

/**
 * Whether the trigram index can narrow a search for this text. It takes three letters or digits side by side; which
 * others than these count as letters depends on the server's locale.
 */
const isIndexed = (text: string): boolean => /[a-z0-9]{3}/.test(text)

type Wanted = TicketSearch & { text: string; after: Cursor | undefined }

/** The hits, by whichever index the planner finds best for these very values. */
const found = (ctx: Context, projectId: string, wanted: Wanted) => sql`
  select t.*, true as hit, 0 as place from tickets t
  where ${ofProject(ctx, projectId, wanted)} and ${matches(wanted)}
  order by t.created_at desc, t.id desc limit ${wanted.limit + 1}`

/** The hits among the next tickets, and the last ticket looked at, hit or not. */
const walked = (ctx: Context, projectId: string, wanted: Wanted, walkRows: number) => sql`
  select * from (
    select t.*, ${matches(wanted)} as hit from (
      select t.*, row_number() over (order by t.created_at desc, t.id desc) as place from tickets t
      where ${ofProject(ctx, projectId, wanted)}
      order by t.created_at desc, t.id desc limit ${walkRows}) t) t
  where hit or place = ${walkRows} limit ${wanted.limit + 1}`

/** What the newest-first indexes of a project and of its statuses are ordered by. */
const ofProject = (ctx: Context, projectId: string, { status, after }: Wanted) => sql`
  t.org_id = ${ctx.caller.organizationId} and t.project_id = ${projectId}
  ${status === undefined ? sql`` : sql`and t.status = ${status}`}
  ${after === undefined ? sql`` : sql`and (t.created_at, t.id) < (${after.at}, ${after.id})`}`

const matches = ({ text, label }: Wanted) => sql`(true
  ${text === '' ? sql`` : sql`and t.search_fold like ${containsPattern(text)}`}
  ${label === undefined ? sql`` : sql`and t.labels @> array[${label}]::text[]`})`
