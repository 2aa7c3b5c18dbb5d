import { sql } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import type { Listener } from '../db/listener.ts'

/** What processes tell each other about turns. */
export const PLAN_CHANNEL = 'plan_turns'

type TurnNews =
  /** Somebody stopped the turn; its process has yet to hear of it. */
  | { kind: 'stopped'; id: string }
  /** Its process has heard and has stored what was said until then. */
  | { kind: 'told'; id: string }

export async function tellTurnNews(db: Db | Trx, news: TurnNews): Promise<void> {
  await sql`select pg_notify(${PLAN_CHANNEL}, ${JSON.stringify(news)})`.execute(db)
}

/** Calls with the news of all turns, and with null when news may have been missed. */
export function onTurnNews(listener: Listener, handle: (news: TurnNews | null) => void): () => void {
  return listener.on(PLAN_CHANNEL, (payload) => {
    handle(payload === '' ? null : (JSON.parse(payload) as TurnNews))
  })
}
