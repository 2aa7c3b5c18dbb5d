import type { Actor } from '../kernel/actor.ts'
import { invalid } from '../kernel/errors.ts'
import type { CollectionSpec, Manifest } from '../kernel/manifest.ts'
import { VISITORS } from '../files/types.ts'
import type { WriteOp } from './frames.ts'
import { type Known, knownKey } from './refs.ts'

/** No collection has such a name, so that files and records never meet in one set. */
const FILE = 'a file of'

/** Names a file together with its owner; null: the app itself. */
const fileKey = (id: string, owner: string | null): string => knownKey(`${FILE} ${owner ?? 'the app'}`, id)

/** Two keys for each file: with its owner and without. */
export const knownFiles = (files: readonly { id: string; ownerId: string | null }[]): string[] =>
  files.flatMap(({ id, ownerId }) => [fileKey(id, ownerId), knownKey(FILE, id)])

/** The operations are unchecked, so anything is possible. */
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
 * Throws for a file that the caller may not give away: a reader of the record reads its files, too. People may name their own,
 * staff any, visitors one that a visitor uploaded. The app's own code may name every file.
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
    const owner = actor === 'anonymous' ? VISITORS : actor.userId
    const key = isStaff ? knownKey(FILE, id) : fileKey(id, owner)
    if (known?.has(key) !== true) throw invalid(field, 'is no file of yours')
  }
}
