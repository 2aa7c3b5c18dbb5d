import { ownFiles } from '../agent/source/tree.ts'
import { changedPairs } from '../agent/text/changed-pairs.ts'
import type { TextWorkers } from '../agent/text/workers.ts'
import type { Context } from '../endpoint.ts'
import { readCommit, readTree } from '../git/store.ts'
import { invalid, notFound } from '../http/errors.ts'
import { loadProject } from '../projects/projects.ts'
import { findVersion } from '../history/versions.ts'
import { readStoredCode } from '../source/source.ts'
import type { Core } from '../platform.ts'

export interface FileDiff {
  path: string
  status: 'added' | 'modified' | 'removed'
  added: number
  removed: number
  before: string | null
  after: string | null
}

/**
 * Compares one version with its parent, or with `base`. Paths are sorted, and unchanged files are left out. For the first version, files
 * that the platform generates are also left out, because hundreds of them would hide the few files that the build wrote.
 */
export async function diffVersion(
  ctx: Context<'textWorkers'>,
  projectId: string,
  sha: string,
  base: string | undefined,
) {
  await loadProject(ctx, projectId)
  const version = await findVersion(ctx.db, projectId, sha)
  if (!version) throw notFound('version')
  if (base !== undefined && (await findVersion(ctx.db, projectId, base)) === null) {
    throw invalid('base', 'is not a version of this project')
  }
  const from = base ?? version.parent_sha
  const { was, is } = await readStoredCode(ctx, projectId, async () => {
    const after = await treeOf(ctx, projectId, sha)
    if (from === null) return { was: new Map<string, string>(), is: ownFiles(after) }
    return { was: await treeOf(ctx, projectId, from), is: after }
  })
  return {
    sha,
    base: from,
    files: await diffTrees(ctx.textWorkers.of(ctx.caller.organizationId), was, is),
  }
}

/** Compares two trees. Unchanged files are left out. */
async function diffTrees(
  textWorkers: TextWorkers,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): Promise<FileDiff[]> {
  const pairs = changedPairs(before, after)
  if (pairs.length === 0) return []
  const texts = pairs.map((pair) => [pair.before ?? '', pair.after ?? ''] as const)
  const sums = await textWorkers.count(texts)
  return pairs.map((pair, i) => ({
    path: pair.path,
    status: pair.before === null ? 'added' : pair.after === null ? 'removed' : 'modified',
    added: sums[i]?.added ?? 0,
    removed: sums[i]?.removed ?? 0,
    before: pair.before,
    after: pair.after,
  }))
}

async function treeOf(ctx: Core, projectId: string, sha: string): Promise<ReadonlyMap<string, string>> {
  const { tree } = await readCommit(ctx.db, projectId, sha)
  return readTree(ctx.db, projectId, tree)
}
