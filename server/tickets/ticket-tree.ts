import { preparedQuery } from '../db/database.ts'
import type { CallerContext, Context } from '../endpoint.ts'
import type { RawJson } from '../http/endpoint.ts'
import { invalid } from '../http/errors.ts'
import { loadProject } from '../projects/projects.ts'
import { PAGE_FIELDS } from './ticket.ts'
import { CURSOR_COLUMNS, type TicketPageRow, ticketCursor, ticketPage } from './ticket-page.ts'

/** The value of the parameter `parent` for tickets without a parent. */
export const ROOT_KEY = 'root'

/** SQL of the numbers of direct children, from the counters that triggers maintain in ticket_rollups. */
const CHILD_COUNTS = `(
  select concat(',"childCount":', coalesce(sum(r.children), 0), ',"openChildCount":',
    coalesce(sum(r.children) filter (where r.status not in ('done', 'cancelled')), 0))
  from ticket_rollups r where r.ticket_id = t.id)`

interface TicketTreeParams {
  orgId: string
  projectId: string
  /** The page begins after the ticket with this time and id; the first page begins at `-infinity`. */
  at: Date | '-infinity'
  id: string
  limit: number
  parent: string
}

/**
 * There are four partial indexes: for top-level tickets and for children, each over all tickets and over active tickets. Each index has its
 * own statement, because Postgres uses a partial index only when its condition is in the statement.
 */
const pageStatement = (name: string, condition: string) =>
  preparedQuery<TicketPageRow, TicketTreeParams>(
    `ticket-tree-${name}`,
    `select ${PAGE_FIELDS} || ${CHILD_COUNTS} as fields, t.title, t.body, ${CURSOR_COLUMNS}
     from tickets t
     where t.org_id = :orgId and t.project_id = :projectId and (t.created_at, t.id) > (:at::timestamptz, :id) and ${condition}
     order by t.created_at, t.id limit :limit`,
  )
const selectRoots = {
  all: pageStatement('roots', 't.parent_id is null'),
  active: pageStatement('active-roots', 't.parent_id is null and t.is_active'),
}
const selectChildren = {
  all: pageStatement('children', 't.parent_id = :parent'),
  active: pageStatement('active-children', 't.parent_id = :parent and t.is_active'),
}

export interface TreeQuery {
  parent: string
  limit: number
  cursor?: string | undefined
  active: boolean
}

/** Returns one page of the direct children of `parent`, the oldest first, each with the number of its own children. */
export async function listTicketTree(
  ctx: Context<'pool'>,
  projectId: string,
  query: TreeQuery,
): Promise<RawJson> {
  const { parent, limit } = query
  const after = ticketCursor(query.cursor)
  const which = query.active ? 'active' : 'all'
  const select = parent === ROOT_KEY ? selectRoots : selectChildren
  const rows = await select[which](ctx.pool, {
    orgId: ctx.caller.organizationId,
    projectId,
    at: after?.at ?? '-infinity',
    id: after?.id ?? '',
    limit: limit + 1,
    parent,
  })
  if (rows.length === 0) await requireParent(ctx, projectId, parent)
  return ticketPage(rows.slice(0, limit), rows.length > limit ? rows[limit - 1] : undefined)
}

/** Called when no child was found. Throws 404 when there is no such project, and 400 when there is no such parent. */
async function requireParent(ctx: CallerContext<'db'>, projectId: string, parent: string): Promise<void> {
  await loadProject(ctx, projectId)
  if (parent === ROOT_KEY) return
  const found = await ctx.db
    .selectFrom('tickets')
    .select('id')
    .where('org_id', '=', ctx.caller.organizationId)
    .where('project_id', '=', projectId)
    .where('id', '=', parent)
    .executeTakeFirst()
  if (found === undefined) throw invalid('parent', 'is not a ticket of this project')
}
