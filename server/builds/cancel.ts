import { transact } from '../db/database.ts'
import type { Context } from '../endpoint.ts'
import { conflict } from '../http/errors.ts'
import { notifyQueue } from './run/notify-queue.ts'
import { notifyRunControl } from './run-control.ts'
import { returnUnreadErrors } from './preview-errors.ts'
import { appendRunEvents } from './stream/events.ts'
import { deferUnreadSteering } from './run/steering.ts'
import { type BuildRun, presentRun } from './run-record.ts'
import { activeRun } from './runs.ts'

/**
 * Cancels the running build of a ticket. The statement that stores the final status also increments the run's lease
 * number, so that the run's process can write nothing more. A notification makes this process abort the model call.
 */
export async function cancelBuild(
  ctx: Context<'metrics'>,
  projectId: string,
  ticketId: string,
): Promise<BuildRun> {
  const run = await activeRun(ctx, projectId, ticketId)
  if (run === null) throw notBuilding()
  const at = ctx.clock.now()
  const cancelled = await transact(ctx.db, async (trx) => {
    const row = await trx
      .updateTable('runs')
      .set((eb) => ({ status: 'cancelled', lease: eb('lease', '+', 1), finished_at: at }))
      .where('org_id', '=', run.org_id)
      .where('id', '=', run.id)
      .where('status', 'in', ['queued', 'running'])
      .where('stage', '!=', 'publishing')
      .returningAll()
      .executeTakeFirst()
    if (row === undefined) return null
    await returnUnreadErrors(trx, row, at)
    const left = await deferUnreadSteering(trx, row)
    await appendRunEvents(trx, row, [...left, { type: 'done', status: 'cancelled', run: row.id }], at)
    await notifyQueue(trx, row.org_id, row.project_id)
    await notifyRunControl(trx, { kind: 'cancelled', runId: row.id })
    return row
  })
  if (cancelled === null) {
    const active = await activeRun(ctx, projectId, ticketId)
    // Another process continues the build as another run.
    if (active?.resumed_from === run.id) return cancelBuild(ctx, projectId, ticketId)
    // A run with another id is the next build of the ticket, which this request was not about.
    throw active?.id !== run.id
      ? notBuilding()
      : conflict('The build is being published and can no longer be cancelled.')
  }
  ctx.metrics?.buildFinished('cancelled')
  return presentRun(cancelled)
}

const notBuilding = () => conflict('No build of this ticket is running.')
