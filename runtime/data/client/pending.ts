import { manifest } from '../../manifest.gen.ts'
import { changed } from '../fields.ts'
import type { MutateResult, StoredRecord, WriteOp } from '../frames.ts'

type PendingOp = WriteOp & { id: string }

/** A change by this page that the server has not confirmed yet. */
export interface PendingMutation {
  mutationId: string
  ops: PendingOp[]
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
  const own = pending.flatMap(({ ops, at }) =>
    ops.filter((op) => op.collection === collection).map((op) => ({ op, at })),
  )
  if (own.length === 0) return base
  const rows = new Map(base)
  for (const { op, at } of own) applyOp(rows, op, at)
  return rows
}

function applyOp(rows: Map<string, StoredRecord>, op: PendingOp, at: string): void {
  if (op.op === 'remove') {
    rows.delete(op.id)
    return
  }
  const current = op.op === 'upsert' ? holderOf(rows, op) : rows.get(op.id)
  if (op.op === 'create' || (op.op === 'upsert' && current === undefined))
    rows.set(op.id, draftRecord(op, at))
  else if (current !== undefined) rows.set(current.id, { ...current, ...patchOf(op, current), updatedAt: at })
}

/** Returns the record that an upsert will change, as far as this page knows. */
const holderOf = (
  rows: ReadonlyMap<string, StoredRecord>,
  { by, fields }: Extract<PendingOp, { op: 'upsert' }>,
): StoredRecord | undefined => [...rows.values()].find((row) => row[by] === fields[by])

const specsOf = (collection: string) => manifest.collections[collection]?.fields ?? {}

function patchOf(op: Extract<PendingOp, { fields: object }>, current: StoredRecord): Record<string, unknown> {
  const specs = specsOf(op.collection)
  return Object.fromEntries(
    Object.entries(op.fields).map(([name, value]) => {
      const spec = specs[name]
      return [name, spec === undefined ? value : changed(spec, current[name], value)]
    }),
  )
}

function draftRecord(op: Extract<PendingOp, { fields: object }>, at: string): StoredRecord {
  const specs = Object.entries(specsOf(op.collection))
  const fields = Object.fromEntries(
    specs.map(([name, spec]) => [name, changed(spec, spec.default, op.fields[name]) ?? spec.default ?? null]),
  )
  // The object numbers revisions from 1, so revision 0 marks a row that exists only on this page.
  return { id: op.id, ...fields, ownerId: null, rev: 0, createdAt: at, updatedAt: at }
}
