import type { Selectable } from 'kysely'
import type { Trx } from '../db/database.ts'
import type { TicketsTable } from '../db/tables/tickets.ts'

/**
 * Returns whether the text of a ticket comes from outside: another system posted it, or the plan agent wrote
 * it after reading such text. A build of such a ticket can neither ship nor switch capabilities on. An edit
 * does not clear the mark, because text from outside may remain.
 */
export const isFromOutside = (ticket: Pick<Selectable<TicketsTable>, 'source' | 'from_outside'>): boolean =>
  ticket.source === 'ingest' || ticket.from_outside

export async function markFromOutside(trx: Trx, orgId: string, ticketId: string): Promise<void> {
  await trx
    .updateTable('tickets')
    .set({ from_outside: true })
    .where('org_id', '=', orgId)
    .where('id', '=', ticketId)
    .execute()
}
