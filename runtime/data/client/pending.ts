import { manifest } from '../../manifest.gen.ts'
import type { MutateResult, StoredRecord, WriteOp } from '../frames.ts'

/** A change by this page that the object has not confirmed yet. */
export interface PendingMutation {
  mutationId: string
  op: WriteOp & { id: string }
  at: string
  resolve(result: MutateResult): void
  reject(error: unknown): void
}

/** Returns the rows with all pending changes applied. */
export function overlay(
  base: ReadonlyMap<string, StoredRecord>,
  collection: string,
  pending: readonly PendingMutation[],
): ReadonlyMap<string, StoredRecord> {
  const own = pending.filter((mutation) => mutation.op.collection === collection)
  if (own.length === 0) return base
  const rows = new Map(base)
  for (const { op, at } of own) {
    const current = rows.get(op.id)
    if (op.op === 'remove') rows.delete(op.id)
    else if (op.op === 'create') rows.set(op.id, draft(op, at))
    else if (current !== undefined) rows.set(op.id, { ...current, ...op.fields, updatedAt: at })
  }
  return rows
}

function draft(op: Extract<WriteOp, { op: 'create' }> & { id: string }, at: string): StoredRecord {
  const specs = Object.entries(manifest.collections[op.collection]?.fields ?? {})
  const fields = Object.fromEntries(
    specs.map(([name, spec]) => [name, op.fields[name] ?? spec.default ?? null]),
  )
  // Revision 0 never leaves the object, so it marks a row that exists only here.
  return { id: op.id, ...fields, ownerId: null, rev: 0, createdAt: at, updatedAt: at }
}

/** Returns a record id. The browser may choose it, so that a new row keeps its id when it is confirmed. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
