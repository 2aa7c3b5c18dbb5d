import { type Expression, type NotNull, type Selectable, sql, type Updateable } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import type { DeletedRows } from '../db/purge.ts'
import type { Schema } from '../db/schema.ts'
import type { ProjectIds, ProjectsTable } from '../db/tables/projects.ts'
import { hasCloudConnection } from '../sql/connections.ts'

export type ProjectRow = Selectable<ProjectsTable>

export interface ProjectKey {
  orgId: string
  projectId: string
}

/** Returns null when there is no such project. */
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

/**
 * Throws when there is no such project. Use it only while the project cannot be deleted: during a build, or
 * while the lock of `findProjectForShare` is held.
 */
export async function readProject(db: Db | Trx, key: ProjectKey): Promise<ProjectRow> {
  const project = await findProject(db, key)
  if (project === null) throw new Error(`the project ${key.projectId} is gone`)
  return project
}

/**
 * Returns the project and keeps it from being deleted until the transaction ends. Returns null when the project does not exist and, with
 * `skipLocked`, also while it is being deleted.
 */
export async function findProjectForShare(
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

/**
 * The rows of a table that are deleted with the project `$2` of the organization `$1`. The project is joined,
 * because some tables have no column for the organization.
 */
export const rowsOfProject = (table: ProjectTable): DeletedRows => ({
  table,
  rows: `select x.ctid from ${table} x join projects p on p.id = x.project_id where p.org_id = $1 and p.id = $2`,
})

type ProjectTable = {
  [Table in keyof Schema]: 'project_id' extends keyof Schema[Table] ? Table : never
}[keyof Schema]

/** Marks a project as being deleted, so that no new work on it starts. Returns null when there is no such project. */
export async function markDeleting(trx: Trx, { orgId, projectId }: ProjectKey, at: Date) {
  const row = await trx
    .updateTable('projects')
    .set((eb) => ({ deleting_at: eb.fn.coalesce('deleting_at', eb.val(at)), updated_at: at }))
    .where('org_id', '=', orgId)
    .where('id', '=', projectId)
    .returning(['id', 'org_id', 'name', 'deleting_at'])
    .$narrowType<{ deleting_at: NotNull }>()
    .executeTakeFirst()
  return row ?? null
}

/** Locks the row of a project, so that no new row can refer to it. Returns false when there is no such project. */
export async function lockProjectRow(trx: Trx, { orgId, projectId }: ProjectKey): Promise<boolean> {
  const row = await trx
    .selectFrom('projects')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', '=', projectId)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes a project. Foreign keys delete all other rows that refer to it. */
export async function deleteProjectRow(trx: Trx, { orgId, projectId }: ProjectKey): Promise<void> {
  await trx.deleteFrom('projects').where('org_id', '=', orgId).where('id', '=', projectId).execute()
}

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

/** Sets the URL of a live project. Changes nothing when the project is not live. */
export async function setLiveUrl(
  trx: Trx,
  { orgId, projectId }: ProjectKey,
  url: Expression<string | null>,
): Promise<void> {
  await trx
    .updateTable('projects')
    .set({ url })
    .where('org_id', '=', orgId)
    .where('id', '=', projectId)
    .where('lifecycle', '=', 'live')
    .execute()
}

/** Marks a live project as offline. An archived project stays archived. */
export async function markOffline(trx: Trx, { orgId, projectId }: ProjectKey, at: Date): Promise<void> {
  await trx
    .updateTable('projects')
    .set((eb) => ({
      url: null,
      updated_at: at,
      lifecycle: eb
        .case()
        .when('lifecycle', '=', 'live')
        .then('offline' as const)
        .else(eb.ref('lifecycle'))
        .end(),
    }))
    .where('org_id', '=', orgId)
    .where('id', '=', projectId)
    .execute()
}

/** Returns the projects of all organizations, for background work of the installation. */
export async function listAllProjects(db: Db): Promise<ProjectIds[]> {
  return await db.selectFrom('projects').select(['id', 'org_id']).orderBy('id').execute()
}

/** Returns the live projects of an organization, the most recently deployed first. */
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

/** Returns the projects whose deployed version has outdated bindings. Leaves out projects that are being deleted. */
export async function listRebindDue(db: Db | Trx, orgId: string): Promise<Pick<ProjectRow, 'id'>[]> {
  return await db
    .selectFrom('projects')
    .select('id')
    .where('org_id', '=', orgId)
    .where('rebind_due', '=', true)
    .where('deleting_at', 'is', null)
    .execute()
}

/**
 * Returns at most `limit` projects whose deployed version has outdated bindings, of all organizations that have a connection to Cloudflare:
 * without one no binding can be updated. In random order, because projects whose update keeps failing would keep all others out of a fixed
 * order.
 */
export async function sampleRebindDue(db: Db, limit: number): Promise<ProjectIds[]> {
  return await db
    .selectFrom('projects')
    .select(['id', 'org_id'])
    .where('rebind_due', '=', true)
    .where('deleting_at', 'is', null)
    .where((eb) => hasCloudConnection(eb.ref('projects.org_id')))
    .orderBy(sql`random()`)
    .limit(limit)
    .execute()
}

/** Returns the oldest projects of these organizations, including archived ones and those being deleted. */
export async function oldestProjects(db: Db | Trx, orgIds: readonly string[], limit: number) {
  if (orgIds.length === 0) return []
  return await db
    .selectFrom('projects')
    .select(['id', 'org_id', 'name'])
    .where('org_id', 'in', orgIds)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Returns the projects of these organizations that are being deleted, the oldest first. */
export async function listDeleting(db: Db | Trx, orgIds: readonly string[]) {
  if (orgIds.length === 0) return []
  return await db
    .selectFrom('projects')
    .select(['id', 'org_id', 'name', 'deleting_at'])
    .where('org_id', 'in', orgIds)
    .where('deleting_at', 'is not', null)
    .$narrowType<{ deleting_at: NotNull }>()
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/**
 * Returns the number of projects by organization id, including archived ones. An organization without a
 * project is not in the map.
 */
export async function countProjectsOf(
  db: Db | Trx,
  orgIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('projects')
    .select((eb) => ['org_id', eb.fn.countAll<number>().as('count')])
    .where(sql<boolean>`org_id = any(${orgIds})`)
    .groupBy('org_id')
    .execute()
  return new Map(rows.map(({ org_id, count }) => [org_id, count]))
}
