import type { AppTier } from '../resources/names.ts'
import { hooks } from '../resources/hooks.ts'
import type { Work } from '../resources/work.ts'
import { compiledApp, readRelease } from './bundle.ts'
import { boundAmong, latestDeployment } from './store.ts'

/** Connects a tier to its queue and its flows again, if it was published with them. */
export async function connectServing(work: Work, tier: AppTier): Promise<void> {
  const { platform, project } = work
  const live = await latestDeployment(platform.db, project, tier, ['live'])
  if (live === null) return
  const enabled = await hooks().capabilities.enabled(platform.db, project.id)
  const bound = boundAmong(live, enabled)
  if (!bound.has('queue') && !bound.has('flow')) return
  const release = await readRelease(platform, { projectId: project.id, sha: live.sha, enabled })
  await hooks().capabilities.connect(work, tier, { app: compiledApp(release), bound })
}
