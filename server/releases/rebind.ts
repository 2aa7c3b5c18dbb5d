import { readServing, rebind } from '../cloudflare/workers.ts'
import { appName, type AppTier } from '../resources/names.ts'
import { settleResource } from '../resources/registry.ts'
import type { Work } from '../resources/work.ts'
import { appBindings } from './app-worker.ts'
import { bindingsKey } from './publish.ts'
import { changeDeployment, latestDeployment } from './store.ts'

const TIERS: readonly AppTier[] = ['production', 'preview']

/** Gives the serving versions of both tiers the bindings of these capabilities; the code stays. */
export async function rebindApps(work: Work, enabled: ReadonlySet<string>): Promise<void> {
  const { platform, cloud, project } = work
  for (const tier of TIERS) {
    const live = await latestDeployment(platform.db, project, tier, ['live'])
    if (live === null) continue
    const name = appName(project, tier)
    await rebind(cloud, name, await appBindings(work, { tier, sha: live.sha, enabled }))
    const serving = await readServing(cloud, name)
    const versionId = serving?.versionId ?? null
    // Without its hash the next publication of the same content is not skipped.
    const bound = { version_id: versionId, content_hash: null, wiring: bindingsKey(enabled) }
    await changeDeployment(platform.db, live, bound)
    const key = { orgId: project.org_id, projectId: project.id, accountId: cloud.accountId, name }
    await settleResource(platform, { ...key, kind: 'worker' }, { state: 'ok', versionId })
  }
}
