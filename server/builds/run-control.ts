import { sql } from 'kysely'
import * as z from 'zod'
import type { Db, Trx } from '../db/database.ts'
import type { Listener } from '../db/listener.ts'
import { parseJson } from '../lib/json.ts'

const CONTROL_CHANNEL = 'run_control'

const RunControl = z.object({
  /** `released`: the run's process is stopping; another attempt will continue the run. */
  kind: z.enum(['cancelled', 'released']),
  runId: z.string(),
})
export type RunControl = z.output<typeof RunControl>

/**
 * Notifies all processes about a run. Call it in the transaction of the change, so that no process learns of a change
 * that is rolled back.
 */
export async function notifyRunControl(db: Db | Trx, message: RunControl): Promise<void> {
  await sql`select pg_notify(${CONTROL_CHANNEL}, ${JSON.stringify(message)})`.execute(db)
}

/**
 * Calls `handle` with each message about the run, and with null when notifications may have been missed. Returns a function
 * that stops the calls.
 */
export function onRunControl(
  listener: Pick<Listener, 'on'>,
  runId: string,
  handle: (message: RunControl | null) => void,
): () => void {
  return listener.on(CONTROL_CHANNEL, (payload) => {
    if (payload === '') return handle(null)
    // During an upgrade, a process of another version may send a message that this process does not know.
    const message = RunControl.safeParse(parseJson(payload)).data
    if (message?.runId === runId) handle(message)
  })
}
