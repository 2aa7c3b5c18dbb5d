import type { AppTier } from '../resource-names.ts'
import { capabilitiesCallingApp } from '../capability-catalog/catalog.ts'
import { activateApp } from '../capabilities/operator/activate.ts'
import { actionsOf, connectTriggers, pauseTriggers, triggersOf } from '../capabilities/switch/in-account.ts'
import { enabledCapabilities } from '../capability-state/enabled.ts'
import type { ResourceWork } from '../resources/work.ts'
import { compiledApp, readRelease, type Release } from './bundle.ts'
import { boundAccountsAmong, latestDeployment } from '../deployments/store.ts'
import { ensureAdmin, needsAdmin } from './workers/admin.ts'
import { callersOf } from './workers/callbacks.ts'
import { ensureLive } from './workers/live.ts'

interface ServingTier {
  tier: AppTier
  release: Release
  enabled: ReadonlySet<string>
  /** The enabled capabilities whose bindings the version of the release has. */
  bound: ReadonlySet<string>
}

/**
 * Connects the queues, workflows and Durable Objects that call the app with the serving version, then activates its
 * release in the Durable Objects. After a failed publication, call it with the previous release, which disconnects the
 * callers of the failed version. Idempotent.
 */
export async function wireRelease(
  work: ResourceWork<'keyring'>,
  { tier, release, enabled, bound }: ServingTier,
): Promise<void> {
  const { platform, project, signal } = work
  await connectTriggers(work, tier, { app: compiledApp(release), bound })
  await pauseTriggers(work, tier, new Set(enabled).difference(bound))
  for (const { whenServing } of actionsOf(bound)) await whenServing?.(work, tier)
  const callers = await callersOf(platform, project, { tier, release, enabled: bound })
  if (capabilitiesCallingApp(enabled).length > 0) await ensureLive(work, enabled, { [tier]: callers })
  if (tier === 'production') {
    const app = needsAdmin(enabled) ? compiledApp(release) : null
    await activateApp(platform, project, { tier, app, enabled: bound, signal })
  } else if (callers.length > 0) {
    await ensureAdmin(work, enabled)
    await activateApp(platform, project, { tier, app: compiledApp(release), enabled: bound, signal })
  }
}

/**
 * Connects the callers of a tier, such as its queue and its workflow, to the serving version again if the version has the
 * bindings for these callers.
 */
export async function connectServing(work: ResourceWork<'keyring'>, tier: AppTier): Promise<void> {
  const { platform, project } = work
  const live = await latestDeployment(platform.db, project, tier, ['live'])
  if (live === null) return
  const enabled = await enabledCapabilities(platform.db, project.id)
  const bound = boundAccountsAmong(live, enabled)
  if (triggersOf(bound).length === 0) return
  const release = await readRelease(platform, { projectId: project.id, sha: live.sha, enabled })
  await connectTriggers(work, tier, { app: compiledApp(release), bound })
}
