import type { AppTier } from '../resource-names.ts'
import { callersAmong } from '../capability-catalog/catalog.ts'
import { activateApp } from '../capabilities/operator/activate.ts'
import { pointEndpoints } from '../capabilities/pay/endpoints.ts'
import { connectDeliveries, deliveriesAmong, pauseDeliveries } from '../capabilities/switch/deliveries.ts'
import { enabledCapabilities } from '../capability-state/enabled.ts'
import type { Work } from '../resources/work.ts'
import { compiledApp, readRelease, type Release } from './bundle.ts'
import { boundAmong, latestDeployment } from '../deployments/store.ts'
import { ensureAdmin, needsAdmin } from './workers/admin.ts'
import { callersOf } from './workers/callbacks.ts'
import { ensureLive } from './workers/live.ts'

interface Serving {
  tier: AppTier
  release: Release
  enabled: ReadonlySet<string>
  /** The enabled capabilities whose bindings the version of the release has. */
  bound: ReadonlySet<string>
}

/**
 * Connects queues, workflows and Durable Objects with the serving version, then tells the Durable Objects which release it
 * is. After a failed publication it is called with the previous release, so that no connection made for the failed one
 * remains. Idempotent.
 */
export async function wireRelease(
  work: Work<'keyring'>,
  { tier, release, enabled, bound }: Serving,
): Promise<void> {
  const { platform, project, signal } = work
  await connectDeliveries(work, tier, { app: compiledApp(release), bound })
  await pauseDeliveries(work, tier, new Set(enabled).difference(bound))
  if (bound.has('pay')) await pointEndpoints(work, { serving: tier })
  const callers = await callersOf(platform, project, { tier, release, enabled: bound })
  if (callersAmong(enabled).length > 0) await ensureLive(work, enabled, { [tier]: callers })
  if (tier === 'production') {
    const app = needsAdmin(enabled) ? compiledApp(release) : null
    await activateApp(platform, project, { tier, app, enabled: bound, signal })
  } else if (callers.length > 0) {
    await ensureAdmin(work, enabled)
    await activateApp(platform, project, { tier, app: compiledApp(release), enabled: bound, signal })
  }
}

/** Connects the deliveries of a tier again, such as its queue and its workflow, when the version that it serves has their bindings. */
export async function connectServing(work: Work<'keyring'>, tier: AppTier): Promise<void> {
  const { platform, project } = work
  const live = await latestDeployment(platform.db, project, tier, ['live'])
  if (live === null) return
  const enabled = await enabledCapabilities(platform.db, project.id)
  const bound = boundAmong(live, enabled)
  if (deliveriesAmong(bound).length === 0) return
  const release = await readRelease(platform, { projectId: project.id, sha: live.sha, enabled })
  await connectDeliveries(work, tier, { app: compiledApp(release), bound })
}
