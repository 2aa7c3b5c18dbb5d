import type { BuildFrame } from '../../agent/frames.ts'
import type { FileRef } from '../../agent/loop/files.ts'
import type { Db, Trx } from '../../db/database.ts'
import type { RunRow } from '../../db/tables/runs.ts'

/** Thrown when a run would end while a steer message is unread: nothing was written, and the model is called again. */
export class UnreadSteeringError extends Error {
  override readonly name = 'UnreadSteeringError'
}

type RunTicketIds = Pick<RunRow, 'org_id' | 'ticket_id'>

/**
 * Returns the steer messages of a ticket that no model has read, oldest first: those sent to this run, and those left
 * by an earlier run.
 */
export async function unreadSteering(
  db: Db | Trx,
  run: RunTicketIds,
): Promise<{ id: string; text: string; files: FileRef[] }[]> {
  const rows = await db
    .selectFrom('run_inputs')
    .select(['id', 'text', 'files'])
    .where('org_id', '=', run.org_id)
    .where('ticket_id', '=', run.ticket_id)
    .where('read_by', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(({ id, text, files }) => ({ id, text, files: files ?? [] }))
}

/**
 * Marks steer messages as read by a run. Call it in the transaction that stores the step with these messages, so that an earlier crash
 * leaves them unread.
 */
export async function markSteeringRead(trx: Trx, run: RunRow, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await trx
    .updateTable('run_inputs')
    .set({ read_by: run.id, delivery: 'delivered' })
    .where('org_id', '=', run.org_id)
    .where('id', 'in', ids)
    .execute()
}

/** Throws `UnreadSteeringError` when a message is unread. The caller has locked the run's row, so no message can be added meanwhile. */
export async function requireSteeringRead(trx: Trx, run: RunTicketIds): Promise<void> {
  if ((await unreadSteering(trx, run)).length > 0) throw new UnreadSteeringError()
}

/** Passes the unread messages of an ending run to the ticket's next build. Returns the frames that report this to clients. */
export async function deferUnreadSteering(trx: Trx, run: RunTicketIds): Promise<BuildFrame[]> {
  const rows = await trx
    .updateTable('run_inputs')
    .set({ delivery: 'next_build' })
    .where('org_id', '=', run.org_id)
    .where('ticket_id', '=', run.ticket_id)
    .where('read_by', 'is', null)
    .where('delivery', '=', 'delivered')
    .returning(['id', 'text'])
    .execute()
  return rows.map(({ id, text }) => ({ type: 'steer', id, text, delivery: 'next_build' }))
}
