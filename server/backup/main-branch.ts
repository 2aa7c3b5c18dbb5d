import type { Db } from '../db/database.ts'
import { decodeCommit, decodeTree } from '../git/objects.ts'
import type { StoredObject } from '../github/memory-repository.ts'
import { readObjects } from '../git/store.ts'
import { readVersions } from '../history/versions.ts'

export interface MainBranch {
  head: string
  /** The commits from `head` back to the first commit, newest first. Main has no merge commits. */
  ancestors: readonly string[]
  /** Every commit that main ever had. Some may be newer than `head`, because main may have moved since `head` was read. */
  all: ReadonlySet<string>
}

export async function readMainBranch(db: Db, projectId: string, head: string): Promise<MainBranch> {
  const rows = await readVersions(db, projectId)
  const parents = new Map(rows.map((row) => [row.sha, row.parent_sha]))
  const ancestors: string[] = []
  for (let sha: string | null = head; sha !== null; sha = parents.get(sha) ?? null) ancestors.push(sha)
  return { head, ancestors, all: new Set(parents.keys()) }
}

/**
 * Returns the objects for a push to a remote whose branch is at `base` (null for an empty remote): every commit, so
 * that the two histories can be compared, and the files of the commits that the remote lacks. Makes one query for each
 * folder level.
 */
export async function collectObjects(
  db: Db,
  projectId: string,
  { ancestors }: MainBranch,
  base: string | null,
): Promise<Map<string, StoredObject>> {
  const objects = new Map<string, StoredObject>()
  const loadMissing = async (oids: Iterable<string>) => {
    const missing = [...new Set(oids)].filter((oid) => !objects.has(oid))
    for (const { oid, type, data } of await readObjects(db, projectId, missing))
      objects.set(oid, { type, data })
    return missing.map((oid) => ({ oid, object: objects.get(oid) }))
  }
  const commits = await loadMissing(ancestors)
  // Load the tree of `base` too: the push leaves out the files in this tree.
  const end = base === null ? ancestors.length : ancestors.indexOf(base) + 1
  const wanted = new Set(ancestors.slice(0, end))
  let level = commits
    .filter(({ oid }) => wanted.has(oid))
    .flatMap(({ object }) => (object === undefined ? [] : [decodeCommit(object.data).tree]))
  while (level.length > 0) {
    const loaded = await loadMissing(level)
    level = loaded.flatMap(({ object }) =>
      object?.type === 'tree' ? decodeTree(object.data).map((entry) => entry.oid) : [],
    )
  }
  return objects
}
