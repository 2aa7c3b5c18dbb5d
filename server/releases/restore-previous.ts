import { readServing, serveVersion } from '../cloudflare/products/workers.ts'
import { ApiError } from '../http/errors.ts'
import { ProviderError } from '../lib/provider-error.ts'
import { appName } from '../resource-names.ts'
import { usableCapabilities } from '../capabilities/switch/products.ts'
import { settleResource } from '../resources/registry.ts'
import type { ResourceWork } from '../resources/work.ts'
import { readRelease } from './bundle.ts'
import { boundAccountsAmong, type Deployment } from '../deployments/store.ts'
import { wireRelease } from './wire.ts'

/**
 * Switches back to the version that served before a failed publication, and reconnects the queues, workflows and Durable
 * Objects that call it. An error of Cloudflare is only logged: the caller throws the reason of the failed publication, and
 * the next deployment repairs the rest.
 */
export async function restorePrevious(
  work: ResourceWork<'keyring'>,
  before: Deployment | null,
): Promise<void> {
  const { platform, cloud, project, signal } = work
  signal.throwIfAborted()
  if (before === null || before.version_id === null) return
  const { tier, sha, version_id: versionId } = before
  const name = appName(project, tier)
  try {
    const serving = await readServing(cloud, name)
    if (serving === null || serving.versionId === versionId) return
    await serveVersion(cloud, name, versionId, `back to ${sha}`)
    const key = { orgId: project.org_id, projectId: project.id, accountId: cloud.accountId, name }
    await settleResource(platform, { ...key, kind: 'worker' }, { state: 'ok', versionId })
    const enabled = await usableCapabilities(work)
    const release = await readRelease(platform, { projectId: project.id, sha, enabled })
    const bound = boundAccountsAmong(before, enabled)
    await wireRelease(work, { tier, release, enabled, bound })
  } catch (error) {
    if (!(error instanceof ProviderError) && !(error instanceof ApiError)) throw error
    platform.log.warn({ err: error, deploymentId: before.id }, 'the version before could not be put back')
  }
}
