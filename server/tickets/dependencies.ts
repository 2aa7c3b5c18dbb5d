import { sql } from 'kysely'
import * as z from 'zod'
import type { Trx } from '../db/database.ts'
import { lockTicketTree } from '../db/locks.ts'
import { invalid } from '../http/errors.ts'

/** The ids of at most 20 tickets (docs/limits.md#counts). */
export const DependsOn = z
  .array(z.string().max(100))
  .max(20)
  .refine((ids) => new Set(ids).size === ids.length, 'must name each ticket once')

/**
 * SQL of the dependencies of the ticket `t`: one row `d` for each, joined with its ticket `x`. A dependency
 * counts as built when its ticket is in review or done, whether a green build or a person moved it there.
 */
export const JOINED_DEPENDENCIES = `unnest(t.depends_on) with ordinality d(id, place)
  left join tickets x on x.org_id = t.org_id and x.project_id = t.project_id and x.id = d.id`
const IS_BUILT = `x.status in ('in_review', 'done')`
/** SQL of a condition: the dependency is not built. A ticket that no longer exists has no status, so it counts as not built. */
export const IS_OPEN = `coalesce(not ${IS_BUILT}, true)`

/** SQL of a condition: every dependency of the ticket `t` is built. */
export const DEPENDENCIES_BUILT = `not exists (select from ${JOINED_DEPENDENCIES} where ${IS_OPEN})`

/**
 * Checks the dependencies that a change adds to a ticket. Throws 400 naming `dependsOn` unless they are tickets of the same project, are
 * not epics, and form no cycle. Locks the project's ticket tree, so that two simultaneous changes cannot form a cycle together.
 */
export async function requireValidDependencies(
  trx: Trx,
  ticket: { orgId: string; projectId: string; ticketId: string; added: string[] },
): Promise<void> {
  const { orgId, projectId, ticketId, added } = ticket
  if (added.length === 0) return
  if (added.includes(ticketId)) throw invalid('dependsOn', 'must not name the ticket itself')
  await lockTicketTree(trx, projectId)
  const found = await trx
    .selectFrom('tickets')
    .select(['id', 'type'])
    .where('org_id', '=', orgId)
    .where('project_id', '=', projectId)
    .where('id', 'in', added)
    .execute()
  const unknown = added.find((id) => !found.some((row) => row.id === id))
  if (unknown !== undefined) throw invalid('dependsOn', `${unknown} is not a ticket of this project`)
  const epic = found.find(({ type }) => type === 'epic')
  if (epic !== undefined)
    throw invalid('dependsOn', `${epic.id} is an epic, which is never built; name the tickets in it`)
  const { rows } = await sql<{ is_circle: boolean }>`
    with recursive needs as (
      select id, depends_on from tickets
      where org_id = ${orgId} and project_id = ${projectId} and id = any(${added}::text[])
      union
      select t.id, t.depends_on from needs cross join lateral unnest(needs.depends_on) d(id)
      join tickets t on t.org_id = ${orgId} and t.project_id = ${projectId} and t.id = d.id
    ) select exists (select from needs where id = ${ticketId}) as is_circle`.execute(trx)
  if (rows[0]?.is_circle === true)
    throw invalid('dependsOn', 'would form a circle: a ticket it names depends on this one')
}
