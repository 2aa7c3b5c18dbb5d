import { type Selectable, sql } from 'kysely'
import type { TicketsTable } from '../db/tables/tickets.ts'

/** The only columns that other folders may read. */
type JoinedTicket = Pick<
  Selectable<TicketsTable>,
  'id' | 'org_id' | 'project_id' | 'title' | 'type' | 'attachments'
>

/** The table of tickets (`t`), for joins in the query builder by `org_id` and `id`. */
export const TICKETS_AS_T = sql<JoinedTicket>`tickets`.as('t')

/** A join with the ticket (`t`) of the row `of`, which has the columns `org_id` and `ticket_id`. */
export const joinTicket = (of: string): string =>
  `join tickets t on t.org_id = ${of}.org_id and t.id = ${of}.ticket_id`
