import { sql } from 'kysely'
import type { Db, Trx } from '../../db/database.ts'
import type { Listener } from '../../db/listener.ts'

const CHANNEL = 'run_control'

/** A notification about a run to other processes, beside its frames. */
export type RunControl =
  | { kind: 'cancelled'; runId: string }
  /** Its process is stopping; another attempt will continue the run. */
  | { kind: 'released'; runId: string }

/** Notifies every process, in the transaction that makes it true. */
export async function notifyRunControl(db: Db | Trx, message: RunControl): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${JSON.stringify(message)})`.execute(db)
}

/** Calls `handle` with the notifications of one run, and with null when some may have been missed. Returns the way to stop. */
export function onRunControl(
  listener: Listener,
  runId: string,
  handle: (message: RunControl | null) => void,
): () => void {
  return listener.on(CHANNEL, (payload) => {
    if (payload === '') return handle(null)
    const message = JSON.parse(payload) as RunControl
    if (message.runId === runId) handle(message)
  })
}
