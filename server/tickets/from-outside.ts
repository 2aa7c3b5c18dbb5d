import type { Selectable } from 'kysely'
import type { TicketsTable } from '../db/tables/tickets.ts'

/**
 * Whether the text of a ticket comes from outside: another system posted it, or the plan agent wrote it while such text
 * was before it. A build of it neither ships nor switches capabilities on. No edit changes that, because an edit says
 * nothing about the words it leaves.
 */
export const isFromOutside = (ticket: Pick<Selectable<TicketsTable>, 'source' | 'from_outside'>): boolean =>
  ticket.source === 'ingest' || ticket.from_outside
