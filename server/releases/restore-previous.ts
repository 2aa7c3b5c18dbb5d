import { activateApp } from '../capabilities/operator/activate.ts'
import { enabledCapabilities } from '../capabilities/switch/enabled.ts'
import { readServing, serveVersion } from '../cloudflare/workers.ts'
import { ApiError } from '../http/errors.ts'
import { ProviderError } from '../lib/provider-error.ts'
import { readRelease } from './app-bundle.ts'
import { appName } from './app-worker.ts'
import type { Making } from '../resources/kinds/kind.ts'
import { settleResource } from '../resources/registry.ts'
import type { Deployment } from './store.ts'

/**
 * The version that served before takes over again when the new one was switched to already. An account that does not
 * even do that is left as it is: the reason the ship failed for is the one to be told, and reconciling finds the rest.
 */
export async function serveAgain(work: Making, before: Deployment | null): Promise<void> {
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
    const enabled = await enabledCapabilities(platform.db, project.id)
    const { tree } = await readRelease(platform, { projectId: project.id, sha, enabled })
    await activateApp(platform, project, { tier, tree, enabled, signal })
  } catch (error) {
    if (!(error instanceof ProviderError) && !(error instanceof ApiError)) throw error
    platform.log.warn({ err: error, deploymentId: before.id }, 'the version before could not be put back')
  }
}
