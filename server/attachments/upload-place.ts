import { requireCloud } from '../connections/cloud.ts'
import { accountIdOf } from '../connections/home.ts'
import type { CloudflareProfile } from '../config.ts'
import type { Db, Trx } from '../db/database.ts'
import type { Platform } from '../platform.ts'
import { type UploadKey, uploadKeyOf } from './upload-token.ts'

/** The columns of a project that this folder needs. */
export interface Uploading {
  id: string
  org_id: string
  name: string
  slug: string
}

/** A project's upload place in the connected account: a bucket and a worker of the same name. */
export interface UploadPlace {
  accountId: string
  name: string
  url: string
  key: UploadKey
}

/**
 * Returns the existing upload place, by default in the account the project lives in; null when there was
 * never an upload.
 */
export async function findUploadPlace(
  platform: Platform,
  project: Pick<Uploading, 'id' | 'org_id'>,
  inAccount?: string,
): Promise<UploadPlace | null> {
  const of = { project, accountId: inAccount }
  const { account_id: accountId, ...account } = await requireCloud(platform, project.org_id, of)
  const name = await readName(platform, project, accountId)
  return name === null ? null : placeAt(platform, project, { ...account, accountId, name })
}

/**
 * Returns the name of a project's upload place, preferring the account the project lives in; null when there
 * was never an upload.
 */
export async function lastUploadsName(
  db: Db | Trx,
  project: Pick<Uploading, 'id' | 'org_id'>,
): Promise<string | null> {
  const accountId = await accountIdOf(db, project.org_id, project.id)
  const row = await uploadBuckets(db, project)
    .orderBy((eb) => eb('account_id', '=', accountId ?? ''), 'desc')
    .orderBy('updated_at', 'desc')
    .executeTakeFirst()
  return row?.name ?? null
}

/** Returns the existing place or, for a first upload, a new one. */
export async function chooseUploadPlace(platform: Platform, project: Uploading): Promise<UploadPlace> {
  const { account_id: accountId, ...account } = await requireCloud(platform, project.org_id, { project })
  const name =
    (await readName(platform, project, accountId)) ?? (await freeName(platform, project, accountId))
  return placeAt(platform, project, { ...account, accountId, name })
}

function placeAt(
  platform: Platform,
  project: Pick<Uploading, 'id'>,
  at: { accountId: string; subdomain: string; endpoints: CloudflareProfile; name: string },
): UploadPlace {
  const { accountId, name } = at
  const url = at.endpoints.appUrl(name, at.subdomain)
  return { accountId, name, url, key: uploadKeyOf(platform.keyring, project.id) }
}

/**
 * The name of the first upload is kept: the first build renames a project, and earlier attachments must still
 * be found.
 */
async function readName(
  platform: Platform,
  project: Pick<Uploading, 'id' | 'org_id'>,
  accountId: string,
): Promise<string | null> {
  const row = await uploadBuckets(platform.db, project).where('account_id', '=', accountId).executeTakeFirst()
  return row?.name ?? null
}

const uploadBuckets = (db: Db | Trx, project: Pick<Uploading, 'id' | 'org_id'>) =>
  db
    .selectFrom('resources')
    .select('name')
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('kind', '=', 'bucket')
    .where('name', 'like', '%-assets')

// A worker's name is a DNS label of at most 63 characters.
const SLUG_CHARS_MAX = 63 - '-123456-assets'.length

/** Uses the project's slug, unless another project that had this slug before keeps its uploads under it. */
async function freeName(platform: Platform, project: Uploading, accountId: string): Promise<string> {
  const name = `${project.slug}-assets`
  const taken = await platform.db
    .selectFrom('resources')
    .select('id')
    .where('org_id', '=', project.org_id)
    .where('account_id', '=', accountId)
    .where('kind', '=', 'bucket')
    .where('name', '=', name)
    .where('project_id', '!=', project.id)
    .executeTakeFirst()
  if (taken === undefined) return name
  return `${project.slug.slice(0, SLUG_CHARS_MAX)}-${project.id.slice(-6)}-assets`
}
