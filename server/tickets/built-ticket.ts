import { type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import type { TicketsTable } from '../db/tables/tickets.ts'
import { emit } from '../events/emit.ts'
import type { QueueRefusal } from './ticket.ts'

/**
 * Moves the ticket of a build to `in_progress` when the build starts and to `in_review` when the build is green. Does not change a ticket
 * that a person has moved meanwhile.
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

export interface BuiltTicketKey {
  org_id: string
  ticket_id: string
}

/** Returns a ticket and then its ancestors. A ticket has at most seven ancestors. */
export async function ticketAncestors(
  db: Db,
  ticket: BuiltTicketKey,
): Promise<[BuildTicket, ...BuildTicket[]]> {
  const { rows } = await sql<BuildTicket>`
    with recursive ancestors as (
      select id, parent_id, title, type, body, source, from_outside, 0 as depth
      from tickets where org_id = ${ticket.org_id} and id = ${ticket.ticket_id}
      union all
      select t.id, t.parent_id, t.title, t.type, t.body, t.source, t.from_outside, l.depth + 1
      from tickets t join ancestors l on l.parent_id = t.id
      where t.org_id = ${ticket.org_id} and l.depth < 8
    )
    select title, type, body, source, from_outside from ancestors order by depth`.execute(db)
  const [first, ...above] = rows
  if (first === undefined) throw new Error(`there is no ticket ${ticket.ticket_id}`)
  return [first, ...above]
}

/** Stores why a ticket left the build queue without a build. Null clears the reason. */
export async function recordQueueRefusal(
  trx: Trx,
  ticket: BuiltTicketKey,
  refusal: QueueRefusal | null,
): Promise<void> {
  await trx
    .updateTable('tickets')
    .set({ queue_refusal: refusal })
    .where('org_id', '=', ticket.org_id)
    .where('id', '=', ticket.ticket_id)
    .where('queue_refusal', 'is distinct from', refusal)
    .execute()
}

export interface RelatedTicket extends Pick<
  Selectable<TicketsTable>,
  'id' | 'title' | 'status' | 'source' | 'from_outside'
> {
  is_dependency: boolean
}

/**
 * Returns the tickets of the project that are most related to this ticket, without epics: first its dependencies, then tickets with the
 * same parent, then the newest tickets.
 */
export async function relatedTickets(
  db: Db,
  ticket: BuiltTicketKey & { project_id: string },
  limit: number,
): Promise<RelatedTicket[]> {
  const others = sql`t.org_id = ${ticket.org_id} and t.project_id = ${ticket.project_id} and t.id <> ${ticket.ticket_id}
    and t.type <> 'epic'`
  const { rows } = await sql<RelatedTicket>`
    with own as (select depends_on, parent_id from tickets where org_id = ${ticket.org_id} and id = ${ticket.ticket_id}),
    near as (
      (select t.id, 0 as distance from tickets t, own where ${others} and t.id = any(own.depends_on))
      union all
      (select t.id, 1 from tickets t, own where ${others} and t.parent_id = own.parent_id
        order by t.created_at, t.id limit ${limit})
      union all
      (select t.id, 2 from tickets t where ${others} order by t.created_at desc, t.id desc limit ${limit})
    ),
    nearest as (select id, min(distance) as distance from near group by id)
    select t.id, t.title, t.status, t.source, t.from_outside, n.distance = 0 as is_dependency
    from nearest n join tickets t on t.org_id = ${ticket.org_id} and t.id = n.id
    order by n.distance, case when n.distance < 2 then t.created_at end, case when n.distance < 2 then t.id end,
      t.created_at desc, t.id desc
    limit ${limit}`.execute(db)
  return rows
}
