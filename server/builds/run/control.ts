import { sql } from 'kysely'
import type { Db, Trx } from '../../db/database.ts'
import type { Listener } from '../../db/listener.ts'

const CHANNEL = 'run_control'

/** What other processes are told about a run beside its frames. */
export type RunControl =
  | { kind: 'cancelled'; runId: string }
  /** Its process is stopping; the run will be continued. */
  | { kind: 'handed-back'; runId: string }

/** Tells every process, in the transaction that makes it true. */
export async function notifyRunControl(db: Db | Trx, news: RunControl): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${JSON.stringify(news)})`.execute(db)
}

/** Calls with the news of one run, and with null when news may have been missed. */
export function onRunControl(
  listener: Listener,
  runId: string,
  handle: (news: RunControl | null) => void,
): () => void {
  return listener.on(CHANNEL, (payload) => {
    if (payload === '') return handle(null)
    const news = JSON.parse(payload) as RunControl
    if (news.runId === runId) handle(news)
  })
}
