import type { CloudflareProfile } from '../config.ts'
import type { ProjectIds } from '../db/tables/projects.ts'
import type { PlatformPorts, Ports } from '../platform.ts'
import { chooseUploadsName, readUploadsName } from '../resources/uploads-name.ts'
import type { ProjectRef } from '../resources/work.ts'
import { type UploadKey, uploadKeyOf } from './upload-token.ts'

/** Where a project's uploads are stored: a bucket and a worker of the same name, in the project's cloud account. */
export interface UploadStorage {
  accountId: string
  name: string
  url: string
  key: UploadKey
}

/**
 * Returns the existing upload storage, by default in the project's current cloud account. Returns null when
 * that account has no upload bucket of the project.
 */
export async function findUploadStorage(
  platform: PlatformPorts<'accounts'>,
  project: ProjectIds,
  inAccount?: string,
): Promise<UploadStorage | null> {
  const of = { project, accountId: inAccount }
  const { account_id: accountId, ...account } = await platform.accounts.requireCloud(project.org_id, of)
  const name = await readUploadsName(platform.db, project, accountId)
  return name === null ? null : uploadStorageAt(platform, project, { ...account, accountId, name })
}

/** Returns the upload storage, or the storage that a first upload will create. Creates nothing itself. */
export async function chooseUploadStorage(
  platform: PlatformPorts<'accounts'>,
  project: ProjectRef,
): Promise<UploadStorage> {
  const { account_id: accountId, ...account } = await platform.accounts.requireCloud(project.org_id, {
    project,
  })
  const name = await chooseUploadsName(platform.db, project, accountId)
  return uploadStorageAt(platform, project, { ...account, accountId, name })
}

function uploadStorageAt(
  platform: Pick<Ports, 'accounts'>,
  project: Pick<ProjectRef, 'id'>,
  at: { accountId: string; subdomain: string; endpoints: CloudflareProfile; name: string },
): UploadStorage {
  const { accountId, name } = at
  const url = at.endpoints.appUrl(name, at.subdomain)
  return { accountId, name, url, key: uploadKeyOf(platform, project) }
}
