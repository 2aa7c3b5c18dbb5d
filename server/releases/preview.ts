import type { AppTree } from '../agent/tree.ts'
import { enabledCapabilities } from '../capabilities/switch/enabled.ts'
import { needsObject } from '../capabilities/catalog.ts'
import { openCloud } from '../connections/cloud.ts'
import { ApiError } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'
import { ProviderError } from '../lib/provider-error.ts'
import type { Platform } from '../platform.ts'
import { bundleRelease, makeRelease, type Release } from './app-bundle.ts'
import { appName, publishApp } from './app-worker.ts'
import { ensureLive } from '../resources/workers/live.ts'
import { whileUnreachable } from '../resources/retry.ts'
import { waitUntilHealthy } from '../resources/probe.ts'
import { restoreAddress } from './restore-address.ts'
import { failDeployment, finishDeployment, latestDeployment, noteVersion, readDeployment } from './store.ts'
import { wiringOf } from './bindings-key.ts'

export interface PreviewVersion {
  sha: string
  tree: AppTree
  /** Who the activity log names: the model that wrote the version, or the person who asked. */
  generatedBy: string
}

const PATIENCE_MS = 60_000

/**
 * Puts a version on the project's preview host and answers its address; the same content is not sent twice. A
 * preview that cannot be shown is an answer with the reason, never an exception: the build it belongs to stands.
 */
export async function publishPreview(
  platform: Platform,
  project: { id: string; orgId: string },
  version: PreviewVersion,
): Promise<{ url: string } | { error: string }> {
  const row = await platform.db
    .selectFrom('projects')
    .select(['id', 'org_id', 'name', 'slug'])
    .where('org_id', '=', project.orgId)
    .where('id', '=', project.id)
    .executeTakeFirstOrThrow()
  try {
    return { url: await publish(platform, row, version) }
  } catch (error) {
    if (error instanceof ProviderError || error instanceof ApiError) return { error: error.message }
    throw error
  }
}

interface Shipped {
  id: string
  org_id: string
  name: string
  slug: string
}

async function publish(platform: Platform, project: Shipped, version: PreviewVersion): Promise<string> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const actor = version.generatedBy
  const cloud = await openCloud(platform, { orgId: project.org_id, actor, project, signal })
  const enabled = await enabledCapabilities(platform.db, project.id)
  const release = makeRelease(version.tree, enabled)
  const url = cloud.appUrl(appName(project, 'preview'))
  const serving = await latestDeployment(platform.db, project, 'preview', ['live'])
  if (serving?.content_hash === release.hash && serving.url === url) {
    await noteSameContent(platform, project, { sha: version.sha, url })
    return url
  }
  const deployment = await claimDeployment(platform, project, version, release)
  try {
    const publishOnce = async () => {
      const bundle = () => bundleRelease(platform, release)
      await Promise.all([
        bundle(),
        needsObject(enabled) ? ensureLive(platform, cloud, project, { enabled, verify: true }) : null,
      ])
      await publishApp(platform, cloud, project, {
        // A version an interrupted publish left behind may hold another tree, so nothing is continued.
        deployment: {
          id: deployment.id,
          tier: 'preview',
          sha: version.sha,
          versionId: null,
          isContinued: false,
        },
        bundle,
        enabled,
        onVersion: (versionId) => noteVersion(platform.db, deployment, versionId),
      })
      if (serving === null) await restoreAddress(platform, cloud, project, 'preview')
      await waitUntilHealthy(url, version.sha, signal)
    }
    await whileUnreachable(signal, publishOnce)
  } catch (error) {
    const told = signal.aborted ? tooSlow(error) : error
    const isAnswer = told instanceof ProviderError || told instanceof ApiError
    await failDeployment(
      platform,
      deployment,
      isAnswer ? told.message : 'The preview failed on our side. Try again.',
    )
    throw told
  }
  await finishDeployment(platform, deployment, {
    url,
    hash: release.hash,
    wiring: wiringOf(enabled),
    projectName: project.name,
  })
  return url
}

const tooSlow = (cause: unknown) =>
  new ProviderError('cloudflare', 'The preview did not come up within a minute. Try again.', { cause })

/** One publish at a time holds the row; what an interrupted one left is taken over. */
async function claimDeployment(
  platform: Platform,
  project: Shipped,
  version: PreviewVersion,
  release: Release,
) {
  const row = {
    id: newId('dep'),
    org_id: project.org_id,
    project_id: project.id,
    tier: 'preview' as const,
    sha: version.sha,
    status: 'deploying' as const,
    version_id: null,
    content_hash: release.hash,
    url: null,
    actor: version.generatedBy,
    error: null,
    live_at: null,
    created_at: platform.clock.now(),
  }
  const inserted = await platform.db
    .insertInto('deployments')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'tier']).where('status', '=', 'deploying').doUpdateSet({
        sha: version.sha,
        content_hash: release.hash,
        version_id: null,
        actor: version.generatedBy,
      }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  const deployment = await readDeployment(platform.db, project.org_id, inserted.id)
  if (deployment === null) throw new Error(`deployment ${inserted.id} vanished`)
  return deployment
}

async function noteSameContent(
  platform: Platform,
  project: Shipped,
  { sha, url }: { sha: string; url: string },
): Promise<void> {
  await platform.db
    .updateTable('projects')
    .set({ preview_sha: sha, preview_url: url, provision_error: null })
    .where('org_id', '=', project.org_id)
    .where('id', '=', project.id)
    .execute()
}
