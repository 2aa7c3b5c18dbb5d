import type { AppTree } from '../agent/source/tree.ts'
import { ApiError } from '../http/errors.ts'
import { ProviderError } from '../lib/provider-error.ts'
import type { Core, Needs } from '../platform.ts'
import { appName } from '../resource-names.ts'
import { usableCapabilities } from '../capabilities/switch/products.ts'
import { retryWhileUnreachable } from '../resources/retry.ts'
import { changeProject, findProject, type ProjectKey } from '../projects/store.ts'
import type { ProjectRef, PublishPorts } from '../resources/work.ts'
import { bundleRelease, makeRelease } from './bundle.ts'
import { failDeployment, finishDeployment } from './outcome.ts'
import { preparePreview, publish } from './publish.ts'
import { claimPreview, latestDeployment, recordVersion } from '../deployments/store.ts'

export interface PreviewVersion {
  sha: string
  tree: AppTree
  /** Recorded in the activity log: the model that wrote the version, or the person who asked for the preview. */
  generatedBy: string
}

const PUBLISH_MS_MAX = 60_000

/**
 * Publishes a version on the project's preview host and returns its address. Does not upload the same content twice. When
 * Cloudflare returns an error or the app does not become healthy, returns the reason instead of throwing, because a build
 * whose preview fails has still succeeded.
 */
export async function publishPreview(
  platform: Needs<PublishPorts>,
  key: ProjectKey,
  version: PreviewVersion,
): Promise<{ url: string } | { error: string }> {
  const ref = await findProject(platform.db, key)
  if (ref === null) throw new Error(`project ${key.projectId} is gone`)
  try {
    return { url: await publishVersion(platform, ref, version) }
  } catch (error) {
    if (error instanceof ProviderError || error instanceof ApiError) return { error: error.message }
    throw error
  }
}

async function publishVersion(
  platform: Needs<PublishPorts>,
  project: ProjectRef,
  version: PreviewVersion,
): Promise<string> {
  const signal = AbortSignal.timeout(PUBLISH_MS_MAX)
  const { sha, generatedBy: actor } = version
  const cloud = await platform.accounts.openCloud({ orgId: project.org_id, actor, project, signal })
  const work = { platform, cloud, project, actor, signal }
  const enabled = await usableCapabilities(work)
  const release = makeRelease(version.tree, enabled)
  const url = cloud.appUrl(appName(project, 'preview'))
  const serving = await latestDeployment(platform.db, project, 'preview', ['live'])
  if (serving?.content_hash === release.hash && serving.url === url) {
    await noteSameContent(platform, project, { sha, url })
    return url
  }
  const deployment = await claimPreview(platform, project, {
    sha,
    generatedBy: actor,
    contentHash: release.hash,
  })
  const publishOnce = async () => {
    await Promise.all([bundleRelease(work, release), preparePreview(work, enabled)])
    return await publish(work, {
      tier: 'preview',
      sha,
      release,
      enabled,
      tag: deployment.id,
      versionId: null,
      // A version left by an interrupted publication may have other files, so it is not used.
      isContinued: false,
      onVersion: (versionId) => recordVersion(platform.db, deployment, versionId),
      address: serving === null ? 'restore' : 'keep',
    })
  }
  const published = await retryWhileUnreachable(signal, publishOnce).catch(async (error: unknown) => {
    const reason = signal.aborted ? tooSlow(error) : error
    const isRefusal = reason instanceof ProviderError || reason instanceof ApiError
    const message = isRefusal ? reason.message : 'The preview failed on our side. Try again.'
    await failDeployment(platform, deployment, message)
    throw reason
  })
  await finishDeployment(platform, deployment, { ...published, projectName: project.name })
  return url
}

const tooSlow = (cause: unknown) =>
  new ProviderError('cloudflare', 'The preview did not come up within a minute. Try again.', { cause })

async function noteSameContent(
  platform: Core,
  project: ProjectRef,
  { sha, url }: { sha: string; url: string },
): Promise<void> {
  const key = { orgId: project.org_id, projectId: project.id }
  await changeProject(platform.db, key, { preview_sha: sha, preview_url: url, provision_error: null })
}
