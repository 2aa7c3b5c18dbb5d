import type { Selectable, Updateable } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import type { ProjectsTable } from '../db/tables/projects.ts'

export type ProjectRow = Selectable<ProjectsTable>

export interface ProjectKey {
  orgId: string
  projectId: string
}

/** Returns the project, or null when it is gone. */
export async function findProject(
  db: Db | Trx,
  { orgId, projectId }: ProjectKey,
): Promise<ProjectRow | null> {
  const row = await db
    .selectFrom('projects')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('id', '=', projectId)
    .executeTakeFirst()
  return row ?? null
}

/** Returns a project that is not deleted while this runs: a run of it is in progress, or its lock is held. */
export async function readProject(db: Db | Trx, key: ProjectKey): Promise<ProjectRow> {
  const project = await findProject(db, key)
  if (project === null) throw new Error(`the project ${key.projectId} is gone`)
  return project
}

/**
 * Returns the project and keeps it from being deleted until the transaction ends, or null when it is gone; with
 * `skipLocked` also when it is just being deleted.
 */
export async function holdProject(
  trx: Trx,
  { orgId, projectId }: ProjectKey,
  { skipLocked = false }: { skipLocked?: boolean } = {},
): Promise<ProjectRow | null> {
  const row = await trx
    .selectFrom('projects')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('id', '=', projectId)
    .forKeyShare()
    .$if(skipLocked, (query) => query.skipLocked())
    .executeTakeFirst()
  return row ?? null
}

/** Changes columns of a project. */
export async function changeProject(
  db: Db | Trx,
  { orgId, projectId }: ProjectKey,
  change: Updateable<ProjectsTable>,
): Promise<void> {
  await db
    .updateTable('projects')
    .set(change)
    .where('org_id', '=', orgId)
    .where('id', '=', projectId)
    .execute()
}

/** Returns an organization's live projects, most recently deployed first, at most `limit`. */
export async function listLiveProjects(db: Db, orgId: string, limit: number) {
  return await db
    .selectFrom('projects')
    .select(['id', 'name', 'slug'])
    .where('org_id', '=', orgId)
    .where('lifecycle', '=', 'live')
    .orderBy('live_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
