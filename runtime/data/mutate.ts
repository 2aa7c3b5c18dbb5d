import { createHash } from 'node:crypto'
import { type Actor, ownerOf } from '../kernel/actor.ts'
import { ApiError, invalid } from '../kernel/errors.ts'
import type { CollectionSpec, Manifest } from '../kernel/manifest.ts'
import { fieldsForCreate, fieldsForUpdate } from './fields.ts'
import type { MutateResult, Row, WriteOp } from './frames.ts'
import { collectionIn, isReached, readReach, requireWrite } from './rules.ts'
import { recordOf, type LogEntry, type PartitionStore } from './store.ts'

const OPS_MAX = 100
const ID = /^[A-Za-z0-9_-]{8,40}$/

interface Mutation {
  mutationId: string
  ops: WriteOp[]
}

/** The result of a write. */
export interface Outcome {
  result: MutateResult
  /** Operations to broadcast; empty when this id was applied before. */
  log: LogEntry[]
}

/** The caller, the manifest that validates the call, and the partition that it changes. */
interface Judged {
  manifest: Manifest
  actor: Actor
  partition: string
  now: Date
}

/** Applies all operations or none, in one transaction; the same `mutationId` always gets the same result. */
export function applyMutation(store: PartitionStore, judged: Judged, { mutationId, ops }: Mutation): Outcome {
  if (typeof mutationId !== 'string' || !ID.test(mutationId))
    throw invalid('mutationId', 'must be 8 to 40 characters')
  checkShape(ops)
  const hash = createHash('sha256')
    .update(JSON.stringify([judged.actor, ops]))
    .digest('hex')
  return store.transact(() => {
    const known = store.readMutation(mutationId)
    if (known !== null) {
      if (known.hash !== hash) throw new ApiError('conflict', 'This mutation id was used for something else.')
      return { result: JSON.parse(known.result) as MutateResult, log: [] }
    }
    const outcome = applyAll(store, judged, ops)
    store.keepMutation(mutationId, hash, JSON.stringify(outcome.result), judged.now.toISOString())
    return outcome
  })
}

/** Applies all operations or none, in one transaction, for a caller that never repeats. */
export function applyOps(store: PartitionStore, judged: Judged, ops: WriteOp[]): Outcome {
  checkShape(ops)
  return store.transact(() => applyAll(store, judged, ops))
}

function applyAll(store: PartitionStore, judged: Judged, ops: WriteOp[]): Outcome {
  const { now } = judged
  const steps = ops.map((op) => applyOp(store, judged, op, now.toISOString()))
  const seq = steps.at(-1)?.entry.seq ?? store.head()
  store.trim(now, seq, steps.length)
  return { result: { seq, records: steps.map((step) => step.record) }, log: steps.map((step) => step.entry) }
}

function checkShape(ops: WriteOp[]): void {
  if (!Array.isArray(ops) || ops.length === 0 || ops.length > OPS_MAX) {
    throw invalid('ops', `must be a list of 1 to ${OPS_MAX} operations`)
  }
  for (const op of ops) {
    const isKnown = typeof op === 'object' && op !== null && ['create', 'update', 'remove'].includes(op.op)
    if (!isKnown || typeof op.collection !== 'string')
      throw invalid('ops', 'holds an operation of no known kind')
    if (
      op.op !== 'remove' &&
      (typeof op.fields !== 'object' || op.fields === null || Array.isArray(op.fields))
    ) {
      throw invalid('fields', 'must be an object')
    }
  }
}

function applyOp(store: PartitionStore, judged: Judged, op: WriteOp, at: string) {
  const { manifest, actor, partition } = judged
  const collection = collectionIn(manifest, op.collection, partition)
  if (op.op === 'remove') {
    const row = changeable(store, actor, collection, op)
    store.remove(op.collection, op.id)
    return { entry: store.append('remove', op.collection, row, at), record: null }
  }
  const written =
    op.op === 'create'
      ? newRow(store, op, collection, { at, owner: ownerIn(judged, op.collection, collection) })
      : changedRow(changeable(store, actor, collection, op), op, collection, at)
  const { row, fields } = written
  checkSize(op.collection, row, store.limits.recordKb)
  checkUnique(store, op.collection, collection, written)
  checkRefs(store, manifest, collection, fields)
  store.write(op.collection, row)
  return { entry: store.append('put', op.collection, row, at), record: recordOf(row, fields, collection) }
}

/** A row about to be stored, with its JSON. */
interface Written {
  row: Row
  fields: Record<string, unknown>
}

/** Returns whom a new record belongs to. Throws when the caller may not create it here. */
function ownerIn({ actor, partition }: Judged, name: string, collection: CollectionSpec): string | null {
  requireWrite(actor, 'create', name, collection)
  const owner = ownerOf(actor)
  const isPersonal = collection.partition === 'user'
  // Whoever may read the records of another person, even staff, never adds to them.
  if (isPersonal && actor !== 'system' && owner !== partition)
    throw new ApiError('forbidden', `You may not create records of ${name} for somebody else.`)
  return isPersonal ? partition : owner
}

/** Returns a stored record that the caller may change. One that it may not even read does not exist for it. */
function changeable(
  store: PartitionStore,
  actor: Actor,
  collection: CollectionSpec,
  { op, collection: name, id }: Exclude<WriteOp, { op: 'create' }>,
): Row {
  const reach = requireWrite(actor, op, name, collection)
  const row = typeof id === 'string' ? store.read(name, id) : null
  const isThere = row !== null && isReached(readReach(actor, collection), actor, row.owner)
  if (row !== null && isReached(reach, actor, row.owner)) return row
  if (isThere) throw new ApiError('forbidden', `You may not ${op} this record of ${name}.`)
  throw new ApiError('not_found', `No such record in ${name}.`)
}

function newRow(
  store: PartitionStore,
  op: Extract<WriteOp, { op: 'create' }>,
  collection: CollectionSpec,
  { at, owner }: { at: string; owner: string | null },
): Written {
  const id = op.id ?? crypto.randomUUID().replaceAll('-', '')
  if (!ID.test(id)) throw invalid('id', 'must be 8 to 40 letters, digits, - or _')
  if (op.id !== undefined && store.read(op.collection, id) !== null)
    throw new ApiError('conflict', 'A record with this id exists.')
  const fields = fieldsForCreate(op.collection, collection, op.fields)
  const json = JSON.stringify(fields)
  return { row: { id, owner, rev: 1, created_at: at, updated_at: at, json }, fields }
}

function changedRow(
  row: Row,
  op: Extract<WriteOp, { op: 'update' }>,
  collection: CollectionSpec,
  at: string,
): Written {
  if (op.rev !== undefined && op.rev !== row.rev) {
    throw new ApiError('conflict', 'Someone else changed this record meanwhile.')
  }
  const stored = JSON.parse(row.json) as Record<string, unknown>
  const fields = fieldsForUpdate(op.collection, collection, stored, op.fields)
  return { row: { ...row, rev: row.rev + 1, updated_at: at, json: JSON.stringify(fields) }, fields }
}

function checkSize(collection: string, row: Row, recordKb: number): void {
  const max = recordKb * 1024
  // A character has at most three bytes, so most records need no counting.
  if (row.json.length * 3 > max && new TextEncoder().encode(row.json).length > max) {
    throw new ApiError('invalid_request', `${collection}: a record holds at most ${recordKb} kB.`)
  }
}

function checkUnique(
  store: PartitionStore,
  name: string,
  collection: CollectionSpec,
  { row, fields }: Written,
): void {
  for (const [field, spec] of Object.entries(collection.fields)) {
    const value = fields[field]
    if (spec.unique !== true || value === null || value === undefined) continue
    if (store.holderOf(name, field, value, row.id) !== null) {
      throw new ApiError('conflict', `${field}: is taken already`, { field })
    }
  }
}

function checkRefs(
  store: PartitionStore,
  manifest: Manifest,
  collection: CollectionSpec,
  fields: Record<string, unknown>,
): void {
  for (const [field, spec] of Object.entries(collection.fields)) {
    const value = fields[field]
    if (spec.type !== 'ref' || spec.ref === undefined || typeof value !== 'string') continue
    if (!Object.hasOwn(manifest.collections, spec.ref) || store.read(spec.ref, value) === null) {
      throw invalid(field, `there is no such record in ${spec.ref}`)
    }
  }
}
