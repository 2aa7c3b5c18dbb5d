import { sql } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import { decodeCommit, decodeTree, type GitObject } from './objects.ts'
import { readObjects } from './store.ts'

/**
 * The prefix of expired refs, which nothing reads any more. The object to which such a ref points does not count as
 * referenced. The ref only records that its project has objects to delete, and is deleted after them.
 */
const EXPIRED_PREFIX = 'refs/expired/'

const OBJECTS_PER_READ = 500
/** The number of objects that one transaction deletes. It is so small that no build waits noticeably for the lock. */
const OBJECTS_PER_DELETE = 1000

/** Expires a ref. Does nothing when it does not exist. */
export async function expireRef(trx: Trx, projectId: string, name: string): Promise<void> {
  await trx
    .updateTable('git_refs')
    .set({ name: EXPIRED_PREFIX + name })
    .where('project_id', '=', projectId)
    .where('name', '=', name)
    .execute()
}

/** Expires old refs with this prefix in every project. The age of a ref counts from its `created_at`. */
export async function expireOldRefs(db: Db, prefix: string, before: Date): Promise<void> {
  await db
    .updateTable('git_refs')
    .set((eb) => ({ name: sql<string>`${EXPIRED_PREFIX} || ${eb.ref('name')}` }))
    .where('name', 'like', `${prefix}%`)
    .where('created_at', '<', before)
    .execute()
}

/** Returns the projects with expired refs that are older than `before`. */
export async function projectsToCollect(db: Db, before: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('git_refs')
    .select('project_id')
    .distinct()
    .where('name', 'like', `${EXPIRED_PREFIX}%`)
    .where('created_at', '<', before)
    .orderBy('project_id')
    .execute()
  return rows.map((row) => row.project_id)
}

/** Returns the ids of the objects to which the unexpired refs of a project point. */
export async function readRefTargets(db: Db | Trx, projectId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('git_refs')
    .select('oid')
    .where('project_id', '=', projectId)
    .where('name', 'not like', `${EXPIRED_PREFIX}%`)
    .execute()
  return rows.map((row) => row.oid)
}

/**
 * Returns `roots` and all objects that are reachable from them: parent commits, trees and files. Reads no contents of files.
 * Throws when a commit or tree is missing, because the objects reachable from it are then unknown.
 */
export async function reachableObjects(
  db: Db,
  projectId: string,
  roots: Iterable<string>,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const reached = new Set(roots)
  for (let open = [...reached]; open.length > 0;) {
    signal.throwIfAborted()
    const wanted = open.splice(-OBJECTS_PER_READ)
    const found = await readObjects(db, projectId, wanted)
    if (found.length < wanted.length) throw new Error(`project ${projectId} lacks commits or trees`)
    for (const { oid, isFile } of found.flatMap(linksOf)) {
      if (reached.has(oid)) continue
      reached.add(oid)
      if (!isFile) open.push(oid)
    }
  }
  return reached
}

function linksOf({ type, data }: GitObject): { oid: string; isFile: boolean }[] {
  if (type === 'tree') return decodeTree(data).map(({ oid, isTree }) => ({ oid, isFile: !isTree }))
  if (type === 'blob') return []
  const { tree, parents } = decodeCommit(data)
  return [tree, ...parents].map((oid) => ({ oid, isFile: false }))
}

/**
 * Deletes the objects of a project that are older than `before` and not `reached`, and last the project's expired refs.
 * Each batch is deleted through `withLock`, which calls `remove` in a transaction, or returns false when `reached` is outdated. In
 * that case the remaining objects are kept. A repeated call continues.
 */
export async function deleteUnreachable(
  db: Db,
  projectId: string,
  { reached, before }: { reached: ReadonlySet<string>; before: Date },
  withLock: (remove: (trx: Trx) => Promise<void>) => Promise<boolean>,
): Promise<void> {
  for (let after = '', isLast = false; !isLast;) {
    const rows = await db
      .selectFrom('git_objects')
      .select('oid')
      .where('project_id', '=', projectId)
      .where('created_at', '<', before)
      .where('oid', '>', after)
      .orderBy('oid')
      .limit(OBJECTS_PER_DELETE)
      .execute()
    isLast = rows.length < OBJECTS_PER_DELETE
    after = rows.at(-1)?.oid ?? after
    const oids = rows.flatMap(({ oid }) => (reached.has(oid) ? [] : [oid]))
    if (oids.length === 0 && !isLast) continue
    const isCurrent = await withLock(async (trx) => {
      if (oids.length > 0)
        await trx
          .deleteFrom('git_objects')
          .where('project_id', '=', projectId)
          .where('oid', 'in', oids)
          .execute()
      if (isLast) await deleteExpiredRefs(trx, projectId, before)
    })
    if (!isCurrent) return
  }
}

async function deleteExpiredRefs(trx: Trx, projectId: string, before: Date): Promise<void> {
  await trx
    .deleteFrom('git_refs')
    .where('project_id', '=', projectId)
    .where('name', 'like', `${EXPIRED_PREFIX}%`)
    .where('created_at', '<', before)
    .execute()
}
