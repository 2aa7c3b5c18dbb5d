import { activateApp } from '../capabilities/operator/activate.ts'
import { enabledCapabilities } from '../capabilities/switch/enabled.ts'
import { enableAddress } from '../cloudflare/workers.ts'
import { bundleRelease, readRelease } from './app-bundle.ts'
import { appName, type AppTier, publishApp } from './app-worker.ts'
import type { Making } from '../resources/kinds/kind.ts'
import { waitUntilHealthy } from '../resources/probe.ts'
import { wiringOf } from './bindings-key.ts'

/** A release as a tier shall serve it. */
export interface Wanted {
  tier: AppTier
  sha: string
  /** A version that is in the account already; one that is gone is uploaded anew. */
  versionId: string | null
  /** Carried by a version that has to be uploaded, so that a repeat finds it. */
  tag: string
}

export interface Served {
  versionId: string
  url: string
  hash: string
  wiring: string
}

/** Makes a tier serve a release it has served before, and waits until it answers. May run twice. */
export async function serveRelease(work: Making, wanted: Wanted): Promise<Served> {
  const { platform, cloud, project, signal } = work
  const { tier, sha } = wanted
  const name = appName(project, tier)
  const enabled = await enabledCapabilities(platform.db, project.id)
  const release = await readRelease(platform, { projectId: project.id, sha, enabled })
  const versionId = await publishApp(platform, cloud, project, {
    deployment: { id: wanted.tag, tier, sha, versionId: wanted.versionId, isContinued: true },
    bundle: () => bundleRelease(platform, release),
    enabled,
    onVersion: async () => {},
  })
  await enableAddress(cloud, name)
  const url = cloud.appUrl(name)
  await waitUntilHealthy(url, sha, signal)
  await activateApp(platform, project, { tier, tree: release.tree, enabled, signal })
  return { versionId, url, hash: release.hash, wiring: wiringOf(enabled) }
}
