import { setTimeout as sleep } from 'node:timers/promises'
import type { AppBundle } from '../agent/bundle.ts'
import { ASSETS_CONFIG, COMPATIBILITY } from '../agent/locked-config.ts'
import { chooseUploadPlace } from '../attachments/upload-place.ts'
import { capabilitiesOf } from '../capabilities/catalog.ts'
import { uploadAssets } from '../cloudflare/assets.ts'
import type { Cloud } from '../cloudflare/client.ts'
import { CloudflareError } from '../cloudflare/errors.ts'
import type { Binding, WorkerUpload } from '../cloudflare/upload.ts'
import {
  addVersion,
  enableAddress,
  findVersion,
  putWorker,
  readServing,
  serveVersion,
} from '../cloudflare/workers.ts'
import type { Platform } from '../platform.ts'
import { reserveResource, type ResourceKey, settleResource } from '../resources/registry.ts'

export type AppTier = 'production' | 'preview'

export interface AppDeployment {
  id: string
  tier: AppTier
  sha: string
  /** Known once the version is in the account; a continued deployment does not upload it again. */
  versionId: string | null
  /** An earlier attempt may have uploaded it without being told. */
  isContinued: boolean
}

interface Shipped {
  id: string
  org_id: string
  name: string
  slug: string
}

/** The worker of a tier: its name is its address. */
export const appName = (project: { slug: string }, tier: AppTier): string =>
  tier === 'production' ? project.slug : `${project.slug}-preview`

/** What an app's worker is given; no secret is among it, because generated code runs there. */
export async function appBindings(
  platform: Platform,
  project: Shipped,
  about: { tier: AppTier; sha: string; enabled: ReadonlySet<string> },
): Promise<Binding[]> {
  const named = { ...project, uploads: (await chooseUploadPlace(platform, project)).name }
  const text = (name: string, value: string): Binding => ({ type: 'plain_text', name, text: value })
  // Several capabilities have their part behind the same binding.
  const given = new Map(
    capabilitiesOf(about.enabled).flatMap((one) =>
      one.bindings(named, about.tier).map((binding) => [binding.name, binding] as const),
    ),
  )
  return [
    { type: 'assets', name: 'ASSETS' },
    ...given.values(),
    text('APP_TIER', about.tier),
    text('APP_CAPABILITIES', JSON.stringify([...about.enabled].sort())),
    text('APP_CONSOLE_ORIGIN', new URL(platform.config.baseUrl).origin),
    text('RELEASE', about.sha),
  ]
}

/**
 * Puts a bundle into the account and switches to it: files first, then a version that does not serve yet, then
 * one call after which every request meets it. Each step may run twice. Answers the version that serves.
 */
export async function publishApp(
  platform: Platform,
  cloud: Cloud,
  project: Shipped,
  work: {
    deployment: AppDeployment
    bundle: () => Promise<AppBundle>
    enabled: ReadonlySet<string>
    onVersion: (versionId: string) => Promise<void>
  },
): Promise<string> {
  const { deployment } = work
  const name = appName(project, deployment.tier)
  const key: ResourceKey = {
    orgId: project.org_id,
    projectId: project.id,
    accountId: cloud.accountId,
    kind: 'worker',
    name,
  }
  const row = await reserveResource(platform, key, {
    tier: deployment.tier,
    capability: null,
    exists: async () => (await readServing(cloud, name)) !== null,
  })
  const upload = async () => {
    const { server, web } = await work.bundle()
    return {
      mainModule: server.main,
      modules: server.modules,
      bindings: await appBindings(platform, project, { ...deployment, enabled: work.enabled }),
      tags: ['slipway', project.id],
      compatibility: COMPATIBILITY,
      assets: { jwt: await uploadAssets(cloud, name, web), config: ASSETS_CONFIG },
      annotations: { tag: deployment.id, message: deployment.sha },
    }
  }
  const versionId =
    (row.state !== 'creating'
      ? await switchVersion(cloud, name, deployment, upload, work.onVersion)
      : null) ?? (await createApp(cloud, name, await upload()))
  await work.onVersion(versionId)
  await settleResource(platform, key, { state: 'ok', versionId })
  return versionId
}

/**
 * Switches to a version that is in the account already, or to one that is uploaded now. Answers null when the script
 * itself is gone, so that it is made anew.
 */
async function switchVersion(
  cloud: Cloud,
  name: string,
  deployment: AppDeployment,
  upload: () => Promise<WorkerUpload & { annotations: { tag: string; message: string } }>,
  onVersion: (versionId: string) => Promise<void>,
): Promise<string | null> {
  try {
    const known =
      deployment.versionId ?? (deployment.isContinued ? await findVersion(cloud, name, deployment.id) : null)
    if (known !== null && (await serveKnown(cloud, name, known, deployment.sha))) return known
    const versionId = await onceTargetsAreSeen(async () => addVersion(cloud, name, await upload()))
    await onVersion(versionId)
    await serveVersion(cloud, name, versionId, deployment.sha)
    return versionId
  } catch (error) {
    if (error instanceof CloudflareError && error.status === 404) return null
    throw error
  }
}

// What the provider says of a version that is older than those it keeps ready.
const TOO_OLD = 10214

/** Answers false when the account cannot serve the version any more. */
async function serveKnown(cloud: Cloud, name: string, versionId: string, sha: string): Promise<boolean> {
  // What serves already is not switched to again: the account might start it anew.
  if ((await readServing(cloud, name))?.versionId === versionId) return true
  try {
    await serveVersion(cloud, name, versionId, sha)
    return true
  } catch (error) {
    const isGone =
      error instanceof CloudflareError && (error.status === 404 || error.providerCode === TOO_OLD)
    if (isGone) return false
    throw error
  }
}

async function createApp(cloud: Cloud, name: string, upload: WorkerUpload): Promise<string> {
  await onceTargetsAreSeen(() => putWorker(cloud, name, upload))
  await enableAddress(cloud, name)
  const serving = await readServing(cloud, name)
  if (serving?.versionId !== undefined && serving.versionId !== null) return serving.versionId
  throw new CloudflareError(
    'upstream',
    `The worker ${name} does not show up in the cloud account yet. Try again.`,
    {
      status: null,
      retryable: true,
    },
  )
}

// What the provider says of a binding whose target was made a moment ago and is not visible everywhere yet.
const NOT_SEEN_YET = new Set([10061, 10085, 10143, 10144, 11000])
const SEEN_WITHIN_MS = 20_000
const LOOK_AGAIN_MS = 1_000

/** Sends an upload again while what it binds is too new to be seen everywhere. */
export async function onceTargetsAreSeen<T>(send: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + SEEN_WITHIN_MS
  for (;;) {
    try {
      return await send()
    } catch (error) {
      const isEarly = error instanceof CloudflareError && NOT_SEEN_YET.has(error.providerCode ?? 0)
      if (!isEarly || performance.now() > giveUpAt) throw error
      await sleep(LOOK_AGAIN_MS)
    }
  }
}
