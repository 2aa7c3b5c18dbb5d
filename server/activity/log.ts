import { emailOf, memberEmail } from '../auth/shared-sql.ts'
import { creatorOf } from '../keys/shared-sql.ts'
import { type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import type { DeletedRows } from '../db/purge.ts'
import type { ActivityTable } from '../db/tables/events.ts'
import { newId } from '../lib/ids.ts'

/** One change made in a connected account; reads are not recorded. */
export interface ActivityEntry {
  orgId: string
  at: Date
  provider: ActivityTable['provider']
  /**
   * A readable name, or the id of a user or key of the organization, which is replaced by the person's
   * address.
   */
  actor: string
  action: string
  target: string
  status: ActivityTable['status']
  projectId?: string | null
  projectName?: string | null
  detail?: string | null
}

/** Takes part in the transaction of the change where there is one: neither is stored without the other. */
export async function recordActivity(db: Db | Trx, entry: ActivityEntry): Promise<void> {
  await db
    .insertInto('activity')
    .values({
      id: newId('act'),
      org_id: entry.orgId,
      at: entry.at,
      provider: entry.provider,
      actor: nameOf(entry.orgId, entry.actor),
      action: entry.action,
      target: entry.target,
      status: entry.status,
      project_id: entry.projectId ?? null,
      // Stored beside the id, because the log outlives the project.
      project_name: entry.projectName ?? null,
      detail: entry.detail ?? null,
      created_at: entry.at,
    })
    .execute()
}

/** Only for a reader that knows the action, because each action uses these fields differently. */
export type LoggedTarget = Pick<Selectable<ActivityTable>, 'project_name' | 'target' | 'detail'>

/** Returns the oldest first. */
export async function listLogged(
  db: Db | Trx,
  orgIds: readonly string[],
  action: string,
): Promise<LoggedTarget[]> {
  if (orgIds.length === 0) return []
  return await db
    .selectFrom('activity')
    .select(['project_name', 'target', 'detail'])
    .where('org_id', 'in', orgIds)
    .where('action', '=', action)
    .orderBy('at')
    .orderBy('id')
    .execute()
}

/**
 * For the deletion of an organization, which reads the entries of this one action last; `$1` is the
 * organization.
 */
export const logWithout = (action: `${string}.${string}`): DeletedRows => ({
  table: 'activity',
  rows: `select ctid from activity where org_id = $1 and action <> '${action}'`,
})

/** Takes a word out of every entry of a project, where a person who must not be found by it was the target. */
export async function forgetInActivity(
  trx: Trx,
  { orgId, projectId, word }: { orgId: string; projectId: string; word: string },
): Promise<void> {
  await trx
    .updateTable('activity')
    .set({
      target: sql`replace(target, ${word}, 'erased')`,
      detail: sql`replace(detail, ${word}, 'erased')`,
    })
    .where('org_id', '=', orgId)
    .where('project_id', '=', projectId)
    .where(sql<boolean>`strpos(target, ${word}) > 0 or strpos(coalesce(detail, ''), ${word}) > 0`)
    .execute()
}

/**
 * Background work knows its starter by id only. Only members of the organization are named: an actor may be a
 * model, whose name anyone can choose.
 */
const nameOf = (orgId: string, actor: string) =>
  sql<string>`coalesce(${memberEmail(orgId, actor)}, ${emailOf(creatorOf(orgId, actor))}, ${actor})`
