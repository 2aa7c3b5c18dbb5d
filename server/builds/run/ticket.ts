import type { Trx } from '../../db/database.ts'
import { emit } from '../../events/emit.ts'

/**
 * Moves the ticket of a build along: to `in_progress` when it starts, to `in_review` when it is green. A ticket that
 * a person has put somewhere else meanwhile stays there.
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
