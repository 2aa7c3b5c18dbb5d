import { enableAddress, hasAddress, readServing } from '../cloudflare/products/workers.ts'
import { appName, type AppTier } from '../resource-names.ts'
import { readAccessCode } from '../capabilities/access/code.ts'
import { usableCapabilities } from '../capabilities/switch/products.ts'
import { provisionPending } from '../capabilities/switch/provision.ts'
import { waitUntilHealthy } from '../resources/probe.ts'
import { deleteResourceRow } from '../resources/registry.ts'
import { repairShared } from '../resources/repair.ts'
import type { MakingPorts, PublishPorts, ResourceWork } from '../resources/work.ts'
import { AccessCodeUnsupportedError, applyAccessCode, uploadApp } from './app-worker.ts'
import { bundleRelease, readRelease, type Release } from './bundle.ts'
import { changeDeployment, latestDeployment } from '../deployments/store.ts'
import { ensureAdmin, needsAdmin } from './workers/admin.ts'
import { ensureLive, needsObjects } from './workers/live.ts'
import { wireRelease } from './wire.ts'

export interface Publication {
  tier: AppTier
  sha: string
  release: Release
  enabled: ReadonlySet<string>
  /** Stored with the uploaded version, so that a repeated attempt finds the version again. */
  tag: string
  /** A version that may already be in the account. If the version was deleted there, it is uploaded again. */
  versionId: string | null
  /** True when an earlier attempt may have uploaded the version and lost the response. */
  isContinued: boolean
  /** Called when the version is in the account, before requests are switched to it. */
  onVersion?: (versionId: string) => Promise<void>
  /**
   * When to enable the public address of the worker. `enable`: always. `restore`: only when archiving the project has
   * disabled the address. `keep`: only when the account has the address disabled although the worker should serve.
   */
  address: 'enable' | 'restore' | 'keep'
}

/** What production or the preview serves after a publication. Stored with the deployment. */
export interface PublishedRelease {
  versionId: string
  url: string
  hash: string
  bindingsKey: JsonText<string[]>
  /** The id of the access code that the app asks visitors for; null for none. */
  gate: string | null
}

/**
 * Returns a string that identifies the bindings of a version and is stored with the deployment: equal keys mean equal
 * bindings. `gate` is the id of the access code.
 */
export const bindingsKey = (enabled: ReadonlySet<string>, gate: string | null): JsonText<string[]> =>
  JSON.stringify([...enabled].sort().concat(gate === null ? [] : ACCESS_CODE_PREFIX + gate))

/** The tag suffix of a version that was uploaded again only for its access code. */
export const REUPLOAD_SUFFIX = '-access'

/** The prefix of the access code's id in a bindings key. */
export const ACCESS_CODE_PREFIX = 'access '

/**
 * Deploys the worker with the Durable Objects if the preview needs this worker besides its own. All other resources
 * that a preview binds exist already: enabling the capabilities created them.
 */
export async function preparePreview(
  work: ResourceWork<'keyring'>,
  enabled: ReadonlySet<string>,
): Promise<void> {
  if (needsObjects(enabled)) await ensureLive(work, enabled)
}

/** Creates and repairs everything that the live app needs besides the app's worker. */
export async function prepareProduction(
  work: ResourceWork<MakingPorts>,
  enabled: ReadonlySet<string>,
): Promise<void> {
  await provisionPending(work, { repair: true })
  await repairShared(work)
  if (needsObjects(enabled)) await ensureLive(work, enabled)
  // Operators read and change the data of production through the admin worker. For a preview, `wireRelease` deploys the
  // admin worker if needed.
  if (needsAdmin(enabled)) await ensureAdmin(work, enabled)
}

/**
 * Uploads a release, switches the tier to it, waits until it is healthy, and connects the queues, workflows and Durable
 * Objects that call it. Idempotent. Every deployment to production and to the preview calls this function.
 */
export async function publish(
  work: ResourceWork<PublishPorts>,
  publication: Publication,
): Promise<PublishedRelease> {
  const { cloud, project, signal } = work
  const { tier, sha, release, enabled, address } = publication
  const bundle = () => bundleRelease(work, release)
  const name = appName(project, tier)
  const [uploaded, isPublic] = await Promise.all([
    uploadApp(work, { ...publication, bundle }),
    address === 'keep' ? hasAddress(cloud, name) : null,
  ])
  // Enables an address that archiving, or a person in the account, has disabled.
  if (
    address === 'enable' ||
    isPublic === false ||
    (address === 'restore' && (await hasEarlierDeployment(work, tier)))
  )
    await enableAddress(cloud, name)
  const url = cloud.appUrl(name)
  await waitUntilHealthy(url, sha, signal)
  const { gate, versionId } = await behindGate(work, publication, uploaded).catch((error: unknown) => {
    if (error instanceof AccessCodeUnsupportedError && !publication.tag.endsWith(REUPLOAD_SUFFIX))
      return { gate: null, versionId: null }
    throw error
  })
  // The version is from an earlier runtime without access codes, so it is uploaded again with the current runtime.
  if (versionId === null)
    return await publish(work, {
      ...publication,
      versionId: null,
      isContinued: true,
      tag: `${publication.tag}${REUPLOAD_SUFFIX}`,
    })
  await wireRelease(work, { tier, release, enabled, bound: enabled })
  return { versionId, url, hash: release.hash, bindingsKey: bindingsKey(enabled, gate), gate }
}

/** Returns the id of the access code that the app now asks visitors for, and the id of the serving version. Previews ask for no code. */
async function behindGate(
  work: ResourceWork<'config' | 'keyring'>,
  { tier, sha, enabled }: Publication,
  uploaded: string,
): Promise<{ gate: string | null; versionId: string | null }> {
  if (tier !== 'production') return { gate: null, versionId: uploaded }
  const name = appName(work.project, tier)
  const { gate, isRebound } = await applyAccessCode(work, { url: work.cloud.appUrl(name), sha, enabled })
  const serving = isRebound ? await readServing(work.cloud, name) : null
  return { gate, versionId: serving?.versionId ?? uploaded }
}

/** Returns whether a tier without a live deployment was deployed before. Archiving disables the address and keeps the worker. */
const hasEarlierDeployment = async ({ platform, project }: ResourceWork, tier: AppTier): Promise<boolean> =>
  (await latestDeployment(platform.db, project, tier, ['superseded'])) !== null

/** Publishes a version that production or the preview has served before. */
export async function republishVersion(
  work: ResourceWork<PublishPorts>,
  version: { tier: AppTier; sha: string; versionId: string | null; tag: string },
): Promise<PublishedRelease> {
  const { platform, project } = work
  const enabled = await usableCapabilities(work)
  const release = await readRelease(platform, { projectId: project.id, sha: version.sha, enabled })
  return await publish(work, { ...version, release, enabled, isContinued: true, address: 'enable' })
}

/**
 * Publishes again what production or the preview serves according to the database. When it serves nothing, the row of
 * its worker is deleted: the next deployment uploads the worker.
 */
export async function republishTier(
  work: ResourceWork<PublishPorts>,
  row: { id: string },
  tier: AppTier,
): Promise<void> {
  const { platform, project } = work
  const live = await latestDeployment(platform.db, project, tier, ['live'])
  if (live === null) return void (await deleteResourceRow(platform.db, project, row.id))
  const { sha, version_id, id } = live
  const gate = tier === 'production' ? await readAccessCode(platform, platform.db, project) : null
  // A version that was uploaded before the code was set is uploaded again. Otherwise it would be open to everyone for a moment.
  const isClosed = gate === null || live.wiring?.includes(ACCESS_CODE_PREFIX + gate.id) === true
  const version = isClosed
    ? { versionId: version_id, tag: id }
    : { versionId: null, tag: `${gate.id}${REUPLOAD_SUFFIX}` }
  const published = await republishVersion(work, { tier, sha, ...version })
  await changeDeployment(platform.db, live, {
    version_id: published.versionId,
    content_hash: published.hash,
    wiring: published.bindingsKey,
  })
}
