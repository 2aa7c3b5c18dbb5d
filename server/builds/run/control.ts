import { sql } from 'kysely'
import type { Db, Trx } from '../../db/database.ts'
import type { Listener } from '../../db/listener.ts'

const CONTROL_CHANNEL = 'run_control'

export type RunControl =
  | { kind: 'cancelled'; runId: string }
  /** The run's process is stopping; another attempt will continue the run. */
  | { kind: 'released'; runId: string }

/** Notifies all processes about a run. Call it in the transaction of the change, so that none learns of a change that is rolled back. */
export async function notifyRunControl(db: Db | Trx, message: RunControl): Promise<void> {
  await sql`select pg_notify(${CONTROL_CHANNEL}, ${JSON.stringify(message)})`.execute(db)
}

/**
 * Calls `handle` with each message about the run, and with null when notifications may have been missed. Returns the function that stops
 * it.
 */
export function onRunControl(
  listener: Listener,
  runId: string,
  handle: (message: RunControl | null) => void,
): () => void {
  return listener.on(CONTROL_CHANNEL, (payload) => {
    if (payload === '') return handle(null)
    const message = JSON.parse(payload) as RunControl
    if (message.runId === runId) handle(message)
  })
}
