import { setTimeout as sleep } from 'node:timers/promises'
import type { AppBundle } from '../agent/bundle/bundle.ts'
import { ASSETS_CONFIG, WORKER_COMPATIBILITY } from '../agent/source/locked-config.ts'
import { uploadAssets } from '../cloudflare/products/assets.ts'
import type { Cloud } from '../cloudflare/client.ts'
import { CloudflareError, transientError } from '../cloudflare/errors.ts'
import type { Binding, WorkerUpload } from '../cloudflare/products/upload.ts'
import {
  addWorkerVersion,
  enableAddress,
  findWorkerVersion,
  putWorker,
  readServing,
  rebind,
  serveVersion,
} from '../cloudflare/products/workers.ts'
import { appName, type AppTier } from '../resource-names.ts'
import { readAccessCode } from '../capabilities/access/code.ts'
import { capabilitiesOf, capabilityBindings } from '../capability-catalog/catalog.ts'
import { readServedAccessCodeId } from '../resources/probe.ts'
import { reserveResource, type ResourceKey, settleResource } from '../resources/registry.ts'
import { retryWhileTargetsUnseen } from '../resources/retry.ts'
import { chooseUploadsName } from '../resources/uploads-name.ts'
import type { ResourceWork } from '../resources/work.ts'

export interface AppVersion {
  tier: AppTier
  sha: string
  /** Stored with the uploaded version, so that a repeated attempt finds the version again. */
  tag: string
  /** Set once the version is in the account, so that it is not uploaded again. */
  versionId: string | null
  /** True when an earlier attempt may have uploaded the version and lost the response. */
  isContinued: boolean
  enabled: ReadonlySet<string>
  bundle: () => Promise<AppBundle>
  /** Called when the version is in the account, before requests are switched to it. */
  onVersion?: (versionId: string) => Promise<void>
}

/**
 * Returns the bindings of an app's worker. No binding is a provider secret, because generated code runs in that worker.
 * Without an access code `APP_GATE` is bound to `off`, because a secret remains until another value replaces it.
 */
export async function appBindings(
  { platform, cloud, project }: Pick<ResourceWork<'config' | 'keyring'>, 'platform' | 'cloud' | 'project'>,
  about: { tier: AppTier; sha: string; enabled: ReadonlySet<string> },
): Promise<Binding[]> {
  const [uploads, gate] = await Promise.all([
    chooseUploadsName(platform.db, project, cloud.accountId),
    about.tier === 'production' ? readAccessCode(platform, platform.db, project) : null,
  ])
  const text = (name: string, value: string): Binding => ({ type: 'plain_text', name, text: value })
  const url = cloud.appUrl(appName(project, about.tier))
  const { name: profile, api } = platform.config.cloudflare
  const isLocal = profile === 'local' && url.startsWith('http:')
  const local = isLocal ? capabilitiesOf(about.enabled) : []
  return [
    { type: 'assets', name: 'ASSETS' },
    ...capabilityBindings(about.enabled, { ...project, uploads }, about.tier),
    text('APP_TIER', about.tier),
    text('APP_CAPABILITIES', JSON.stringify([...about.enabled].sort())),
    text('APP_CONSOLE_ORIGIN', new URL(platform.config.baseUrl).origin),
    text('APP_URL', url),
    ...local.flatMap((one) => one.localBindings(new URL(api).origin)),
    text('RELEASE', about.sha),
    gate === null ? text('APP_GATE', 'off') : { type: 'secret_text', name: 'APP_GATE', text: gate.text },
  ]
}

/**
 * Uploads a version and switches to it. Uploads the files first, then the version, which does not serve requests yet. Another call
 * makes the new version serve every request. Idempotent. Returns the id of the serving version.
 */
export async function uploadApp(
  work: ResourceWork<'config' | 'keyring'>,
  version: AppVersion,
): Promise<string> {
  const { platform, cloud, project } = work
  const name = appName(project, version.tier)
  const key: ResourceKey = {
    orgId: project.org_id,
    projectId: project.id,
    accountId: cloud.accountId,
    kind: 'worker',
    name,
  }
  const row = await reserveResource(platform, key, {
    tier: version.tier,
    capability: null,
    exists: async () => (await readServing(cloud, name)) !== null,
  })
  const upload = async () => {
    const { server, web } = await version.bundle()
    return {
      mainModule: server.main,
      modules: server.modules,
      bindings: await appBindings(work, version),
      tags: ['slipway', project.id],
      compatibility: WORKER_COMPATIBILITY,
      assets: { jwt: await uploadAssets(cloud, name, web), config: ASSETS_CONFIG },
      annotations: { tag: version.tag, message: version.sha },
    }
  }
  const onVersion = version.onVersion ?? (async () => {})
  const switched =
    row.state === 'creating' ? null : await switchVersion(cloud, name, version, upload, onVersion)
  const versionId = switched ?? (await createApp(cloud, name, await upload()))
  await onVersion(versionId)
  await settleResource(platform, key, { state: 'ok', versionId })
  return versionId
}

/** Switches to a version that is already in the account, or to a new one. Returns null when the worker no longer exists. */
async function switchVersion(
  cloud: Cloud,
  name: string,
  version: AppVersion,
  upload: () => Promise<WorkerUpload & { annotations: { tag: string; message: string } }>,
  onVersion: (versionId: string) => Promise<void>,
): Promise<string | null> {
  try {
    const known =
      version.versionId ?? (version.isContinued ? await findWorkerVersion(cloud, name, version.tag) : null)
    if (known !== null && (await serveKnown(cloud, name, known, version.sha))) return known
    const versionId = await retryWhileTargetsUnseen(async () => addWorkerVersion(cloud, name, await upload()))
    await onVersion(versionId)
    await serveVersion(cloud, name, versionId, version.sha)
    return versionId
  } catch (error) {
    if (error instanceof CloudflareError && error.status === 404) return null
    throw error
  }
}

// The provider's error code for a version that is too old to be served again.
const TOO_OLD = 10214

/** Switches to a version that is in the account. Returns false when the account can no longer serve it. */
async function serveKnown(cloud: Cloud, name: string, versionId: string, sha: string): Promise<boolean> {
  // The version already serves. Switching to it again could restart the worker.
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
  await retryWhileTargetsUnseen(() => putWorker(cloud, name, upload))
  await enableAddress(cloud, name)
  const serving = await readServing(cloud, name)
  if (serving?.versionId !== undefined && serving.versionId !== null) return serving.versionId
  throw transientError(`The worker ${name} is not visible in the cloud account yet. Try again.`)
}

const APPLY_CODE_MS_MAX = 30_000
const CHECK_PAUSE_MS = 100

/** Thrown for an app that an earlier version of the service shipped: its runtime has no access codes. */
export class AccessCodeUnsupportedError extends Error {
  constructor() {
    super('The runtime of the app has no access codes: ship the app again.')
  }
}

/**
 * Waits until the live app asks visitors for the current access code of the project, and returns the id of the code.
 * Without a code, waits until the app asks for none and returns null. The code is an unchangeable binding of a version,
 * so a new code needs a new version with the same files. Throws `AccessCodeUnsupportedError` for a runtime without access
 * codes.
 */
export async function applyAccessCode(
  work: ResourceWork<'config' | 'keyring'>,
  app: { url: string; sha: string; enabled: ReadonlySet<string> },
): Promise<{ gate: string | null; isRebound: boolean }> {
  const { platform, cloud, project, signal } = work
  const name = appName(project, 'production')
  const giveUpAt = performance.now() + APPLY_CODE_MS_MAX
  let bound: string | null | undefined
  for (;;) {
    const served = await readAccessCodeWhenHealthy(app.url, giveUpAt, signal)
    // Read the code again on each pass, after the wait for the app, because it may have changed.
    const wanted = (await readAccessCode(platform, platform.db, project))?.id ?? null
    if (served === wanted || (served === 'unknown' && wanted === null))
      return { gate: wanted, isRebound: bound !== undefined }
    if (served === 'unknown') throw new AccessCodeUnsupportedError()
    if (bound !== wanted) {
      await rebind(cloud, name, await appBindings(work, { ...app, tier: 'production' }))
      bound = wanted
    }
    if (performance.now() > giveUpAt) throw transientError('The app does not use its new access code yet.')
    await sleep(CHECK_PAUSE_MS, undefined, { signal })
  }
}

/** Reads the access code of an app as `readServedAccessCodeId` does, and repeats this until `giveUpAt` while the app is not healthy. */
async function readAccessCodeWhenHealthy(
  url: string,
  giveUpAt: number,
  signal: AbortSignal,
): Promise<string | null> {
  for (;;) {
    try {
      return await readServedAccessCodeId(url, signal)
    } catch (error) {
      const isIll = error instanceof CloudflareError && error.retryable
      if (!isIll || performance.now() > giveUpAt) throw error
      await sleep(CHECK_PAUSE_MS, undefined, { signal })
    }
  }
}
