import { sql } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import type { Listener } from '../db/listener.ts'

export const PLAN_CHANNEL = 'plan_turns'

type TurnNotification =
  /** A caller stopped the turn; its process does not know yet. */
  | { kind: 'stopped'; id: string }
  /** The turn's process has stored the text written until then. */
  | { kind: 'told'; id: string }

export async function notifyTurn(db: Db | Trx, notification: TurnNotification): Promise<void> {
  await sql`select pg_notify(${PLAN_CHANNEL}, ${JSON.stringify(notification)})`.execute(db)
}

/** Calls `handle` with null when notifications may have been missed. */
export function onTurnNotification(
  listener: Listener,
  handle: (notification: TurnNotification | null) => void,
): () => void {
  return listener.on(PLAN_CHANNEL, (payload) => {
    handle(payload === '' ? null : (JSON.parse(payload) as TurnNotification))
  })
}
