import { diffLines } from 'diff'
import { readCommit, readTree } from '../git/store.ts'
import { invalid, notFound } from '../http/errors.ts'
import type { Context } from '../platform.ts'
import { loadProject } from '../projects/projects.ts'

/** A pair of files that differs in everything could hold the API loop for long; then whole files are counted. */
const DIFF_MS_MAX = 100

export interface FileDiff {
  path: string
  status: 'added' | 'modified' | 'removed'
  added: number
  removed: number
  before: string | null
  after: string | null
}

/** Compares one version with its parent, or with `base`; paths come sorted, unchanged files are left out. */
export async function diffVersion(ctx: Context, projectId: string, sha: string, base: string | undefined) {
  await loadProject(ctx, projectId)
  const version = await findVersion(ctx, projectId, sha)
  if (!version) throw notFound('version')
  if (base !== undefined && !(await findVersion(ctx, projectId, base))) {
    throw invalid('base', 'is not a version of this project')
  }
  const from = base ?? version.parent_sha
  const [before, after] = await Promise.all([
    from === null ? new Map<string, string>() : treeOf(ctx, projectId, from),
    treeOf(ctx, projectId, sha),
  ])
  return { sha, base: from, files: diffTrees(before, after) }
}

/** The files that differ between two trees, with their line counts. */
export function diffTrees(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): FileDiff[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort()
  return paths.flatMap((path) => {
    const old = before.get(path) ?? null
    const now = after.get(path) ?? null
    if (old === now) return []
    const status = old === null ? 'added' : now === null ? 'removed' : 'modified'
    return [{ path, status, ...countLines(old ?? '', now ?? ''), before: old, after: now }]
  })
}

function countLines(before: string, after: string): { added: number; removed: number } {
  const count = { added: 0, removed: 0 }
  const changes =
    before === '' || after === '' ? undefined : diffLines(before, after, { timeout: DIFF_MS_MAX })
  if (!changes) return { added: linesOf(after), removed: linesOf(before) }
  for (const change of changes) {
    if (change.added) count.added += change.count
    if (change.removed) count.removed += change.count
  }
  return count
}

function linesOf(text: string): number {
  if (text === '') return 0
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}

async function findVersion(ctx: Context, projectId: string, sha: string) {
  return ctx.db
    .selectFrom('versions')
    .select(['sha', 'parent_sha'])
    .where('project_id', '=', projectId)
    .where('sha', '=', sha)
    .executeTakeFirst()
}

async function treeOf(ctx: Context, projectId: string, sha: string): Promise<ReadonlyMap<string, string>> {
  const { tree } = await readCommit(ctx.db, projectId, sha)
  return readTree(ctx.db, projectId, tree)
}
