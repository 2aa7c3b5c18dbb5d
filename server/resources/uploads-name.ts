import { accountIdOf } from '../connections/project-account.ts'
import type { Db, Trx } from '../db/database.ts'
import { secondUploadsName, UPLOADS_LIKE, uploadsName } from './names.ts'

interface ProjectKey {
  id: string
  org_id: string
}

/**
 * Returns the name of the uploads in one account, or null before the first upload. The first upload fixes it: the first build
 * renames the project, and earlier attachments must still be found.
 */
export async function readUploadsName(
  db: Db | Trx,
  project: ProjectKey,
  accountId: string,
): Promise<string | null> {
  const row = await uploadBuckets(db, project)
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .executeTakeFirst()
  return row?.name ?? null
}

/** Prefers the account that the project is in; null before the first upload. */
export async function lastUploadsName(db: Db | Trx, project: ProjectKey): Promise<string | null> {
  const accountId = await accountIdOf(db, project.org_id, project.id)
  const row = await uploadBuckets(db, project)
    .orderBy((eb) => eb('account_id', '=', accountId ?? ''), 'desc')
    .orderBy('updated_at', 'desc')
    .executeTakeFirst()
  return row?.name ?? null
}

/** Returns the existing name in this account or, before the first upload, the name it will have. */
export async function chooseUploadsName(
  db: Db,
  project: ProjectKey & { slug: string },
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
  // A project that had this slug before still has its uploads there.
  return taken === undefined ? name : secondUploadsName(project)
}

const uploadBuckets = (db: Db | Trx, project: ProjectKey) =>
  db
    .selectFrom('resources')
    .select('name')
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('kind', '=', 'bucket')
    .where('name', 'like', UPLOADS_LIKE)
