import { sql } from 'kysely'
import * as z from 'zod'
import type { Db, Trx } from '../db/database.ts'
import type { Listener } from '../db/listener.ts'
import { parseJson } from '../lib/json.ts'

export const PLAN_CHANNEL = 'plan_turns'

const TurnNotification = z.object({
  /**
   * `stopped`: a request stopped the turn, and the process that runs it has to abort it. `told`: that process has stored the
   * text written until then.
   */
  kind: z.enum(['stopped', 'told']),
  id: z.string(),
})
type TurnNotification = z.output<typeof TurnNotification>

export async function notifyTurn(db: Db | Trx, notification: TurnNotification): Promise<void> {
  await sql`select pg_notify(${PLAN_CHANNEL}, ${JSON.stringify(notification)})`.execute(db)
}

/** Calls `handle` with each notification about a turn, and with null when notifications may have been missed. */
export function onTurnNotification(
  listener: Pick<Listener, 'on'>,
  handle: (notification: TurnNotification | null) => void,
): () => void {
  return listener.on(PLAN_CHANNEL, (payload) => {
    if (payload === '') return handle(null)
    // During an upgrade, a process of another version may send a message that this process does not know.
    const notification = TurnNotification.safeParse(parseJson(payload)).data
    if (notification !== undefined) handle(notification)
  })
}
