import { enableAddress } from '../cloudflare/workers.ts'
import { appName, type AppTier } from '../resources/names.ts'
import { parts } from '../resources/parts.ts'
import { waitUntilHealthy } from '../resources/probe.ts'
import { forgetResource } from '../resources/registry.ts'
import type { Work } from '../resources/work.ts'
import { uploadApp } from './app-worker.ts'
import { bundleRelease, compiledApp, readRelease, type Release } from './bundle.ts'
import { changeDeployment, latestDeployment } from './store.ts'
import { ensureAdmin, needsAdmin } from './workers/admin.ts'
import { ensureLive, needsObjects } from './workers/live.ts'

/** A release for one tier. */
export interface Publication {
  tier: AppTier
  sha: string
  release: Release
  enabled: ReadonlySet<string>
  /** Carried by the uploaded version: a repeat finds it by this. */
  tag: string
  /** A version that is in the account already; one that is gone is uploaded again. */
  versionId: string | null
  /** An earlier attempt may have uploaded the version and lost the reply. */
  isContinued: boolean
  /** Called as soon as the version is in the account. */
  onVersion?: (versionId: string) => Promise<void>
  /** `restore` enables the address of a tier that was archived; `keep` changes nothing. */
  address: 'enable' | 'restore' | 'keep'
}

/** What a tier serves after a publication, as it is kept with the deployment. */
export interface Published {
  versionId: string
  url: string
  hash: string
  bindingsKey: string
}

/** Identifies the bindings of a version, as it is kept with its deployment: equal keys mean equal bindings. */
export const bindingsKey = (enabled: ReadonlySet<string>): string => JSON.stringify([...enabled].sort())

/** Makes everything a tier needs beside its own worker. */
export async function prepareTier(work: Work, tier: AppTier, enabled: ReadonlySet<string>): Promise<void> {
  const isProduction = tier === 'production'
  if (isProduction) await parts().capabilities.provision(work, { repair: true })
  if (needsObjects(enabled)) await ensureLive(work, enabled)
  // Previews have no operator.
  if (isProduction && needsAdmin(enabled)) await ensureAdmin(work, enabled)
}

/**
 * Uploads a release, switches the tier to it, waits until it is healthy and tells the objects. May run twice. Every
 * release of either tier is published by this function.
 */
export async function publish(work: Work, publication: Publication): Promise<Published> {
  const { platform, cloud, project, signal } = work
  const { tier, sha, release, enabled, address } = publication
  const bundle = () => bundleRelease(platform, release)
  const versionId = await uploadApp(work, { ...publication, bundle })
  const name = appName(project, tier)
  if (address === 'enable' || (address === 'restore' && (await wasArchived(work, tier))))
    await enableAddress(cloud, name)
  const url = cloud.appUrl(name)
  await waitUntilHealthy(url, sha, signal)
  if (tier === 'production') {
    const app = needsAdmin(enabled) ? compiledApp(release) : null
    await parts().capabilities.activate(platform, project, { app, enabled, signal })
  }
  return { versionId, url, hash: release.hash, bindingsKey: bindingsKey(enabled) }
}

/** An archived project keeps its worker and loses its address. */
const wasArchived = async ({ platform, project }: Work, tier: AppTier): Promise<boolean> =>
  (await latestDeployment(platform.db, project, tier, ['superseded'])) !== null

/** Publishes a version that the tier has served before. */
export async function publishAgain(
  work: Work,
  version: { tier: AppTier; sha: string; versionId: string | null; tag: string },
): Promise<Published> {
  const { platform, project } = work
  const enabled = await parts().capabilities.enabled(platform.db, project.id)
  const release = await readRelease(platform, { projectId: project.id, sha: version.sha, enabled })
  return await publish(work, { ...version, release, enabled, isContinued: true, address: 'enable' })
}

/**
 * Publishes what a tier serves according to our rows. A tier that serves nothing has no worker: its row is removed, and
 * the next ship makes one.
 */
export async function republish(work: Work, row: { id: string }, tier: AppTier): Promise<void> {
  const { platform, project } = work
  const live = await latestDeployment(platform.db, project, tier, ['live'])
  if (live === null) return await forgetResource(platform.db, project, row.id)
  const { sha, version_id, id: tag } = live
  const published = await publishAgain(work, { tier, sha, versionId: version_id, tag })
  await changeDeployment(platform.db, live, {
    version_id: published.versionId,
    content_hash: published.hash,
    wiring: published.bindingsKey,
  })
}
