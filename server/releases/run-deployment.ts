import { activateApp, prepareApp } from '../capabilities/operator/activate.ts'
import { enabledCapabilities } from '../capabilities/switch/enabled.ts'
import { needsObject } from '../capabilities/catalog.ts'
import { provisionPending } from '../capabilities/switch/provision.ts'
import type { Cloud } from '../cloudflare/client.ts'
import { enableAddress } from '../cloudflare/workers.ts'
import { openCloud } from '../connections/cloud.ts'
import { attachDomainAtShip } from '../domain/attach.ts'
import { carryOver, hideArrival } from '../relocation/carry-over.ts'
import { finishMove } from '../relocation/leave-hosting.ts'
import { moveOf } from '../moves/moves.ts'
import type { Platform } from '../platform.ts'
import { bundleRelease, readRelease } from './app-bundle.ts'
import { appName, publishApp } from './app-worker.ts'
import type { Owner } from '../resources/kinds/kind.ts'
import { ensureLive } from '../resources/workers/live.ts'
import { waitUntilHealthy } from '../resources/probe.ts'
import { restoreAddress } from './restore-address.ts'
import { serveAgain } from './restore-previous.ts'
import { type Deployment, finishDeployment, latestDeployment, noteVersion } from './store.ts'
import { wiringOf } from './bindings-key.ts'

/**
 * Ships one deployment, in this order: what the capabilities need, the new version beside the old one, the switch,
 * and a look whether the app is well. From the switch on a failure puts the old version back. A ship to another account
 * takes what the app stores along before the switch; answers `more` when that needs another job.
 */
export async function runDeployment(
  platform: Platform,
  deployment: Deployment,
  run: { isContinued: boolean; signal: AbortSignal },
): Promise<'done' | 'more'> {
  const { db } = platform
  const { tier, sha } = deployment
  const actor = deployment.actor ?? 'slipway'
  const project = await db
    .selectFrom('projects')
    .select(['id', 'org_id', 'name', 'slug'])
    .where('org_id', '=', deployment.org_id)
    .where('id', '=', deployment.project_id)
    .executeTakeFirstOrThrow()
  const [enabled, cloud, move] = await Promise.all([
    enabledCapabilities(db, project.id),
    openCloud(platform, { orgId: project.org_id, actor, project, signal: run.signal }),
    moveOf(db, deployment),
  ])
  // What serves in the account the project leaves is no version of this one.
  const before = move === null ? await latestDeployment(db, project, tier, ['live']) : null
  const release = await readRelease(platform, { projectId: project.id, sha, enabled })
  const isUnchanged = before?.content_hash === release.hash && before.sha === sha
  const bundle = () => bundleRelease(platform, release)
  await Promise.all([
    isUnchanged ? null : bundle(),
    prepareCapabilities(platform, cloud, project, { enabled, actor, signal: run.signal }),
  ])
  const work = { platform, cloud, project, enabled, actor, signal: run.signal }
  if (move !== null && !(await carryOver(work, move))) return 'more'
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
    if (move !== null) await enableAddress(cloud, appName(project, tier))
    else if (before === null) await restoreAddress(platform, cloud, project, tier)
    await waitUntilHealthy(url, sha, run.signal)
    await activateApp(platform, project, { tier, tree: release.tree, enabled, signal: run.signal })
  } catch (error) {
    await (move === null ? serveAgain(work, before) : hideArrival(work))
    throw error
  }
  // The host name of a project that moves is still attached where it was.
  if (tier === 'production' && move === null) await attachDomainAtShip(platform, cloud, project, run.signal)
  const done = { url, hash: release.hash, wiring: wiringOf(enabled), projectName: project.name }
  await finishDeployment(platform, deployment, done, async (trx, at) => {
    if (move !== null) await finishMove(platform, trx, move, { accountId: cloud.accountId, at })
  })
  return 'done'
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
