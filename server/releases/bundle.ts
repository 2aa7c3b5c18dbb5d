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
import type { CompiledApp } from '../capabilities/operator/activate.ts'
import type { ScheduledTask } from '../scheduled-task.ts'

export interface Release {
  tree: AppTree
  hash: string
}

interface BundleContext {
  platform: Pick<Ports, 'checkers' | 'packages'>
  project: { org_id: string }
  signal: AbortSignal
}

// The files of a production deployment were usually deployed to the preview before, so their bundle is often cached.
const bundleCache = new LRUCache<string, AppBundle>({ max: 8 })

/** Returns the files of a commit as they are deployed: the platform files come from the current runtime and not from the commit. */
export async function readRelease(
  platform: Core,
  version: { projectId: string; sha: string; enabled: ReadonlySet<string> },
): Promise<Release> {
  const { tree: oid } = await readCommit(platform.db, version.projectId, version.sha)
  const tree = await readTree(platform.db, version.projectId, oid)
  return makeRelease(tree, version.enabled)
}

/** Adds the platform files of the current runtime to the files that the agent wrote. Releases with equal hashes have equal files. */
export function makeRelease(files: AppTree, enabled: ReadonlySet<string>): Release {
  const tree = completeTree(files, enabled)
  const hash = createHash('sha256').update([...enabled].sort().join())
  for (const path of [...tree.keys()].sort()) hash.update(`\0${path}\0${tree.get(path)}`)
  return { tree, hash: hash.digest('hex') }
}

/**
 * Bundles a release for its upload, in a child process, because generated code must not run in this one. Throws
 * `ProviderError` when a package of the app is not stored on this machine and cannot be fetched, and `ApiError` when
 * its `app.json` cannot be parsed.
 */
export async function bundleRelease(
  { platform, project, signal }: BundleContext,
  release: Release,
): Promise<AppBundle> {
  const known = bundleCache.get(release.hash)
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
      // A stored package needs no registry, so this package was never fetched on this machine. The service may have been
      // restored on a new one.
      throw new ProviderError('npm', `A package of the app is missing here. ${error.message}`, {
        cause: error,
      })
    })
  const bundle = await platform.checkers.bundle(release.tree, { packages, owner })
  bundleCache.set(release.hash, bundle)
  return bundle
}

/** Deletes packages that no app has used for two weeks. */
export const deleteUnusedPackages: ScheduledTask<Pick<Ports, 'packages'>> = {
  name: 'tidy-packages',
  every: 'night',
  run: ({ packages }) => packages.tidy(),
}

/** Returns the parts of `app.json` that a release needs, or null when it cannot be parsed. */
export function compiledApp({ tree }: Release): CompiledApp | null {
  const read = readManifest(tree.get('app.json') ?? '')
  return read.ok ? compileApp(read.manifest) : null
}
