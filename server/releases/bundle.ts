import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type AppTree, completeTree } from '../agent/source/tree.ts'
import type { AppBundle } from '../agent/bundle/bundle.ts'
import { PackageRefusal } from '../agent/packages/resolve.ts'
import { readManifest } from '../agent/source/manifest.ts'
import { compileApp } from '../agent/source/typegen.ts'
import { readCommit, readTree } from '../git/store.ts'
import { ApiError } from '../http/errors.ts'
import { ProviderError } from '../lib/provider-error.ts'
import type { Core, Ports } from '../platform.ts'
import type { CompiledApp } from '../resources/parts.ts'
import type { Work } from '../resources/work.ts'
import type { ScheduledTask } from '../schedule/task.ts'

/** A tree with fresh locked files, and the hash that says whether two releases would be the same bytes. */
export interface Release {
  tree: AppTree
  hash: string
}

// A ship usually follows the preview of the same tree.
const bundles = new LRUCache<string, AppBundle>({ max: 8 })

/** Returns the tree of a version as it would be shipped now. */
export async function readRelease(
  platform: Core,
  version: { projectId: string; sha: string; enabled: ReadonlySet<string> },
): Promise<Release> {
  const { tree: oid } = await readCommit(platform.db, version.projectId, version.sha)
  const tree = await readTree(platform.db, version.projectId, oid)
  return makeRelease(tree, version.enabled)
}

/** Completes a tree of the agent's files with today's locked ones. */
export function makeRelease(files: AppTree, enabled: ReadonlySet<string>): Release {
  const tree = completeTree(files, enabled)
  const hash = createHash('sha256').update([...enabled].sort().join())
  for (const path of [...tree.keys()].sort()) hash.update(`\0${path}\0${tree.get(path)}`)
  return { tree, hash: hash.digest('hex') }
}

/**
 * Returns the uploadable form of a release. A checker process makes it: generated code never runs here. Throws
 * `ProviderError` when a package of the app can neither be found here nor fetched, and `ApiError` when its `app.json` cannot
 * be read: `completeTree` makes that an app without pages and records.
 */
export async function bundleRelease(
  { platform, project, signal }: Pick<Work, 'platform' | 'project' | 'signal'>,
  release: Release,
): Promise<AppBundle> {
  const known = bundles.get(release.hash)
  if (known !== undefined) return known
  const manifest = readManifest(release.tree.get('app.json') ?? '')
  if (!manifest.ok) {
    const [issue] = manifest.issues
    throw new ApiError(
      'conflict',
      `The app.json of this version cannot be read: ${[issue?.path, issue?.message].filter(Boolean).join(' ')}. Build a ticket that corrects it.`,
    )
  }
  const owner = project.org_id
  const packages = await platform.packages
    .folderFor(release.tree, { owner, signal })
    .catch((error: unknown) => {
      if (!(error instanceof PackageRefusal)) throw error
      // What is stored needs no registry, so this is one that was never fetched here, as after a restore.
      throw new ProviderError('npm', `A package of the app is missing here. ${error.message}`, {
        cause: error,
      })
    })
  const bundle = await platform.checkers.bundle(release.tree, { packages, owner })
  bundles.set(release.hash, bundle)
  return bundle
}

/** Removes packages from the disk that no app used for two weeks. */
export const tidyPackages: ScheduledTask<Pick<Ports, 'packages'>> = {
  name: 'tidy-packages',
  every: 'night',
  run: ({ packages }) => packages.tidy(),
}

/** Returns the compiled `app.json` of a release, or null when it cannot be read. */
export function compiledApp({ tree }: Release): CompiledApp | null {
  const read = readManifest(tree.get('app.json') ?? '')
  return read.ok ? compileApp(read.manifest) : null
}
