import type { FileRef } from '../../agent/loop/files.ts'
import type { BuildFrame } from '../../agent/frames.ts'
import type { Db, Trx } from '../../db/database.ts'
import type { RunInputsTable, RunsTable } from '../../db/tables/runs.ts'

/** The run was about to end and somebody spoke to it: nothing was written, and the model is asked again. */
export class UnreadSteering extends Error {
  override readonly name = 'UnreadSteering'
}

type OfTicket = Pick<RunsTable, 'org_id' | 'ticket_id'>

/** What was said about a ticket and no model has read, oldest first: to this run, or left by an earlier one. */
export async function unreadRows(db: Db | Trx, run: OfTicket): Promise<RunInputsTable[]> {
  return db
    .selectFrom('run_inputs')
    .selectAll()
    .where('org_id', '=', run.org_id)
    .where('ticket_id', '=', run.ticket_id)
    .where('read_by', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** The same, as the agent reads it. */
export async function unreadSteering(
  db: Db,
  run: OfTicket,
): Promise<{ id: string; text: string; files: FileRef[] }[]> {
  const rows = await unreadRows(db, run)
  return rows.map(({ id, text, files }) => ({
    id,
    text,
    files: files === null ? [] : (JSON.parse(files) as FileRef[]),
  }))
}

/** Notes that a run's model has read them, in the transaction that stores the step they opened. */
export async function markSteeringRead(trx: Trx, run: RunsTable, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await trx
    .updateTable('run_inputs')
    .set({ read_by: run.id, delivery: 'delivered' })
    .where('org_id', '=', run.org_id)
    .where('id', 'in', ids)
    .execute()
}

/** Ends the transaction when something is unread. The caller holds the run's row, so nothing can come in behind. */
export async function requireSteeringRead(trx: Trx, run: OfTicket): Promise<void> {
  if ((await unreadRows(trx, run)).length > 0) throw new UnreadSteering()
}

/** What a run that ends now leaves unread opens the ticket's next build; answers the frames that say so. */
export async function deferUnreadSteering(trx: Trx, run: OfTicket): Promise<BuildFrame[]> {
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
