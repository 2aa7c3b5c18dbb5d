import { sql } from 'kysely'
import type { Trx } from '../db/database.ts'
import { lockTicketTree } from '../db/locks.ts'
import { invalid } from '../http/errors.ts'

/** The number of levels of the ticket tree (docs/limits.md#counts). */
const MAX_DEPTH = 8

/**
 * Checks that a ticket may become a child of `parent`: in the same project, without a cycle, at most eight levels deep. Throws 400 naming
 * `parent` otherwise. Locks the project's ticket tree, so that two simultaneous moves cannot form a cycle together.
 */
export async function requireValidParent(
  trx: Trx,
  move: { orgId: string; projectId: string; ticketId: string; parent: string },
): Promise<void> {
  await lockTicketTree(trx, move.projectId)
  const above = await loadAncestorIds(trx, move)
  if (above.length === 0) throw invalid('parent', 'is not a ticket of this project')
  if (above.includes(move.ticketId)) throw invalid('parent', 'must not be the ticket itself or one below it')
  if (above.length + (await subtreeHeight(trx, move)) > MAX_DEPTH)
    throw invalid('parent', `would make the tree deeper than ${MAX_DEPTH} levels`)
}

/**
 * Returns the parent and its ancestors, the nearest first. The number of ancestors is limited, so that a damaged tree cannot cause an
 * endless loop.
 */
async function loadAncestorIds(
  trx: Trx,
  move: { orgId: string; projectId: string; parent: string },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive up as (
      select id, parent_id, 1 as level from tickets
      where org_id = ${move.orgId} and project_id = ${move.projectId} and id = ${move.parent}
      union all
      select t.id, t.parent_id, up.level + 1 from tickets t join up on t.id = up.parent_id
      where t.org_id = ${move.orgId} and up.level < 20
    ) select id from up order by level`.execute(trx)
  return rows.map((row) => row.id)
}

/** Returns the number of levels of the moved ticket's subtree, including the ticket. */
async function subtreeHeight(trx: Trx, move: { orgId: string; ticketId: string }): Promise<number> {
  const { rows } = await sql<{ levels: number | null }>`
    with recursive down as (
      select id, 1 as level from tickets where org_id = ${move.orgId} and id = ${move.ticketId}
      union all
      select t.id, down.level + 1 from tickets t join down on t.parent_id = down.id
      where t.org_id = ${move.orgId} and down.level < 20
    ) select max(level) as levels from down`.execute(trx)
  return rows[0]?.levels ?? 1
}
