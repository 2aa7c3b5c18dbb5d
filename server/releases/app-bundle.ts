import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type AppTree, completeTree } from '../agent/tree.ts'
import type { AppBundle } from '../agent/bundle.ts'
import { readCommit, readTree } from '../git/store.ts'
import type { Platform } from '../platform.ts'

/** A tree with fresh locked files, and the hash that says whether two releases would be the same bytes. */
export interface Release {
  tree: AppTree
  hash: string
}

// A ship usually follows the preview of the same tree, so the last few bundles are worth keeping.
const bundles = new LRUCache<string, AppBundle>({ max: 8 })

/** Reads the tree of a version as it would be shipped now. */
export async function readRelease(
  platform: Platform,
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

/** The uploadable form of a release; made by a checker process, never here. */
export async function bundleRelease(platform: Platform, release: Release): Promise<AppBundle> {
  const known = bundles.get(release.hash)
  if (known !== undefined) return known
  const bundle = await platform.checkers.bundle(release.tree)
  bundles.set(release.hash, bundle)
  return bundle
}
