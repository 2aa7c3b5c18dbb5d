import { type Selectable, sql } from 'kysely'
import type { TicketsTable } from '../db/tables/tickets.ts'

/** The only columns that other folders may read. */
const JOINED_COLUMNS = [
  'id',
  'org_id',
  'project_id',
  'title',
  'type',
  'status',
  'depends_on',
  'attachments',
] as const

type JoinedTicket = Pick<Selectable<TicketsTable>, (typeof JOINED_COLUMNS)[number]>

/** The table of tickets (`t`), for joins in the query builder by `org_id` and `id`. */
export const TICKETS_AS_T = sql<JoinedTicket>`tickets`.as('t')

/**
 * A join with the ticket (`t`) of the row `of`, which has the columns `org_id` and `ticket_id`. Postgres plans the subquery like the
 * table itself.
 */
export const joinTicket = (of: string): string =>
  `join (select ${JOINED_COLUMNS.join(', ')} from tickets) t on t.org_id = ${of}.org_id and t.id = ${of}.ticket_id`
