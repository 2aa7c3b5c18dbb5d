import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { PlanMessagesTable } from '../db/tables/plan.ts'

/** Some columns of `plan_messages` as `m`, for the query builder. Postgres plans it like the table itself. */
export const PLAN_MESSAGES = sql<
  Pick<
    Selectable<PlanMessagesTable>,
    'id' | 'org_id' | 'project_id' | 'role' | 'text' | 'tickets' | 'created_at'
  >
>`plan_messages`.as('m')

/**
 * Selects the reply that wrote a ticket, the message before the reply and the two messages after it, oldest first. Selects no row when a
 * person wrote the ticket.
 */
export const messagesAroundTicket = (of: {
  org_id: string
  project_id: string
  ticket_id: string
}): RawBuilder<Pick<Selectable<PlanMessagesTable>, 'role' | 'text' | 'read_outside'>> => sql`
    with reply as (
      select created_at, id from plan_messages
      where org_id = ${of.org_id} and project_id = ${of.project_id} and ${of.ticket_id} = any(tickets)
      order by created_at, id limit 1)
    select m.role, m.text, m.read_outside from reply, lateral (
      (select * from plan_messages p where p.org_id = ${of.org_id} and p.project_id = ${of.project_id}
        and (p.created_at, p.id) <= (reply.created_at, reply.id) order by p.created_at desc, p.id desc limit 2)
      union all
      (select * from plan_messages p where p.org_id = ${of.org_id} and p.project_id = ${of.project_id}
        and (p.created_at, p.id) > (reply.created_at, reply.id) order by p.created_at, p.id limit 2)
    ) m where m.status <> 'running' order by m.created_at, m.id`
