import type { AppTier } from './app-worker.ts'
import type { Making } from '../resources/kinds/kind.ts'
import { forgetResource } from '../resources/registry.ts'
import { serveRelease } from './publish.ts'
import { latestDeployment } from './store.ts'

/**
 * Puts what a tier serves according to our rows into the account again. A tier that serves nothing has no worker to
 * bring back: its row is forgotten, and the next ship makes one.
 */
export async function republishApp(work: Making, row: { id: string }, tier: AppTier): Promise<void> {
  const { platform, project } = work
  const live = await latestDeployment(platform.db, project, tier, ['live'])
  if (live === null) return await forgetResource(platform.db, project, row.id)
  const { versionId, hash, wiring } = await serveRelease(work, {
    tier,
    sha: live.sha,
    versionId: live.version_id,
    tag: live.id,
  })
  await platform.db
    .updateTable('deployments')
    .set({ version_id: versionId, content_hash: hash, wiring })
    .where('org_id', '=', project.org_id)
    .where('id', '=', live.id)
    .execute()
}
