import { sql } from 'kysely'
import type { Trx } from '../../db/database.ts'
import type { ProjectIds } from '../../db/tables/projects.ts'
import type { Core } from '../../platform.ts'
import { HOUR_MS } from '@slipway/runtime/kernel/durations.ts'

/** The pause before the first retry. Longer than a call to the app can take, so that no retry begins during the call. */
const FIRST_RETRY_PAUSE_MS = 60_000
/** The maximum pause between two attempts. Each pause is twice as long as the previous one, up to this maximum. */
const RETRY_PAUSE_MS_MAX = HOUR_MS
/** The number of parallel calls that finish within the time limit of a task. */
const ERASURES_PER_BATCH = 20

type ErasureStore = Pick<Core, 'db' | 'clock'>

export interface ErasureKey {
  orgId: string
  projectId: string
  userId: string
}

/** Returns the ids of people whose erasure has begun but is not confirmed by the app yet. */
export async function readErasing(
  { db }: Pick<Core, 'db'>,
  project: ProjectIds,
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('app_erasures')
    .select('user_id')
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .execute()
  return new Set(rows.map((row) => row.user_id))
}

/** Stores an erasure. Called before each call to the app, so that the erasure continues after this process has ended. */
export async function recordErasure(
  { db, clock }: ErasureStore,
  { orgId, projectId, userId }: ErasureKey,
  actor: string,
): Promise<void> {
  const now = clock.now()
  const due_at = new Date(now.getTime() + FIRST_RETRY_PAUSE_MS)
  await db
    .insertInto('app_erasures')
    .values({ org_id: orgId, project_id: projectId, user_id: userId, actor, due_at, created_at: now })
    .onConflict((known) =>
      known
        .columns(['project_id', 'user_id'])
        .doUpdateSet({ due_at, attempts: sql`app_erasures.attempts + 1` }),
    )
    .execute()
}

/** Returns erasures whose next call is due, the longest overdue first. */
export async function readDueErasures({ db, clock }: ErasureStore): Promise<ErasureKey[]> {
  const rows = await db
    .selectFrom('app_erasures')
    .select(['org_id', 'project_id', 'user_id'])
    .where('due_at', '<=', clock.now())
    .orderBy('due_at')
    .limit(ERASURES_PER_BATCH)
    .execute()
  return rows.map((row) => ({ orgId: row.org_id, projectId: row.project_id, userId: row.user_id }))
}

/** Claims the due call of an erasure. Returns the person who requested the erasure, or null when another process has claimed it. */
export async function takeErasure({ db, clock }: ErasureStore, key: ErasureKey): Promise<string | null> {
  const now = clock.now()
  const pause = sql`least(${FIRST_RETRY_PAUSE_MS}::float8 * 2 ^ least(attempts, 10), ${RETRY_PAUSE_MS_MAX}::float8)`
  const taken = await db
    .updateTable('app_erasures')
    .set({
      attempts: sql`attempts + 1`,
      due_at: sql`${now}::timestamptz + ${pause} * interval '1 millisecond'`,
    })
    .where('org_id', '=', key.orgId)
    .where('project_id', '=', key.projectId)
    .where('user_id', '=', key.userId)
    .where('due_at', '<=', now)
    .returning('actor')
    .executeTakeFirst()
  return taken?.actor ?? null
}

/** Deletes the stored erasure. Returns false when another process has already deleted it. */
export async function deleteErasure(trx: Trx, { orgId, projectId, userId }: ErasureKey): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('app_erasures')
    .where('org_id', '=', orgId)
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
