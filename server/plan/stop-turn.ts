import { transact } from '../db/database.ts'
import type { CallerContext, Context } from '../endpoint.ts'
import { loadProject } from '../projects/projects.ts'
import { onTurnNotification, notifyTurn } from './turn-notifications.ts'

/**
 * How long a stop request waits at most until the process that runs the turn has stored the text written so far. That
 * process may be dead.
 */
const STOP_NOTICE_MS_MAX = 1_000

/**
 * Stops the running turn at once: it can write nothing more, and the next turn may begin. Notifies the process that runs the turn, which
 * then aborts the model call and stores the text written so far.
 */
export async function stopTurn(ctx: Context<'listener'>, projectId: string): Promise<{ stopped: boolean }> {
  await loadProject(ctx, projectId)
  const told = new Set<string>()
  const { promise: isTold, resolve } = Promise.withResolvers<void>()
  let id: string | null = null
  const stopListening = onTurnNotification(ctx.listener, (notification) => {
    if (notification?.kind === 'told') told.add(notification.id)
    if (id !== null && told.has(id)) resolve()
  })
  const limit = setTimeout(resolve, STOP_NOTICE_MS_MAX)
  try {
    id = await markStopped(ctx, projectId)
    if (id !== null && !told.has(id)) await isTold
    return { stopped: id !== null }
  } finally {
    clearTimeout(limit)
    stopListening()
  }
}

async function markStopped(ctx: CallerContext<'db'>, projectId: string): Promise<string | null> {
  return transact(ctx.db, async (trx) => {
    const row = await trx
      .updateTable('plan_messages')
      .set({ status: 'stopped', heartbeat_at: null })
      .where('org_id', '=', ctx.caller.organizationId)
      .where('project_id', '=', projectId)
      .where('status', '=', 'running')
      .returning('id')
      .executeTakeFirst()
    if (row === undefined) return null
    await notifyTurn(trx, { kind: 'stopped', id: row.id })
    return row.id
  })
}
