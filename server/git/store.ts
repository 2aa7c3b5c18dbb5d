import { type Expression, type QueryCreator, sql } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import {
  type Commit,
  decodeCommit,
  decodeTree,
  encodeCommit,
  encodeFiles,
  type GitObject,
} from './objects.ts'

const ROWS_MAX = 500

/**
 * Stores a tree of text files as git objects and inserts only those that the project does not have. Returns the tree's
 * oid. A caller that writes many trees passes the same set `stored` each time, so that no object is looked up twice.
 * After a rollback the caller must pass a new set, because the objects in the old set were not stored.
 */
export async function writeTree(
  trx: Trx,
  projectId: string,
  files: ReadonlyMap<string, string>,
  at: Date,
  stored: Set<string> = new Set(),
): Promise<string> {
  const { root, objects } = encodeFiles(files)
  const unknown = objects.filter(({ oid }) => !stored.has(oid))
  // When `stored` has entries, nearly all other objects are new, so they are inserted without a look-up. The insert
  // ignores objects that exist.
  if (stored.size > 0) await insertObjects(trx, projectId, unknown, at)
  else await insertMissing(trx, projectId, unknown, at)
  for (const { oid } of unknown) stored.add(oid)
  return root
}

/** Reads a whole tree, sorted by path: one query per folder level and one for all files. */
export async function readTree(
  db: Db,
  projectId: string,
  treeOid: string,
): Promise<ReadonlyMap<string, string>> {
  const blobs = await listBlobs(db, projectId, treeOid)
  const contents = await readData(db, projectId, blobs)
  return new Map(blobs.map(({ path, oid }) => [path, requireObjectData(contents, oid).toString('utf8')]))
}

/** Returns the sorted paths of a tree without reading any file. */
export async function readPaths(db: Db, projectId: string, treeOid: string): Promise<string[]> {
  return (await listBlobs(db, projectId, treeOid)).map(({ path }) => path)
}

/** Stores a commit object and returns its oid. The commit is part of a branch only after `moveRef` has set a ref to it. */
export async function writeCommit(trx: Trx, projectId: string, commit: Commit): Promise<string> {
  const object = encodeCommit(commit)
  await insertMissing(trx, projectId, [object], commit.at)
  return object.oid
}

/** Reads a commit. Throws when the project does not have it. */
export async function readCommit(db: Db, projectId: string, oid: string): Promise<Commit> {
  return decodeCommit(requireObjectData(await readData(db, projectId, [{ oid }]), oid))
}

export const MAIN_REF = 'refs/heads/main'

/** Returns an SQL expression for the oid that a ref points to. It is null when there is no such ref. */
export const oidOf = (projectId: Expression<string>, name: string) =>
  sql<string | null>`(select oid from git_refs where project_id = ${projectId} and name = ${name})`

/** Returns the oid of the commit or tree to which a ref points; null when there is no such ref. */
export async function readRef(db: Db, projectId: string, name: string): Promise<string | null> {
  const row = await db
    .selectFrom('git_refs')
    .select('oid')
    .where('project_id', '=', projectId)
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.oid ?? null
}

/** Moves a ref by compare-and-set. Returns false when the ref is not at `from`. A `from` of null means that the ref does not exist. */
export async function moveRef(
  trx: Trx,
  projectId: string,
  name: string,
  move: { from: string | null; to: string },
): Promise<boolean> {
  if (move.from === null) {
    const made = await trx
      .insertInto('git_refs')
      .values({ project_id: projectId, name, oid: move.to, created_at: sql<Date>`now()` })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    return made.numInsertedOrUpdatedRows === 1n
  }
  const moved = await trx
    .updateTable('git_refs')
    .set({ oid: move.to })
    .where('project_id', '=', projectId)
    .where('name', '=', name)
    .where('oid', '=', move.from)
    .executeTakeFirst()
  return moved.numUpdatedRows === 1n
}

/** Sets a ref or creates it, without checking its current oid. Use it only for a ref that has one writer. */
export async function setRef(
  trx: Trx,
  projectId: string,
  ref: { name: string; to: string; at: Date },
): Promise<void> {
  await settingRef(trx, projectId, ref).execute()
}

/** Returns the insert that sets a ref. As part of a larger statement it saves a round trip to the database. */
export const settingRef = (
  db: QueryCreator<Schema>,
  projectId: string,
  { name, to, at }: { name: string; to: string; at: Date },
) =>
  db
    .insertInto('git_refs')
    .values({ project_id: projectId, name, oid: to, created_at: at })
    .onConflict((clash) => clash.columns(['project_id', 'name']).doUpdateSet({ oid: to, created_at: at }))

/** Renames a ref. Does nothing when it does not exist. */
export async function renameRef(trx: Trx, projectId: string, from: string, to: string): Promise<void> {
  await trx
    .updateTable('git_refs')
    .set({ name: to })
    .where('project_id', '=', projectId)
    .where('name', '=', from)
    .execute()
}

async function insertMissing(trx: Trx, projectId: string, objects: GitObject[], at: Date): Promise<void> {
  const oids = objects.map((object) => object.oid)
  const rows = await trx
    .selectFrom('git_objects')
    .select('oid')
    .where('project_id', '=', projectId)
    .where('oid', 'in', oids)
    .execute()
  const known = new Set(rows.map((row) => row.oid))
  await insertObjects(
    trx,
    projectId,
    objects.filter((object) => !known.has(object.oid)),
    at,
  )
}

async function insertObjects(trx: Trx, projectId: string, objects: GitObject[], at: Date): Promise<void> {
  for (let from = 0; from < objects.length; from += ROWS_MAX) {
    const batch = objects.slice(from, from + ROWS_MAX)
    await trx
      .insertInto('git_objects')
      .values(batch.map((object) => ({ ...object, project_id: projectId, created_at: at })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

async function listBlobs(
  db: Db,
  projectId: string,
  treeOid: string,
): Promise<{ path: string; oid: string }[]> {
  const blobs: { path: string; oid: string }[] = []
  for (let level = [{ prefix: '', oid: treeOid }]; level.length > 0;) {
    const trees = await readData(db, projectId, level)
    const next: typeof level = []
    for (const { prefix, oid } of level) {
      for (const entry of decodeTree(requireObjectData(trees, oid))) {
        const path = prefix + entry.name
        if (entry.isTree) next.push({ prefix: `${path}/`, oid: entry.oid })
        else blobs.push({ path, oid: entry.oid })
      }
    }
    level = next
  }
  return blobs.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Returns the objects in any order. Objects that the project lacks are missing from the result. */
export async function readObjects(db: Db, projectId: string, oids: readonly string[]): Promise<GitObject[]> {
  const found: GitObject[] = []
  const wanted = [...new Set(oids)]
  for (let from = 0; from < wanted.length; from += ROWS_MAX) {
    const rows = await db
      .selectFrom('git_objects')
      .select(['oid', 'type', 'data'])
      .where('project_id', '=', projectId)
      .where('oid', 'in', wanted.slice(from, from + ROWS_MAX))
      .execute()
    found.push(...rows)
  }
  return found
}

async function readData(
  db: Db,
  projectId: string,
  wanted: readonly { oid: string }[],
): Promise<Map<string, Buffer>> {
  const objects = await readObjects(
    db,
    projectId,
    wanted.map(({ oid }) => oid),
  )
  return new Map(objects.map(({ oid, data }) => [oid, data]))
}

/**
 * Returns the data of an object. Throws when it is missing, which is a defect: a tree or ref is stored in one
 * transaction with the objects that it names.
 */
function requireObjectData(objects: ReadonlyMap<string, Buffer>, oid: string): Buffer {
  const data = objects.get(oid)
  if (!data) throw new Error(`git object ${oid} is missing`)
  return data
}
