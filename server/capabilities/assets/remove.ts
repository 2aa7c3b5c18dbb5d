import { findUploadStorage } from '../../attachments/upload-storage.ts'
import { deleteObject } from '../../cloudflare/products/r2.ts'
import { actorOf } from '../../connections/cloud.ts'
import type { Context } from '../../endpoint.ts'
import { notFound } from '../../http/errors.ts'
import { requireNotMoving } from '../../moves/moves.ts'
import { requireNotDeleting } from '../../projects/lifecycle.ts'
import { loadProject } from '../../projects/projects.ts'
import { findAsset } from './asset.ts'
import { plainForm } from './asset-path.ts'
import { otherAccountError } from './stamp.ts'

/** Removes the object before the row. After a crash in between, the list still shows every asset that is served. */
export async function removeAsset(
  ctx: Context<'accounts'>,
  projectId: string,
  given: string,
): Promise<{ path: string }> {
  const project = await loadProject(ctx, projectId)
  requireNotDeleting(project)
  await requireNotMoving(ctx.db, project)
  const path = plainForm(given)
  const row = await findAsset(ctx.db, project, path)
  if (row === null) throw notFound('asset')
  const cloud = await ctx.accounts.openCloud({
    orgId: project.org_id,
    actor: actorOf(ctx.caller),
    project,
    signal: ctx.signal,
  })
  if (cloud.accountId !== row.account_id) throw otherAccountError(row.account_id)
  const storage = await findUploadStorage(ctx, project)
  // `storage` is null when a person removed the bucket, and the object with it.
  if (storage !== null) await deleteObject(cloud, storage.name, path)
  await ctx.db
    .deleteFrom('assets')
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('path', '=', path)
    // An upload that replaced the asset in the meantime has a later `stored_at`, and its row is kept.
    .where('stored_at', '=', row.stored_at)
    .execute()
  return { path }
}
