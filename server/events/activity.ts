import type { Db, Trx } from '../db/database.ts'
import type { ActivityTable } from '../db/tables/events.ts'
import { newId } from '../lib/ids.ts'

/** One change made in a connected account (reads are not recorded). */
export interface ActivityEntry {
  orgId: string
  at: Date
  provider: ActivityTable['provider']
  actor: string
  action: string
  target: string
  status: ActivityTable['status']
  projectId?: string | null
  projectName?: string | null
  detail?: string | null
}

/** Adds to the organization's activity log, in the transaction of the change where there is one. */
export async function recordActivity(db: Db | Trx, entry: ActivityEntry): Promise<void> {
  await db
    .insertInto('activity')
    .values({
      id: newId('act'),
      org_id: entry.orgId,
      at: entry.at,
      provider: entry.provider,
      actor: entry.actor,
      action: entry.action,
      target: entry.target,
      status: entry.status,
      project_id: entry.projectId ?? null,
      // Kept beside the id: the log outlives the project.
      project_name: entry.projectName ?? null,
      detail: entry.detail ?? null,
      created_at: entry.at,
    })
    .execute()
}
