import { type Selectable, sql } from 'kysely'
import type { TicketsTable } from '../db/tables/tickets.ts'

/** Only the columns listed here may be read by other folders. */
type Joined = Pick<
  Selectable<TicketsTable>,
  'id' | 'org_id' | 'project_id' | 'title' | 'type' | 'attachments'
>

/** As `t`, to be joined by `org_id` and `id` in the query builder. Planned like the table itself. */
export const TICKETS = sql<Joined>`tickets`.as('t')

/** Joins as `t` the ticket of the row `of`, which has an `org_id` and a `ticket_id`. */
export const joinTicket = (of: string): string =>
  `join tickets t on t.org_id = ${of}.org_id and t.id = ${of}.ticket_id`
