import { activateApp, prepareApp } from '../capabilities/activate.ts'
import { enabledCapabilities } from '../capabilities/enabled.ts'
import { needsObject } from '../capabilities/catalog.ts'
import { provisionPending } from '../capabilities/provision.ts'
import type { Cloud } from '../cloudflare/client.ts'
import { openCloud } from '../connections/cloud.ts'
import { attachDomainAtShip } from '../domain/attach.ts'
import type { Platform } from '../platform.ts'
import { bundleRelease, readRelease } from './app-bundle.ts'
import { appName, publishApp } from './app-worker.ts'
import type { Owner } from './kinds/kind.ts'
import { ensureLive } from './live.ts'
import { waitUntilHealthy } from './probe.ts'
import { restoreAddress } from './restore-address.ts'
import { serveAgain } from './serve-again.ts'
import { type Deployment, finishDeployment, latestDeployment, noteVersion } from './store.ts'
import { wiringOf } from './wiring.ts'

/**
 * Ships one deployment, in this order: what the capabilities need, the new version beside the old one, the switch,
 * and a look whether the app is well. From the switch on a failure puts the old version back.
 */
export async function runDeployment(
  platform: Platform,
  deployment: Deployment,
  run: { isContinued: boolean; signal: AbortSignal },
): Promise<void> {
  const { db } = platform
  const { tier, sha } = deployment
  const actor = deployment.actor ?? 'slipway'
  const project = await db
    .selectFrom('projects')
    .select(['id', 'org_id', 'name', 'slug'])
    .where('org_id', '=', deployment.org_id)
    .where('id', '=', deployment.project_id)
    .executeTakeFirstOrThrow()
  const [enabled, cloud, before] = await Promise.all([
    enabledCapabilities(db, project.id),
    openCloud(platform, { orgId: project.org_id, actor, project, signal: run.signal }),
    latestDeployment(db, project, tier, ['live']),
  ])
  const release = await readRelease(platform, { projectId: project.id, sha, enabled })
  const isUnchanged = before?.content_hash === release.hash && before.sha === sha
  const bundle = () => bundleRelease(platform, release)
  await Promise.all([
    isUnchanged ? null : bundle(),
    prepareCapabilities(platform, cloud, project, { enabled, actor, signal: run.signal }),
  ])
  const url = cloud.appUrl(appName(project, tier))
  try {
    await publishApp(platform, cloud, project, {
      deployment: {
        id: deployment.id,
        tier,
        sha,
        versionId: deployment.version_id ?? (isUnchanged ? before.version_id : null),
        isContinued: run.isContinued,
      },
      bundle,
      enabled,
      onVersion: (versionId) => noteVersion(db, deployment, versionId),
    })
    if (before === null) await restoreAddress(platform, cloud, project, tier)
    await waitUntilHealthy(url, sha, run.signal)
    await activateApp(platform, project, { tier, tree: release.tree, enabled, signal: run.signal })
  } catch (error) {
    await serveAgain({ platform, cloud, project, actor, signal: run.signal }, before)
    throw error
  }
  if (tier === 'production') await attachDomainAtShip(platform, cloud, project, run.signal)
  const done = { url, hash: release.hash, wiring: wiringOf(enabled), projectName: project.name }
  await finishDeployment(platform, deployment, done)
}

async function prepareCapabilities(
  platform: Platform,
  cloud: Cloud,
  project: Owner,
  options: { enabled: ReadonlySet<string>; actor: string; signal: AbortSignal },
): Promise<void> {
  await provisionPending(platform, project, { actor: options.actor, signal: options.signal, repair: true })
  if (needsObject(options.enabled))
    await ensureLive(platform, cloud, project, { enabled: options.enabled, verify: true })
  await prepareApp(platform, cloud, project, options.enabled)
}
