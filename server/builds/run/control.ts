import { sql } from 'kysely'
import type { Db, Trx } from '../../db/database.ts'
import type { Listener } from '../../db/listener.ts'

const CHANNEL = 'run_control'

/** What other processes are told about a run beside its frames. */
export type RunNews =
  | { kind: 'cancelled'; runId: string }
  /** Its process is stopping; the run will be continued. */
  | { kind: 'handed-back'; runId: string }

/** Tells every process, in the transaction that makes it true. */
export async function tellRunNews(db: Db | Trx, news: RunNews): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${JSON.stringify(news)})`.execute(db)
}

/** Calls with the news of one run, and with null when news may have been missed. */
export function onRunNews(
  listener: Listener,
  runId: string,
  handle: (news: RunNews | null) => void,
): () => void {
  return listener.on(CHANNEL, (payload) => {
    if (payload === '') return handle(null)
    const news = JSON.parse(payload) as RunNews
    if (news.runId === runId) handle(news)
  })
}
