import * as z from 'zod'
import { enabledCapabilities } from '../capabilities/capabilities.ts'
import { needsObject } from '../capabilities/catalog.ts'
import { provisionPending } from '../capabilities/provision.ts'
import type { Cloud } from '../cloudflare/client.ts'
import { enableAddress, serveVersion } from '../cloudflare/workers.ts'
import { openCloud } from '../connections/cloud.ts'
import { ApiError } from '../http/errors.ts'
import { defineJob } from '../jobs/jobs.ts'
import { ProviderError } from '../lib/provider-error.ts'
import type { Platform } from '../platform.ts'
import { bundleRelease, readRelease } from './app-bundle.ts'
import { appName, publishApp } from './app-worker.ts'
import { ensureLive } from './live.ts'
import { whileUnreachable } from './patience.ts'
import { settleResource } from './registry.ts'
import { waitUntilHealthy } from './probe.ts'
import {
  type Deployment,
  failDeployment,
  finishDeployment,
  latestDeployment,
  noteVersion,
  readDeployment,
} from './store.ts'
import { failOffline, takeOffline } from './take-offline.ts'

/**
 * Brings one stored deployment to where its rows say it should be: one that is `deploying` is shipped, one that is
 * still live although its project was archived is taken off its address. One line per project, so that neither can
 * overtake the other. Every step can run twice, so a job that died is simply run again: the version it
 * uploaded is found by its tag, and the switch to what serves already changes nothing.
 */
export const deployJob = defineJob({
  name: 'deploy',
  data: z.object({
    orgId: z.string(),
    projectId: z.string(),
    deploymentId: z.string(),
    actor: z.string().optional(),
  }),
  policy: 'key_strict_fifo',
  key: (data) => data.projectId,
  retryLimit: 5,
  expireSeconds: 300,
  concurrency: 4,
  run: async (platform, { data, attempt, signal }) => {
    const read = () => readDeployment(platform.db, data.orgId, data.deploymentId)
    const deployment = await read()
    if (deployment === null || (deployment.status !== 'deploying' && deployment.status !== 'live')) return
    const isLive = deployment.status === 'live'
    try {
      if (isLive) return await takeOffline(platform, deployment, { actor: data.actor ?? 'slipway', signal })
      await whileUnreachable(signal, async (repeat) => {
        const known = repeat === 0 ? deployment : ((await read()) ?? deployment)
        await runDeployment(platform, known, { isContinued: attempt > 1 || repeat > 0, signal })
      })
    } catch (error) {
      signal.throwIfAborted()
      // Anything but an answer is the database's trouble or ours, and worth another try.
      if (!(error instanceof ProviderError) && !(error instanceof ApiError)) throw error
      platform.log.warn({ err: error, deploymentId: deployment.id }, 'deployment failed')
      await (isLive ? failOffline : failDeployment)(platform, deployment, error.message)
    }
  },
  abandon: async (platform, data) => {
    const deployment = await readDeployment(platform.db, data.orgId, data.deploymentId)
    if (deployment === null) return
    const fail = deployment.status === 'live' ? failOffline : failDeployment
    await fail(platform, deployment, 'Something went wrong on our side while deploying. Try again.')
  },
})

async function runDeployment(
  platform: Platform,
  deployment: Deployment,
  run: { isContinued: boolean; signal: AbortSignal },
): Promise<void> {
  const { db } = platform
  const actor = deployment.actor ?? 'slipway'
  const project = await db
    .selectFrom('projects')
    .select(['id', 'org_id', 'name', 'slug'])
    .where('org_id', '=', deployment.org_id)
    .where('id', '=', deployment.project_id)
    .executeTakeFirstOrThrow()
  const [enabled, cloud] = await Promise.all([
    enabledCapabilities(db, project.id),
    openCloud(platform, { orgId: project.org_id, actor, project, signal: run.signal }),
  ])
  const release = await readRelease(platform, { projectId: project.id, sha: deployment.sha, enabled })
  const [bundle] = await Promise.all([
    bundleRelease(platform, release),
    prepareCapabilities(platform, cloud, project, { enabled, actor, signal: run.signal }),
  ])
  const before = await latestDeployment(db, project, deployment.tier, ['live'])
  const url = platform.config.cloudflare.appUrl(appName(project, deployment.tier), cloud.subdomain)
  await publishApp(platform, cloud, project, {
    deployment: { ...deployment, versionId: deployment.version_id, isContinued: run.isContinued },
    bundle,
    enabled,
    onVersion: (versionId) => noteVersion(db, deployment, versionId),
  })
  if (before === null) await restoreAddress(platform, cloud, project, deployment.tier)
  try {
    await waitUntilHealthy(url, deployment.sha, run.signal)
  } catch (error) {
    await serveAgain(platform, cloud, project, before)
    throw error
  }
  await finishDeployment(platform, deployment, { url, hash: release.hash, projectName: project.name })
}

async function prepareCapabilities(
  platform: Platform,
  cloud: Cloud,
  project: { id: string; org_id: string; name: string; slug: string },
  options: { enabled: ReadonlySet<string>; actor: string; signal: AbortSignal },
): Promise<void> {
  await provisionPending(platform, project, { actor: options.actor, signal: options.signal, repair: true })
  if (needsObject(options.enabled))
    await ensureLive(platform, cloud, project, { enabled: options.enabled, verify: true })
}

/** A project that was archived kept its worker and lost its address. */
async function restoreAddress(
  platform: Platform,
  cloud: Cloud,
  project: { id: string; org_id: string; slug: string },
  tier: Deployment['tier'],
): Promise<void> {
  const served = await latestDeployment(platform.db, project, tier, ['superseded'])
  if (served !== null) await enableAddress(cloud, appName(project, tier))
}

/** The version that served before takes over again, since the new one does not answer. */
async function serveAgain(
  platform: Platform,
  cloud: Cloud,
  project: { id: string; org_id: string; slug: string },
  before: Deployment | null,
): Promise<void> {
  if (before === null || before.version_id === null) return
  const name = appName(project, before.tier)
  await serveVersion(cloud, name, before.version_id, `back to ${before.sha}`)
  const key = { orgId: project.org_id, projectId: project.id, accountId: cloud.accountId, name }
  await settleResource(platform, { ...key, kind: 'worker' }, { state: 'ok', versionId: before.version_id })
}
