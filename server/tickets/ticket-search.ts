import { sql } from 'kysely'
import { preparedQuery } from '../db/database.ts'
import type { TicketPriority, TicketStatus, TicketType } from '../db/tables/tickets.ts'
import type { CallerContext, Context } from '../endpoint.ts'
import type { RawJson } from '../http/endpoint.ts'
import type { Cursor } from '../http/query.ts'
import { containsPattern, foldText } from '../lib/fold.ts'
import { loadProject } from '../projects/projects.ts'
import { PAGE_COLUMNS, type TicketRow } from './ticket.ts'
import { spellingsOf } from './ticket-counts.ts'
import { CURSOR_COLUMNS, type TicketPageRow, ticketCursor, ticketPage } from './ticket-page.ts'

/** The highest number of tickets that one request scans when no index can find the text. */
const WALK_ROWS = 50_000
/** Up to this number of tickets even the worst query plan takes milliseconds (2.5 ms per thousand). */
const ANY_PLAN_TICKETS_MAX = 5_000

export interface TicketSearch {
  q?: string | undefined
  status?: TicketStatus | undefined
  type?: TicketType | undefined
  priority?: TicketPriority | undefined
  label?: string | undefined
  cursor?: string | undefined
  limit: number
}

/**
 * Returns the tickets that match every given filter, the newest first. Where no index can be used, tickets
 * are scanned: the page then ends after `walkRows` tickets with the matches so far and a cursor to continue.
 */
export async function searchTickets(
  ctx: Context<'pool'>,
  projectId: string,
  search: TicketSearch,
  walkRows = WALK_ROWS,
): Promise<RawJson> {
  const { limit } = search
  const text = search.q === undefined ? '' : foldText(search.q)
  const labels = search.label === undefined ? undefined : await spellingsOf(ctx, projectId, search.label)
  const wanted = { ...search, text, labels, after: ticketCursor(search.cursor) }
  const walks = !canUseIndex(search, text)
  const few = text === '' || walks ? [] : await findInSmallProject(ctx, projectId, wanted)
  if (few.length > 0) return ticketPage(few.slice(0, limit), few.length > limit ? few[limit - 1] : undefined)
  const source = walks ? walkSql(ctx, projectId, wanted, walkRows) : matchesSql(ctx, projectId, wanted)
  const { rows } = await source.execute(ctx.db)
  if (rows.length === 0) await loadProject(ctx, projectId)
  const isCut = rows.length > limit
  const last = isCut ? rows[limit - 1] : rows.at(-1)
  const hits = rows.slice(0, limit).filter((row) => row.hit)
  const ids = hits.map((row) => row.id)
  const { organizationId: orgId } = ctx.caller
  const tickets = ids.length === 0 ? [] : await selectTickets(ctx.pool, { orgId, projectId, ids })
  return ticketPage(tickets, isCut || (walks && last?.place === walkRows) ? last : undefined)
}

/**
 * Returns the matches in a project with at most `ANY_PLAN_TICKETS_MAX` tickets, and no matches in a larger project. Uses a cached query
 * plan: with few tickets, planning for each search text would take longer than the search.
 */
const findInSmallProject = (ctx: Context<'pool'>, projectId: string, wanted: SearchFilters) =>
  selectAmongFew(ctx.pool, {
    orgId: ctx.caller.organizationId,
    projectId,
    pattern: containsPattern(wanted.text),
    status: wanted.status ?? null,
    labels: wanted.labels ?? null,
    type: wanted.type ?? null,
    priority: wanted.priority ?? null,
    beforeAt: wanted.after?.at ?? null,
    beforeId: wanted.after?.id ?? null,
    limit: wanted.limit + 1,
  })

/** A null filter matches every ticket. */
interface TicketSearchParams {
  orgId: string
  projectId: string
  pattern: string
  status: TicketStatus | null
  labels: string[] | null
  type: TicketType | null
  priority: TicketPriority | null
  beforeAt: Date | string | null
  beforeId: string | null
  limit: number
}

const selectAmongFew = preparedQuery<TicketPageRow, TicketSearchParams>(
  'tickets-search-few',
  `select ${CURSOR_COLUMNS}, ${PAGE_COLUMNS} from tickets t
   where t.org_id = :orgId and t.project_id = :projectId and t.search_fold like :pattern
     and (:status::text is null or t.status = :status)
     and (:labels::text[] is null or t.labels && :labels)
     and (:type::text is null or t.type = :type) and (:priority::text is null or t.priority = :priority)
     and (:beforeAt::timestamptz is null or (t.created_at, t.id) < (:beforeAt, :beforeId::text))
     and (select coalesce(sum(c.n), 0) from ticket_counts c
       where c.project_id = :projectId and c.kind = 'status') <= ${ANY_PLAN_TICKETS_MAX}
   order by t.created_at desc, t.id desc limit :limit`,
)

// A second statement reads the full tickets. Postgres makes a new plan for each search, and making a plan with all columns would take
// longer than the search.
const selectTickets = preparedQuery<TicketRow, { orgId: string; projectId: string; ids: string[] }>(
  'tickets-found',
  `select ${PAGE_COLUMNS} from unnest(:ids::text[]) with ordinality found(id, n)
   join tickets t on t.org_id = :orgId and t.project_id = :projectId and t.id = found.id order by n`,
)

/**
 * Returns whether the trigram index can narrow a search for this text. The text needs three letters or digits in a row. Only ASCII letters
 * are counted, because other letters depend on the database's locale.
 */
const isIndexed = (text: string): boolean => /[a-z0-9]{3}/.test(text)

/** Returns whether an index finds the matches. Types and priorities have no index. */
const canUseIndex = ({ type, priority, label }: TicketSearch, text: string): boolean =>
  text === '' ? label !== undefined || (type === undefined && priority === undefined) : isIndexed(text)

/** A scanned ticket: whether it matches, and how many tickets were scanned up to it. */
interface ScannedRow {
  id: string
  at: Date
  hit: boolean
  place: number
}

type SearchFilters = TicketSearch & {
  text: string
  /** Every stored spelling of the requested label. */
  labels: string[] | undefined
  after: Cursor | undefined
}

/** Returns the matches. Postgres plans this query for its values, so Postgres chooses the index that suits these values. */
const matchesSql = (ctx: CallerContext, projectId: string, wanted: SearchFilters) => sql<ScannedRow>`
  select t.id, t.created_at as at, true as hit, 0 as place from tickets t
  where ${projectCondition(ctx, projectId, wanted)} and ${matchesCondition(wanted)}
  order by t.created_at desc, t.id desc limit ${wanted.limit + 1}`

/** Scans the next `walkRows` tickets. Returns the matches among them, and the last scanned ticket whether it matches or not. */
const walkSql = (
  ctx: CallerContext,
  projectId: string,
  wanted: SearchFilters,
  walkRows: number,
) => sql<ScannedRow>`
  select t.id, t.created_at as at, hit, place::int from (
    select t.*, ${matchesCondition(wanted)} as hit from (
      select t.*, row_number() over (order by t.created_at desc, t.id desc) as place from tickets t
      where ${projectCondition(ctx, projectId, wanted)}
      order by t.created_at desc, t.id desc limit ${walkRows}) t) t
  where hit or place = ${walkRows} order by t.created_at desc, t.id desc limit ${wanted.limit + 1}`

/** Compares the columns of the indexes by project and by status, so that Postgres reads the tickets in order from one of these indexes. */
const projectCondition = (ctx: CallerContext, projectId: string, { status, after }: SearchFilters) => sql`
  t.org_id = ${ctx.caller.organizationId} and t.project_id = ${projectId}
  ${status === undefined ? sql`` : sql`and t.status = ${status}`}
  ${after === undefined ? sql`` : sql`and (t.created_at, t.id) < (${after.at}, ${after.id})`}`

const matchesCondition = ({ text, type, priority, labels }: SearchFilters) => sql`(true
  ${type === undefined ? sql`` : sql`and t.type = ${type}`}
  ${priority === undefined ? sql`` : sql`and t.priority = ${priority}`}
  ${text === '' ? sql`` : sql`and t.search_fold like ${containsPattern(text)}`}
  ${labels === undefined ? sql`` : sql`and t.labels && ${labels}::text[]`})`
