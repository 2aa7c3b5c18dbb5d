import { accountIdOf } from '../connections/cloud.ts'
import type { Db, Trx } from '../db/database.ts'
import type { ProjectIds } from '../db/tables/projects.ts'
import { secondUploadsName, UPLOADS_LIKE, uploadsName } from '../resource-names.ts'

/**
 * Returns the name of the upload worker and its bucket in one account, or null before the first upload. The name is kept when the first
 * build renames the project, so that earlier attachments are still found.
 */
export async function readUploadsName(
  db: Db | Trx,
  project: ProjectIds,
  accountId: string,
): Promise<string | null> {
  const row = await uploadBuckets(db, project)
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .executeTakeFirst()
  return row?.name ?? null
}

/** Returns the name of the upload bucket in the project's account, or else in another account. Returns null before the first upload. */
export async function lastUploadsName(db: Db | Trx, project: ProjectIds): Promise<string | null> {
  const accountId = await accountIdOf(db, project.org_id, project.id)
  const row = await uploadBuckets(db, project)
    .orderBy((eb) => eb('account_id', '=', accountId ?? ''), 'desc')
    .orderBy('updated_at', 'desc')
    .executeTakeFirst()
  return row?.name ?? null
}

/**
 * Returns the name of the upload bucket in this account. Before the first upload it returns the name that the bucket
 * will have.
 */
export async function chooseUploadsName(
  db: Db,
  project: ProjectIds & { slug: string },
  accountId: string,
): Promise<string> {
  const known = await readUploadsName(db, project, accountId)
  if (known !== null) return known
  const name = uploadsName({ slug: project.slug })
  const taken = await db
    .selectFrom('resources')
    .select('id')
    .where('org_id', '=', project.org_id)
    .where('account_id', '=', accountId)
    .where('kind', '=', 'bucket')
    .where('name', '=', name)
    .where('project_id', '!=', project.id)
    .executeTakeFirst()
  // Uses the second name when another project, which had this slug before, still has its uploads under the first name.
  return taken === undefined ? name : secondUploadsName(project)
}

const uploadBuckets = (db: Db | Trx, project: ProjectIds) =>
  db
    .selectFrom('resources')
    .select('name')
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('kind', '=', 'bucket')
    .where('name', 'like', UPLOADS_LIKE)
