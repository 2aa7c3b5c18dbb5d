import type { Insertable, Selectable } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import type { VersionsTable } from '../db/tables/versions.ts'

/** Returns the version with this commit; null when the project has none. */
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

/** Stores a version. Call it in the transaction that stores its commit, so that no version is without a commit. */
export async function addVersion(trx: Trx, version: Insertable<VersionsTable>): Promise<void> {
  await trx.insertInto('versions').values(version).execute()
}

/** Returns the versions of a project, newest first: all of them, or the newest `maxRows`. */
export async function readVersions(
  db: Db,
  projectId: string,
  maxRows?: number,
): Promise<Selectable<VersionsTable>[]> {
  return await db
    .selectFrom('versions')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('created_at', 'desc')
    .orderBy('sha')
    .$if(maxRows !== undefined, (all) => all.limit(maxRows ?? 0))
    .execute()
}
