import { type Actor, VISITORS_OWNER } from '../kernel/actor.ts'
import { invalid } from '../kernel/errors.ts'
import type { CollectionSpec, Manifest } from '../kernel/manifest.ts'
import type { WriteOp } from './frames.ts'
import { type Known, knownKey } from './refs.ts'

/**
 * Files and records share one set of keys, `Known`. The spaces in this prefix keep the keys of files
 * distinct, because no name of a collection contains one.
 */
const FILE_KEY_PREFIX = 'a file of'

/**
 * Returns the key in `Known` for a file that belongs to `owner`. Null means that the file belongs to the app
 * itself.
 */
const fileKey = (id: string, owner: string | null): string =>
  knownKey(`${FILE_KEY_PREFIX} ${owner ?? 'the app'}`, id)

/**
 * Returns two keys for each file: with its owner, for callers who may use only their own files, and without,
 * for all others.
 */
export const knownFiles = (files: readonly { id: string; ownerId: string | null }[]): string[] =>
  files.flatMap(({ id, ownerId }) => [fileKey(id, ownerId), knownKey(FILE_KEY_PREFIX, id)])

/** Returns the file ids in the operations of a write. The operations are not validated yet, so any value is possible. */
export function filesNamed(manifest: Manifest, ops: unknown): string[] {
  const ids = new Set<string>()
  if (!Array.isArray(ops)) return []
  for (const op of ops as (Partial<Exclude<WriteOp, { op: 'remove' }>> | null)[]) {
    const name = String(op?.collection)
    const collection = Object.hasOwn(manifest.collections, name) ? manifest.collections[name] : undefined
    for (const [field, { type }] of Object.entries(collection?.fields ?? {})) {
      const id = type === 'file' ? op?.fields?.[field] : null
      if (typeof id === 'string') ids.add(id)
    }
  }
  return [...ids]
}

/**
 * Throws for a file that the caller may not put into a record, because every reader of the record can then read the file. People may use
 * their own files, staff any file, visitors files that visitors uploaded, and the app's server code every file.
 */
export function requireFiles(
  actor: Actor,
  known: Known | undefined,
  { fields: specs }: CollectionSpec,
  { before, fields }: { before: Record<string, unknown> | null; fields: Record<string, unknown> },
): void {
  if (actor === 'system') return
  for (const [field, { type }] of Object.entries(specs)) {
    const id = fields[field]
    if (type !== 'file' || typeof id !== 'string' || id === before?.[field]) continue
    const isStaff = actor !== 'anonymous' && actor.role === 'staff'
    const owner = actor === 'anonymous' ? VISITORS_OWNER : actor.userId
    const key = isStaff ? knownKey(FILE_KEY_PREFIX, id) : fileKey(id, owner)
    if (known?.has(key) !== true) throw invalid(field, 'is no file of yours')
  }
}
