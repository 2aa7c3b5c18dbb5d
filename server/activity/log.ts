import { emailOf, memberEmail } from '../sql/auth.ts'
import { creatorOf } from '../sql/keys.ts'
import { type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import type { DeletedRows } from '../db/purge.ts'
import type { ActivityTable } from '../db/tables/events.ts'
import type { CallerContext } from '../endpoint.ts'
import { newId } from '../lib/ids.ts'

/** One change made in a connected account; reads are not recorded. */
export interface ActivityEntry {
  orgId: string
  at: Date
  provider: ActivityTable['provider']
  /**
   * A readable name, or the id of a user or an API key of the organization. When the entry is stored, an id is
   * replaced by the user's e-mail address or that of the key's creator.
   */
  actor: string
  action: string
  target: string
  status: ActivityTable['status']
  projectId?: string | null
  projectName?: string | null
  detail?: string | null
}

/** Stores an entry. Pass the change's transaction, if it has one, so that the change and its entry are stored together. */
export async function recordActivity(db: Db | Trx, entry: ActivityEntry): Promise<void> {
  await db
    .insertInto('activity')
    .values({
      id: newId('act'),
      org_id: entry.orgId,
      at: entry.at,
      provider: entry.provider,
      actor: actorEmailSql(entry.orgId, entry.actor),
      action: entry.action,
      target: entry.target,
      status: entry.status,
      project_id: entry.projectId ?? null,
      // The project's name is stored beside its id, because the log outlives the project.
      project_name: entry.projectName ?? null,
      detail: entry.detail ?? null,
      created_at: entry.at,
    })
    .execute()
}

/**
 * Records a change that the caller made. By default the change succeeded and was made in the service itself. Pass the
 * change's transaction, if it has one.
 */
export const recordCallerChange = (
  ctx: CallerContext<'clock'>,
  db: Db | Trx,
  change: Pick<ActivityEntry, 'action' | 'target' | 'projectId' | 'projectName' | 'detail'> &
    Partial<Pick<ActivityEntry, 'provider' | 'status'>>,
): Promise<void> =>
  recordActivity(db, {
    orgId: ctx.caller.organizationId,
    at: ctx.clock.now(),
    provider: 'slipway',
    actor: ctx.caller.email ?? ctx.caller.actorId,
    status: 'ok',
    ...change,
  })

/** The fields whose meaning depends on the action of the entry. */
export type LoggedTarget = Pick<Selectable<ActivityTable>, 'project_name' | 'target' | 'detail'>

/** Returns the entries of one action, the oldest first. */
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

/** The log rows to delete with an organization (`$1`): all except the entries of `action`, which the deletion reads at its end. */
export const activityRowsExcept = (action: `${string}.${string}`): DeletedRows => ({
  table: 'activity',
  rows: `select ctid from activity where org_id = $1 and action <> '${action}'`,
})

/** Replaces `word`, the id of an erased person of the app, with `erased` in every entry of a project. */
export async function eraseFromActivity(
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
 * Returns SQL that selects the actor's e-mail address, because background work knows only the id of the person who
 * started it. Only members of the organization are looked up: an actor may be a model, whose name anyone can choose.
 */
const actorEmailSql = (orgId: string, actor: string) =>
  sql<string>`coalesce(${memberEmail(orgId, actor)}, ${emailOf(creatorOf(orgId, actor))}, ${actor})`
