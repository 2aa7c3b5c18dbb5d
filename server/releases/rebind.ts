import type { Cloud } from '../cloudflare/client.ts'
import { readServing, rebind } from '../cloudflare/workers.ts'
import type { Platform } from '../platform.ts'
import { appBindings, type AppTier, appName } from './app-worker.ts'
import { settleResource } from '../resources/registry.ts'
import { wiringOf } from './bindings-key.ts'
import { latestDeployment } from './store.ts'

const TIERS: readonly AppTier[] = ['production', 'preview']

/** Gives what serves now the bindings of these capabilities; the code stays. */
export async function rewireApps(
  platform: Platform,
  cloud: Cloud,
  project: { id: string; org_id: string; name: string; slug: string },
  enabled: ReadonlySet<string>,
): Promise<void> {
  for (const tier of TIERS) {
    const live = await latestDeployment(platform.db, project, tier, ['live'])
    if (live === null) continue
    const name = appName(project, tier)
    await rebind(cloud, name, await appBindings(platform, project, { tier, sha: live.sha, enabled }))
    const serving = await readServing(cloud, name)
    const versionId = serving?.versionId ?? null
    await platform.db
      .updateTable('deployments')
      // Without its hash the next publish of the same content is not skipped.
      .set({ version_id: versionId, content_hash: null, wiring: wiringOf(enabled) })
      .where('org_id', '=', project.org_id)
      .where('id', '=', live.id)
      .execute()
    const key = { orgId: project.org_id, projectId: project.id, accountId: cloud.accountId, name }
    await settleResource(platform, { ...key, kind: 'worker' }, { state: 'ok', versionId })
  }
}
