import { sql } from 'kysely'
import type { Trx } from '../../db/database.ts'

export const QUEUE_CHANNEL = 'build_queue'

/** Notifies only when the project has queued tickets, because every notification wakes all processes. */
export async function notifyQueue(trx: Trx, orgId: string, projectId: string): Promise<void> {
  await sql`
    select pg_notify(${QUEUE_CHANNEL}, '')
    where exists (select from build_queue where org_id = ${orgId} and project_id = ${projectId})`.execute(trx)
}
