import { ensureUploads } from '../../attachments/provision-uploads.ts'
import { actorOf } from '../../connections/cloud.ts'
import { transact } from '../../db/database.ts'
import type { Context } from '../../endpoint.ts'
import { recordActivity } from '../../activity/log.ts'
import { conflict, notFound } from '../../http/errors.ts'
import type { PlatformPorts } from '../../platform.ts'
import { requireNotDeleting } from '../../projects/lifecycle.ts'
import { requireNotMoving } from '../../moves/moves.ts'
import { loadProject } from '../../projects/projects.ts'
import type { AssetAccess } from './declaration.ts'
import { requireAccessCapability } from './settings.ts'
import { type Asset, type AssetProject, findAsset, presentAsset } from './asset.ts'
import { stampObject, type StoredAsset } from './worker.ts'

/**
 * Changes who may see an asset. First changes the row and marks it as not yet stamped, then writes the access into the
 * metadata of the object in the bucket. After a crash in between, the scheduled task writes the metadata.
 */
export async function setAssetAccess(
  ctx: Context<'accounts'>,
  projectId: string,
  path: string,
  access: AssetAccess,
): Promise<Asset> {
  const project = await loadProject(ctx, projectId)
  await requireNotMoving(ctx.db, project)
  requireNotDeleting(project)
  if ((await findAsset(ctx.db, project, path)) === null) throw notFound('asset')
  await requireAccessCapability(ctx.db, project.id, access)
  await ctx.db
    .updateTable('assets')
    .set({ access: JSON.stringify(access), is_stamped: false, updated_at: ctx.clock.now() })
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('path', '=', path)
    .execute()
  await stampAsset(ctx, project, { path, actor: actorOf(ctx.caller) })
  const row = await findAsset(ctx.db, project, path)
  if (row === null) throw notFound('asset')
  return await presentAsset(ctx.db, project, row)
}

const STAMP_ATTEMPTS_MAX = 5

/** Writes the access of an asset's row into the metadata of its object. Starts again when the object or the access changed meanwhile. */
export async function stampAsset(
  platform: PlatformPorts<'accounts'>,
  project: Omit<AssetProject, 'url'>,
  { path, actor }: { path: string; actor: string },
): Promise<void> {
  for (let round = 0; round < STAMP_ATTEMPTS_MAX; round++) {
    const row = await findAsset(platform.db, project, path)
    if (row === null || row.is_stamped) return
    const storage = await ensureUploads(platform, project, actor)
    if (storage.accountId !== row.account_id) throw otherAccountError(row.account_id)
    const stored = await stampObject(platform.clock, storage, { key: path, access: row.access })
    if (stored === 'changed') continue
    const target = `${storage.name}/${path}`
    await transact(platform.db, async (trx) => {
      const updated = await trx
        .updateTable('assets')
        .set({ is_stamped: true, ...(stored === 'missing' ? {} : storedColumns(stored)) })
        .where('org_id', '=', project.org_id)
        .where('project_id', '=', project.id)
        .where('path', '=', path)
        .where('access', '=', row.access)
        .executeTakeFirst()
      if (updated.numUpdatedRows === 0n || stored === 'missing') return
      await recordActivity(trx, {
        orgId: project.org_id,
        at: platform.clock.now(),
        provider: 'cloudflare',
        actor,
        action: 'object.stamp',
        target,
        status: 'ok',
        projectId: project.id,
        projectName: project.name,
      })
    })
  }
}

/** The columns that mirror the object in the bucket. They are stored after each call, because an upload may have replaced the object. */
export const storedColumns = (stored: StoredAsset) => ({
  size_bytes: stored.sizeBytes,
  content_type: stored.contentType,
  stored_at: new Date(stored.storedAt),
})

/** The error for an object in an account that is not connected. Such an object cannot be read, changed or removed. */
export const otherAccountError = (accountId: string) =>
  conflict(
    `The asset is kept in the cloud account ${accountId}, which is not connected. Connect that account, or upload the file again.`,
  )
