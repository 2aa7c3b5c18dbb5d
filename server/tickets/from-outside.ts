import type { Selectable } from 'kysely'
import type { Trx } from '../db/database.ts'
import type { TicketsTable } from '../db/tables/tickets.ts'

/**
 * Returns whether the text of a ticket comes from outside: another system posted it, or the plan agent wrote it after reading text of
 * another system. Such text may contain a prompt injection, so a build of the ticket can neither deploy the app (`ship`) nor enable
 * capabilities. Editing the ticket does not change the result, because some of that text may remain.
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
