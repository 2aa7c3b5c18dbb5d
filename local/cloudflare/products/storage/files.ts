import { createHash, createHmac } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Resource, ResourceKind } from '../../store/resources.ts'

/**
 * Miniflare's Durable Object classes that serve resources. In the state folder of a process, each resource has a SQLite file, named by the
 * id of its Durable Object, and a folder of large values. Tests with a running Miniflare fail when these names change.
 */
const OBJECT_CLASS: Record<ResourceKind, string> = {
  kv: 'miniflare-KVNamespaceObject',
  d1: 'miniflare-D1DatabaseObject',
  r2: 'miniflare-R2BucketObject',
}
const SQLITE_ENDINGS = ['', '-wal', '-shm']

type StoredResource = Pick<Resource, 'kind' | 'id'>

/** Returns whether the resource was ever opened. Deleting the data does not delete the file. */
export function isStored(stateDir: string, resource: StoredResource): boolean {
  return existsSync(sqliteFile(stateDir, resource))
}

/**
 * Hard-links the files of a resource into the state folder of another process. No process may have the files open. Linking takes the same
 * time for files of any size and keeps their timestamps.
 */
export function linkFiles(fromDir: string, toDir: string, resource: StoredResource): void {
  removeFiles(toDir, resource)
  const from = sqliteFile(fromDir, resource)
  const to = sqliteFile(toDir, resource)
  mkdirSync(dirname(to), { recursive: true })
  for (const ending of SQLITE_ENDINGS) {
    if (existsSync(from + ending)) linkSync(from + ending, to + ending)
  }
  const values = valueFolder(fromDir, resource)
  if (!existsSync(values)) return
  for (const entry of readdirSync(values, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const target = join(valueFolder(toDir, resource), path.slice(values.length))
    mkdirSync(dirname(target), { recursive: true })
    linkSync(path, target)
  }
}

export function removeFiles(stateDir: string, resource: StoredResource): void {
  for (const ending of SQLITE_ENDINGS) rmSync(sqliteFile(stateDir, resource) + ending, { force: true })
  rmSync(valueFolder(stateDir, resource), { recursive: true, force: true })
}

/**
 * Deletes the files of resources other than `known`. A crash during a move or after a deletion leaves such
 * files.
 */
export function sweepFiles(stateDir: string, known: StoredResource[]): void {
  for (const kind of Object.keys(OBJECT_CLASS) as ResourceKind[]) {
    const here = known.filter((resource) => resource.kind === kind)
    const objects = join(stateDir, kind, OBJECT_CLASS[kind])
    if (!existsSync(objects)) continue
    const kept = new Set(here.map((resource) => objectId(kind, resource.id)))
    for (const name of readdirSync(objects)) {
      const id = /^([0-9a-f]{64})\.sqlite/.exec(name)?.[1]
      if (id !== undefined && !kept.has(id)) rmSync(join(objects, name))
    }
    const folders = new Set([OBJECT_CLASS[kind], ...here.map(({ id }) => id)])
    for (const name of readdirSync(join(stateDir, kind))) {
      if (!folders.has(name)) rmSync(join(stateDir, kind, name), { recursive: true })
    }
  }
}

const valueFolder = (stateDir: string, { kind, id }: StoredResource) => join(stateDir, kind, id)

export function sqliteFile(stateDir: string, { kind, id }: StoredResource): string {
  return join(stateDir, kind, OBJECT_CLASS[kind], `${objectId(kind, id)}.sqlite`)
}

/**
 * Computes the id that workerd gives the object of this name: 16 bytes of the name's MAC, then 16 bytes of a MAC over the first 16 bytes.
 */
function objectId(kind: ResourceKind, name: string): string {
  const key = createHash('sha256').update(OBJECT_CLASS[kind]).digest()
  const halfDigest = (data: string | Buffer) =>
    createHmac('sha256', key).update(data).digest().subarray(0, 16)
  const first = halfDigest(name)
  return Buffer.concat([first, halfDigest(first)]).toString('hex')
}
