import type { Db, Trx } from '../../db/database.ts'
import { emit } from '../../events/emit.ts'
import { type Selectable, sql } from 'kysely'
import type { RunRow } from '../../db/tables/runs.ts'
import type { TicketsTable } from '../../db/tables/tickets.ts'

/**
 * Moves the ticket of a build to `in_progress` when it starts and to `in_review` when it is green. A ticket that a
 * person has moved meanwhile is left alone.
 */
export async function moveTicket(
  trx: Trx,
  ticket: { id: string; orgId: string; projectId: string },
  move: { to: 'in_progress' | 'in_review'; at: Date },
): Promise<void> {
  const from =
    move.to === 'in_progress' ? (['backlog', 'todo'] as const) : (['backlog', 'todo', 'in_progress'] as const)
  const moved = await trx
    .updateTable('tickets')
    .set({ status: move.to, updated_at: move.at })
    .where('org_id', '=', ticket.orgId)
    .where('id', '=', ticket.id)
    .where('status', 'in', from)
    .executeTakeFirst()
  if (moved.numUpdatedRows === 0n) return
  const data = { ticketId: ticket.id, changed: ['status'] }
  await emit(trx, {
    type: 'ticket.updated',
    orgId: ticket.orgId,
    projectId: ticket.projectId,
    data,
    at: move.at,
  })
}

export type BuildTicket = Pick<
  Selectable<TicketsTable>,
  'title' | 'type' | 'body' | 'source' | 'from_outside'
>

/** The ticket of a run and its ancestors, the ticket first. A ticket has at most seven ancestors. */
export async function ticketAncestors(db: Db, run: RunRow): Promise<[BuildTicket, ...BuildTicket[]]> {
  const { rows } = await sql<BuildTicket>`
    with recursive ancestors as (
      select id, parent_id, title, type, body, source, from_outside, 0 as depth
      from tickets where org_id = ${run.org_id} and id = ${run.ticket_id}
      union all
      select t.id, t.parent_id, t.title, t.type, t.body, t.source, t.from_outside, l.depth + 1
      from tickets t join ancestors l on l.parent_id = t.id
      where t.org_id = ${run.org_id} and l.depth < 8
    )
    select title, type, body, source, from_outside from ancestors order by depth`.execute(db)
  const [first, ...above] = rows
  if (first === undefined) throw new Error(`run ${run.id} has no ticket`)
  return [first, ...above]
}
