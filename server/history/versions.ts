import type { Insertable, Selectable } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import type { VersionsTable } from '../db/tables/versions.ts'

/** Returns a version of the project, or null when it has none with this commit. */
export async function findVersion(
  db: Db | Trx,
  projectId: string,
  sha: string,
): Promise<Selectable<VersionsTable> | null> {
  const row = await db
    .selectFrom('versions')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('sha', '=', sha)
    .executeTakeFirst()
  return row ?? null
}

/** Stores a version, in the transaction that commits it. */
export async function addVersion(trx: Trx, version: Insertable<VersionsTable>): Promise<void> {
  await trx.insertInto('versions').values(version).execute()
}

/** Returns every version the project ever had, newest first. */
export async function readVersions(db: Db, projectId: string): Promise<Selectable<VersionsTable>[]> {
  return await db
    .selectFrom('versions')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('created_at', 'desc')
    .orderBy('sha')
    .execute()
}
