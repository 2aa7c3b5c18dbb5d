import { setTimeout as sleep } from 'node:timers/promises'
import { CloudflareError, transientError } from '../cloudflare/errors.ts'
import { readServing, rebind } from '../cloudflare/products/workers.ts'
import { appName, type AppTier } from '../resource-names.ts'
import { readAccessCode } from '../capabilities/access/code.ts'
import { pauseAllExcept } from '../capabilities/switch/in-account.ts'
import { readServedAccessCodeId } from '../resources/probe.ts'
import { settleResource } from '../resources/registry.ts'
import type { RebindOptions } from '../resource-ports.ts'
import type { PublishPorts, ResourceWork } from '../resources/work.ts'
import { AccessCodeUnsupportedError, appBindings, applyAccessCode } from './app-worker.ts'
import { REUPLOAD_SUFFIX, bindingsKey, ACCESS_CODE_PREFIX, republishVersion } from './publish.ts'
import { changeDeployment, type Deployment, latestDeployment } from '../deployments/store.ts'
import { ensureLive, isLiveDeployed, needsObjects } from './workers/live.ts'

const APP_TIERS: readonly AppTier[] = ['production', 'preview']
const REBIND_MS_MAX = 60_000
const CHECK_PAUSE_MS = 100

/**
 * Gives the serving versions of production and preview the bindings of these capabilities and of the access code. Their
 * code stays the same.
 */
export async function rebindApps(
  work: ResourceWork<PublishPorts>,
  { enabled, isDeployJob }: RebindOptions & { enabled: ReadonlySet<string> },
): Promise<void> {
  const { platform, cloud, project } = work
  for (const tier of APP_TIERS) {
    if (!isDeployJob) await waitWhileDeploying(work, tier)
    const live = await latestDeployment(platform.db, project, tier, ['live'])
    if (live === null) continue
    const name = appName(project, tier)
    // Stops the delivery of queue messages first: without bindings the app's code could neither handle a message nor
    // store the message as failed.
    await pauseAllExcept(work, tier, enabled)
    const gate = await rebindApp(work, { tier, live, enabled })
    const serving = await readServing(cloud, name)
    const versionId = serving?.versionId ?? null
    // The hash is deleted. Otherwise a publication with the same hash would be skipped, and the old bindings would remain.
    const bound = { version_id: versionId, content_hash: null, wiring: bindingsKey(enabled, gate) }
    await changeDeployment(platform.db, live, bound)
    const key = { orgId: project.org_id, projectId: project.id, accountId: cloud.accountId, name }
    await settleResource(platform, { ...key, kind: 'worker' }, { state: 'ok', versionId })
  }
  // The live worker contains the records, so it remains, without its bindings, after the last capability was switched off.
  if (needsObjects(enabled) || (await isLiveDeployed(work))) await ensureLive(work, enabled)
}

/**
 * Waits until no deployment of the tier is running. Rebinding gives the serving version the sha of the deployment that
 * is stored as live. If a running deployment had just switched to its version, this version would get the old sha and
 * fail the health check. Throws when the deployment takes too long; the update stays due.
 */
async function waitWhileDeploying({ platform, project, signal }: ResourceWork, tier: AppTier): Promise<void> {
  const giveUpAt = performance.now() + REBIND_MS_MAX
  while ((await latestDeployment(platform.db, project, tier, ['deploying'])) !== null) {
    if (performance.now() > giveUpAt)
      throw transientError('The bindings are not updated yet, because the project is still being deployed.')
    await sleep(CHECK_PAUSE_MS, undefined, { signal })
  }
}

/**
 * Changes the bindings of one worker. Resolves to the id of the access code once the app asks for the code, or to null
 * without a code.
 */
async function rebindApp(
  work: ResourceWork<PublishPorts>,
  { tier, live, enabled }: { tier: AppTier; live: Deployment; enabled: ReadonlySet<string> },
): Promise<string | null> {
  const { platform, cloud, project, signal } = work
  const { sha } = live
  const name = appName(project, tier)
  const url = cloud.appUrl(name)
  const wanted = tier === 'production' ? await readAccessCode(platform, platform.db, project) : null
  // The runtime of this version has no access codes, so upload it again with the current runtime.
  const replaceRuntime = async (code: string) =>
    (await republishVersion(work, { tier, sha, versionId: null, tag: `${code}${REUPLOAD_SUFFIX}` })).gate
  if (wanted !== null && (await hasNoAccessCodes(url, signal))) return await replaceRuntime(wanted.id)
  await rebind(cloud, name, await appBindings(work, { tier, sha, enabled }))
  // Without an access code before and after the change there is nothing to verify, so an app that does not respond is not an error.
  const isFollowed = wanted !== null || live.wiring?.includes(ACCESS_CODE_PREFIX) === true
  if (!isFollowed) return null
  try {
    return (await applyAccessCode(work, { url, sha, enabled })).gate
  } catch (error) {
    // The app was not healthy before, so that only now its runtime turned out to have no access codes.
    if (wanted !== null && error instanceof AccessCodeUnsupportedError) return await replaceRuntime(wanted.id)
    throw error
  }
}

/**
 * Returns whether the runtime of an app has no access codes. Returns false for an app that is not healthy: its bindings are changed, and
 * `applyAccessCode` waits until the app asks for the code.
 */
async function hasNoAccessCodes(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    return (await readServedAccessCodeId(url, signal)) === 'unknown'
  } catch (error) {
    if (error instanceof CloudflareError && error.retryable) return false
    throw error
  }
}
