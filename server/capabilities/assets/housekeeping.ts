import { sql } from 'kysely'
import { findUploadStorage } from '../../attachments/upload-storage.ts'
import { deleteObject } from '../../cloudflare/products/r2.ts'
import { ApiError } from '../../http/errors.ts'
import { ProviderError } from '../../lib/provider-error.ts'
import type { PlatformPorts } from '../../platform.ts'
import { PROJECTS_AS_P } from '../../sql/projects.ts'
import type { ScheduledTask } from '../../scheduled-task.ts'
import { stampAsset } from './stamp.ts'
import { pendingKeyOf } from './upload.ts'
import { DAY_MS } from '@slipway/runtime/kernel/durations.ts'

const ASSETS_PER_BATCH = 100
/**
 * Selects rows in random order, because rows of an unreachable account stay due. In a fixed order, every batch could
 * consist of these rows.
 */
const ANY_ORDER = sql`random()`
/**
 * The maximum duration of a request. The task skips rows that were changed less than this time ago, because the request
 * that changed them may still run.
 */
const REQUEST_MS_MAX = 2 * 60_000
/** After this time the task deletes the row of an expired upload, even if an unreachable account still contains the object. */
const GIVE_UP_MS = 7 * DAY_MS

/** Finishes access changes that were interrupted, and removes expired uploads. */
export const cleanUpAssets: ScheduledTask<PlatformPorts<'accounts'>> = {
  name: 'tidy-assets',
  every: 'minute',
  async run(platform, signal) {
    await finishStamps(platform, signal)
    await removeUploads(platform, signal)
  },
}

async function finishStamps(platform: PlatformPorts<'accounts'>, signal: AbortSignal): Promise<void> {
  const now = platform.clock.now().getTime()
  const rows = await platform.db
    .selectFrom('assets as a')
    .innerJoin(PROJECTS_AS_P, (join) =>
      join.onRef('p.id', '=', 'a.project_id').onRef('p.org_id', '=', 'a.org_id'),
    )
    .select(['p.id', 'p.org_id', 'p.name', 'p.slug', 'a.path'])
    .where('a.is_stamped', '=', false)
    .where('a.updated_at', '<', new Date(now - REQUEST_MS_MAX))
    .where('p.deleting_at', 'is', null)
    .orderBy(ANY_ORDER)
    .limit(ASSETS_PER_BATCH)
    .execute()
  for (const { path, ...project } of rows) {
    signal.throwIfAborted()
    await skipIfUnreachable(() => stampAsset(platform, project, { path, actor: 'slipway' }))
  }
}

async function removeUploads(platform: PlatformPorts<'accounts'>, signal: AbortSignal): Promise<void> {
  const now = platform.clock.now().getTime()
  const rows = await platform.db
    .selectFrom('asset_uploads as u')
    .innerJoin(PROJECTS_AS_P, (join) =>
      join.onRef('p.id', '=', 'u.project_id').onRef('p.org_id', '=', 'u.org_id'),
    )
    .select(['p.id', 'p.org_id', 'p.name', 'u.id as upload', 'u.account_id', 'u.expires_at'])
    .where('u.expires_at', '<', new Date(now - REQUEST_MS_MAX))
    .where('p.deleting_at', 'is', null)
    .orderBy(ANY_ORDER)
    .limit(ASSETS_PER_BATCH)
    .execute()
  for (const { upload, account_id: accountId, expires_at: expiresAt, ...project } of rows) {
    signal.throwIfAborted()
    const isRemoved = await skipIfUnreachable(async () => {
      const storage = await findUploadStorage(platform, project)
      if (storage?.accountId !== accountId) return
      const cloud = await platform.accounts.openCloud({
        orgId: project.org_id,
        actor: 'slipway',
        project,
        signal,
      })
      await deleteObject(cloud, storage.name, pendingKeyOf(upload))
    })
    if (!isRemoved && now - expiresAt.getTime() < GIVE_UP_MS) continue
    await platform.db
      .deleteFrom('asset_uploads')
      .where('org_id', '=', project.org_id)
      .where('id', '=', upload)
      .execute()
  }
}

/** Runs `work`. Returns false when the account cannot be reached or used; the next round of the task then runs `work` again. */
async function skipIfUnreachable(work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (error instanceof ProviderError || error instanceof ApiError) return false
    throw error
  }
}
