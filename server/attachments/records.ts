import type { Db, Trx } from '../db/database.ts'
import type { AttachmentsTable } from '../db/tables/attachments.ts'
import type { ProjectIds } from '../db/tables/projects.ts'
import { ApiError, conflict, isRefusal, notFound } from '../http/errors.ts'
import type { PlatformPorts } from '../platform.ts'
import { ByteCache } from './byte-cache.ts'
import { readUpload } from './provision-uploads.ts'
import { attachmentKey, sha256Of } from './stored-object.ts'
import { findUploadStorage } from './upload-storage.ts'
import { findProject } from '../projects/store.ts'

export type AttachmentRecord = AttachmentsTable

const CACHE_BYTES_MAX = 64 * 1024 * 1024
const uploadCache = new ByteCache(CACHE_BYTES_MAX)

/** Returns the attachments with these hashes. A hash without a finalized attachment is left out. */
export async function findRecords(
  db: Db | Trx,
  project: ProjectIds,
  hashes: readonly string[],
): Promise<AttachmentRecord[]> {
  if (hashes.length === 0) return []
  return await db
    .selectFrom('attachments')
    .selectAll()
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('sha256', 'in', hashes)
    .execute()
}

/** Returns undefined for the error that an account cannot be used. Rethrows every other error. */
function undefinedIfRefused(error: unknown): undefined {
  if (isRefusal(error)) return undefined
  throw error
}

/** Reads the bytes of an attachment. Checks their hash again, because the customer can change what is in the account. */
export async function readVerified(
  platform: PlatformPorts<'accounts'>,
  project: ProjectIds,
  record: AttachmentRecord,
): Promise<Buffer<ArrayBuffer>> {
  // The cache name includes the project, so that no project reads another's bytes.
  const name = `${project.id}/${record.sha256}`
  const known = uploadCache.get(name)
  if (known !== undefined) return known
  // The attachment is read from the account it was uploaded to: a project that moves has attachments in two accounts.
  const storage = await findUploadStorage(platform, project, record.account_id).catch(undefinedIfRefused)
  if (storage === undefined)
    throw conflict(
      `The attachment is kept in the cloud account ${record.account_id}, which is not connected. Connect that account, or attach the file again.`,
    )
  const row = await findProject(platform.db, { orgId: project.org_id, projectId: project.id })
  if (row === null) throw notFound('project')
  // `storage` is null when the project has no upload bucket in that account any more, because a person removed it.
  const stored =
    storage === null
      ? null
      : await readUpload(platform, row, storage, {
          key: attachmentKey(record.sha256),
          actor: 'slipway',
        })
  if (stored === null || sha256Of(stored.bytes) !== record.sha256)
    throw new ApiError('upstream_error', 'The attachment is no longer in the cloud account. Attach it again.')
  uploadCache.keep(name, stored.bytes)
  return stored.bytes
}

/** Lists the attachments that are stored in this account. */
export async function listRecordsIn(db: Db, project: ProjectIds, accountId: string) {
  return await db
    .selectFrom('attachments')
    .select(['sha256', 'media_type'])
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('account_id', '=', accountId)
    .execute()
}
