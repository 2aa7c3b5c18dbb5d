import { enabledCapabilities } from '../capabilities/capabilities.ts'
import { enableAddress } from '../cloudflare/workers.ts'
import { bundleRelease, readRelease } from './app-bundle.ts'
import { appName, type AppTier, publishApp } from './app-worker.ts'
import type { Making } from './kinds/kind.ts'
import { waitUntilHealthy } from './probe.ts'
import { forgetResource } from './registry.ts'
import { latestDeployment } from './store.ts'

/**
 * Puts what a tier serves according to our rows into the account again. A tier that serves nothing has no worker to
 * bring back: its row is forgotten, and the next ship makes one.
 */
export async function republishApp(work: Making, row: { id: string }, tier: AppTier): Promise<void> {
  const { platform, cloud, project, signal } = work
  const { db } = platform
  const live = await latestDeployment(db, project, tier, ['live'])
  if (live === null) return await forgetResource(db, project, row.id)
  const enabled = await enabledCapabilities(db, project.id)
  const release = await readRelease(platform, { projectId: project.id, sha: live.sha, enabled })
  const bundle = await bundleRelease(platform, release)
  const versionId = await publishApp(platform, cloud, project, {
    deployment: { id: live.id, tier, sha: live.sha, versionId: live.version_id, isContinued: true },
    bundle,
    enabled,
    onVersion: async () => {},
  })
  await enableAddress(cloud, appName(project, tier))
  await waitUntilHealthy(
    platform.config.cloudflare.appUrl(appName(project, tier), cloud.subdomain),
    live.sha,
    signal,
  )
  await db
    .updateTable('deployments')
    .set({ version_id: versionId, content_hash: release.hash })
    .where('org_id', '=', project.org_id)
    .where('id', '=', live.id)
    .execute()
}
