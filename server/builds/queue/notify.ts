import { sql } from 'kysely'
import type { Trx } from '../../db/database.ts'

/** The NOTIFY channel that says that a project's queue may advance. */
export const QUEUE_CHANNEL = 'build_queue'

/** Wakes the processes that start queued builds, when the project has queued tickets. */
export async function notifyQueue(trx: Trx, orgId: string, projectId: string): Promise<void> {
  await sql`
    select pg_notify(${QUEUE_CHANNEL}, '')
    where exists (select from build_queue where org_id = ${orgId} and project_id = ${projectId})`.execute(trx)
}
