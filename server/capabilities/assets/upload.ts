import { randomUUID } from 'node:crypto'
import { ensureUploads } from '../../attachments/provision-uploads.ts'
import { expiryAfter } from '../../attachments/upload-token.ts'
import { actorOf } from '../../connections/cloud.ts'
import { transact, type Trx } from '../../db/database.ts'
import type { AssetsTable } from '../../db/tables/assets.ts'
import type { CallerContext, Context } from '../../endpoint.ts'
import { recordActivity } from '../../activity/log.ts'
import { conflict, invalid } from '../../http/errors.ts'
import { requireNotMoving } from '../../moves/moves.ts'
import type { Core } from '../../platform.ts'
import { lockUndeletedProject, requireNotDeleting } from '../../projects/lifecycle.ts'
import { loadProject } from '../../projects/projects.ts'
import { type Asset, ASSETS_MAX, type AssetProject, findAsset, presentAsset } from './asset.ts'
import { defaultAccess } from './settings.ts'
import { storedColumns, stampAsset } from './stamp.ts'
import { placeUpload, type StoredAsset } from './worker.ts'

const UPLOAD_TOKEN_MS = 15 * 60_000

/** An upload is stored under a separate key until it is finalized, so that an object being served is never half replaced. */
export const pendingKeyOf = (id: string): string => `_upload/${id}`

/** Returns the upload address, and a token for one upload of exactly this size and type. */
export async function initAssetUpload(
  ctx: Context<'accounts'>,
  projectId: string,
  file: { path: string; contentType: string; size: number },
) {
  const project = await loadProject(ctx, projectId)
  requireNotDeleting(project)
  await requireNotMoving(ctx.db, project)
  const storage = await ensureUploads(ctx, project, actorOf(ctx.caller))
  const id = randomUUID()
  const key = pendingKeyOf(id)
  const exp = expiryAfter(ctx.clock.now(), UPLOAD_TOKEN_MS)
  const expiresAt = new Date(exp * 1000)
  await transact(ctx.db, async (trx) => {
    // Without the lock, uploads that begin at the same moment would not count each other.
    await lockUndeletedProject(trx, project)
    await requireWithinAssetLimit(trx, project, file.path)
    await trx
      .insertInto('asset_uploads')
      .values({
        id,
        org_id: project.org_id,
        project_id: project.id,
        path: file.path,
        account_id: storage.accountId,
        expires_at: expiresAt,
        finalized_at: null,
        created_at: ctx.clock.now(),
      })
      .execute()
  })
  const { contentType, size: sizeBytes } = file
  const token = storage.key.grant({ use: 'put', key, exp, jti: id, contentType, sizeBytes })
  return { key, token, uploadUrl: `${storage.url}/${key}`, expiresAt: expiresAt.toISOString() }
}

/** Throws `conflict` for a further path when the assets and the uploads that are not finalized already have the most paths. */
async function requireWithinAssetLimit(trx: Trx, project: AssetProject, path: string): Promise<void> {
  const { count, own } = await trx
    .selectFrom((eb) =>
      eb
        .selectFrom('assets')
        .select('path')
        .where('org_id', '=', project.org_id)
        .where('project_id', '=', project.id)
        .union(
          eb
            .selectFrom('asset_uploads')
            .select('path')
            .where('org_id', '=', project.org_id)
            .where('project_id', '=', project.id)
            .where('finalized_at', 'is', null),
        )
        .as('taken'),
    )
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .select((eb) => eb.fn.countAll<string>().filterWhere('path', '=', path).as('own'))
    .executeTakeFirstOrThrow()
  if (Number(own) === 0 && Number(count) >= ASSETS_MAX)
    throw conflict(`The project has ${ASSETS_MAX} assets, which is the limit. Remove some first.`)
}

/**
 * Turns an upload into an asset, or into the new content of the asset at the same path, whose access stays unchanged. Stores
 * the size and type that the bucket reports, not the announced ones. Idempotent.
 */
export async function finalizeAsset(
  ctx: Context<'accounts'>,
  projectId: string,
  body: { key: string; name?: string | undefined },
): Promise<Asset> {
  const project = await loadProject(ctx, projectId)
  requireNotDeleting(project)
  await requireNotMoving(ctx.db, project)
  const upload = await findUpload(ctx, project, body.key)
  if (upload === null) throw invalid('key', 'is not a key that an upload was opened for')
  if (upload.finalized_at === null) {
    const storage = await ensureUploads(ctx, project, actorOf(ctx.caller))
    if (storage.accountId !== upload.account_id) throw nothingUploaded()
    const before = await findAsset(ctx.db, project, upload.path)
    const access = before?.access ?? JSON.stringify(await defaultAccess(ctx.db, project.id))
    const stored = await placeUpload(ctx.clock, storage, { from: body.key, key: upload.path, access })
    if (stored === 'missing') throw nothingUploaded()
    if (stored === 'changed')
      throw conflict('Another file was uploaded to this path at the same moment. Upload it again.')
    const name = body.name ?? upload.path.split('/').at(-1) ?? upload.path
    const target = `${storage.name}/${upload.path}`
    await transact(ctx.db, (trx) => recordUpload(ctx, trx, project, { upload, stored, access, name, target }))
    await stampAsset(ctx, project, { path: upload.path, actor: actorOf(ctx.caller) })
  }
  const row = await findAsset(ctx.db, project, upload.path)
  if (row === null) throw nothingUploaded()
  return await presentAsset(ctx.db, project, row)
}

const nothingUploaded = () => invalid('key', 'nothing was uploaded under it')

type AssetUpload = NonNullable<Awaited<ReturnType<typeof findUpload>>>

async function findUpload(ctx: Core, project: AssetProject, key: string) {
  const [, id] = /^_upload\/([0-9a-f-]{36})$/.exec(key) ?? []
  if (id === undefined) return null
  const row = await ctx.db
    .selectFrom('asset_uploads')
    .selectAll()
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

async function recordUpload(
  ctx: CallerContext<'clock'>,
  trx: Trx,
  project: AssetProject,
  done: {
    upload: AssetUpload
    stored: StoredAsset
    access: AssetsTable['access']
    name: string
    target: string
  },
): Promise<void> {
  const at = ctx.clock.now()
  const { upload, stored, access, name } = done
  const about = { name, ...storedColumns(stored), account_id: upload.account_id, updated_at: at }
  const key = { org_id: project.org_id, project_id: project.id, path: upload.path }
  await trx
    .insertInto('assets')
    .values({ ...key, ...about, access, is_stamped: true, created_at: at })
    .onConflict((it) =>
      it
        .columns(['project_id', 'path'])
        // When the access was changed during the upload, the object's metadata still has the old access and must be stamped again.
        .doUpdateSet((eb) => ({ ...about, is_stamped: eb('assets.access', '=', access).$castTo<boolean>() }))
        // The bucket keeps the later of two uploads to one path, so keep the row of the later upload as well.
        .where((eb) =>
          eb.or([
            eb('assets.account_id', '!=', upload.account_id),
            eb('assets.stored_at', '<=', about.stored_at),
          ]),
        ),
    )
    .execute()
  await trx
    .updateTable('asset_uploads')
    .set({ finalized_at: at })
    .where('org_id', '=', project.org_id)
    .where('id', '=', upload.id)
    .execute()
  await recordActivity(trx, {
    orgId: project.org_id,
    at,
    provider: 'cloudflare',
    actor: actorOf(ctx.caller),
    action: 'object.put',
    target: done.target,
    status: 'ok',
    projectId: project.id,
    projectName: project.name,
  })
}
