import { sql } from 'kysely'
import type { Db, Trx } from '../../db/database.ts'
import type { RunRow } from '../../db/tables/runs.ts'
import type { PlatformPorts } from '../../platform.ts'
import { onRunControl } from '../run-control.ts'
import { LeaseLostError } from '../stream/events.ts'

const HEARTBEAT_MS = 3_000

/** Claims a queued run for this process. Returns null when another process was faster, or the run was cancelled. */
export async function claimRun(db: Db, runId: string, at: Date): Promise<RunRow | null> {
  const row = await db
    .updateTable('runs')
    .set((eb) => ({
      status: 'running',
      lease: eb('lease', '+', 1),
      heartbeat_at: sql<Date>`now()`,
      started_at: at,
    }))
    .where('id', '=', runId)
    .where('status', '=', 'queued')
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/**
 * Locks the run's row until commit. Throws `LeaseLostError` when the run was taken over or cancelled. Returns the commit
 * that the run has put on main so far.
 */
export async function lockLeasedRun(
  trx: Trx,
  run: { id: string; lease: number },
): Promise<{ sha: string | null }> {
  const row = await trx
    .selectFrom('runs')
    .select('sha')
    .where('id', '=', run.id)
    .where('lease', '=', run.lease)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw new LeaseLostError(run.id)
  return row
}

/**
 * Writes the heartbeat of a run until `stop` is called. Aborts the returned signal, and so the model call, when the run was
 * cancelled or taken over. This process can then no longer write to the run.
 */
export function startHeartbeat(platform: PlatformPorts<'listener'>, run: RunRow, stopping: AbortSignal) {
  const lost = new AbortController()
  const beat = async () => {
    const beaten = await platform.db
      .updateTable('runs')
      .set({ heartbeat_at: sql<Date>`now()` })
      .where('id', '=', run.id)
      .where('lease', '=', run.lease)
      .executeTakeFirst()
    if (beaten.numUpdatedRows === 0n) lost.abort(new LeaseLostError(run.id))
  }
  // A failed heartbeat is only logged: when the database stays unavailable, the run's own writes fail.
  const quietly = () => void beat().catch((error: unknown) => platform.log.debug({ err: error }, 'heartbeat'))
  const timer = setInterval(quietly, HEARTBEAT_MS)
  const stopListening = onRunControl(platform.listener, run.id, (message) =>
    message?.kind === 'cancelled' ? lost.abort(new LeaseLostError(run.id)) : quietly(),
  )
  return {
    signal: AbortSignal.any([lost.signal, stopping]),
    stop: () => {
      clearInterval(timer)
      stopListening()
    },
  }
}
