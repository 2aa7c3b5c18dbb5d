import { type Actor, isUserId, ownerOf } from '../../kernel/access/actor.ts'
import { ApiError, invalid } from '../../kernel/errors.ts'
import type { CollectionSpec, Manifest } from '../../kernel/manifest.ts'
import { sha256Hex } from '../../kernel/secrets.ts'
import { TransactionChanges, type RecordAddress, type WrittenRecord } from './changes.ts'
import { fieldsForCreate, fieldsForUpdate } from '../fields.ts'
import type { DataCalls, MutateResult, RecordRow } from '../frames.ts'
import { collectRefs, type KnownRefs, requireFiles, applyRefRules } from './refs.ts'
import { collectionIn, isInScope, readableScope, requireWrite } from '../rules.ts'
import type { LogEntry, PartitionStore } from './store.ts'
import { fieldsOf, isFields, type UnvalidatedFields, utf8Length } from '../../kernel/fields.ts'

const OPS_MAX = 100
/** A result is stored in one row, and a row holds at most 2 MB. */
const RESULT_BYTES_MAX = 1_900_000
const OP_KINDS: readonly unknown[] = ['create', 'update', 'upsert', 'remove']
const ID_PATTERN = /^[A-Za-z0-9_-]{8,40}$/

/** An operation whose kind, collection and fields have been checked. Its other values may have any type. */
type CheckedOp =
  | { op: 'create'; collection: string; id?: unknown; fields: UnvalidatedFields; owner?: unknown }
  | { op: 'update'; collection: string; id: unknown; fields: UnvalidatedFields; rev?: unknown }
  | { op: 'upsert'; collection: string; id?: unknown; by: unknown; fields: UnvalidatedFields }
  | { op: 'remove'; collection: string; id: unknown; rev?: unknown }

type OpOf<Kind extends CheckedOp['op']> = Extract<CheckedOp, { op: Kind }>

export interface MutationOutcome {
  result: MutateResult
  /** Operations to send to sockets; empty when this mutation id was applied before. */
  log: LogEntry[]
}

interface JudgedCall {
  manifest: Manifest
  actor: Actor
  partition: string
  now: Date
  /** The existing files and app records that the operations refer to, looked up before the write. */
  known?: KnownRefs | undefined
}

/** `before` holds the fields before this write; null for a new record. */
interface RewrittenRow extends WrittenRecord {
  before: Record<string, unknown> | null
}

/** Applies all operations in one transaction, or none. For a day, a repeated call with the same `mutationId` returns the stored result. */
export function applyMutation(
  store: PartitionStore,
  judged: JudgedCall,
  { mutationId, ops }: DataCalls['mutate']['ask'],
): MutationOutcome {
  if (typeof mutationId !== 'string' || !ID_PATTERN.test(mutationId))
    throw invalid('mutationId', 'must be 8 to 40 characters')
  checkShape(ops)
  const hash = sha256Hex(JSON.stringify([judged.actor, ops]))
  return store.transact(() => {
    const known = store.readMutation(mutationId)
    if (known !== null) {
      if (known.hash !== hash) throw new ApiError('conflict', 'This mutation id was used for something else.')
      return { result: JSON.parse(known.result), log: [] }
    }
    const outcome = applyAll(store, judged, ops)
    const result = JSON.stringify(outcome.result)
    if (hasMoreBytes(result, RESULT_BYTES_MAX))
      throw invalid('ops', 'the records are too large together; change fewer at once')
    store.keepMutation(mutationId, { hash, result }, judged.now.toISOString())
    return outcome
  })
}

/** Like `applyMutation`, for a caller that never repeats a write. */
export function applyOps(store: PartitionStore, judged: JudgedCall, ops: unknown): MutationOutcome {
  checkShape(ops)
  return store.transact(() => applyAll(store, judged, ops))
}

function applyAll(store: PartitionStore, judged: JudgedCall, ops: readonly CheckedOp[]): MutationOutcome {
  const { now, manifest } = judged
  const changes = new TransactionChanges(store, now.toISOString())
  const addresses = ops.map((op) => applyOp(changes, judged, op))
  applyRefRules(changes, judged)
  const seq = changes.log.at(-1)?.seq ?? store.head()
  store.trim(now, seq, changes.log.length)
  // Read the records at the end: a later operation may have changed or removed what an earlier operation wrote.
  const records = addresses.map((address) => changes.recordAt(address, manifest))
  return { result: { seq, records }, log: changes.log }
}

function checkShape(ops: unknown): asserts ops is CheckedOp[] {
  if (!Array.isArray(ops) || ops.length === 0 || ops.length > OPS_MAX) {
    throw invalid('ops', `must be a list of 1 to ${OPS_MAX} operations`)
  }
  for (const given of ops) {
    const { op, collection, fields } = fieldsOf(given)
    if (!OP_KINDS.includes(op) || typeof collection !== 'string')
      throw invalid('ops', 'holds an operation of no known kind')
    if (op !== 'remove' && !isFields(fields)) throw invalid('fields', 'must be an object')
  }
}

function applyOp(changes: TransactionChanges, judged: JudgedCall, given: CheckedOp): RecordAddress {
  const { manifest, actor, partition } = judged
  const { store, at } = changes
  const collection = collectionIn(manifest, given.collection, partition)
  const op = given.op === 'upsert' ? createOrUpdate(store, actor, collection, given) : given
  if (op.op === 'remove') {
    const row = requireChangeable(store, actor, collection, op)
    requireSameRev(op, row)
    changes.remove(op.collection, row)
    return { collection: op.collection, id: row.id }
  }
  const written =
    op.op === 'create'
      ? newRow(store, op, collection, { at, owner: ownerIn(judged, op, collection) })
      : changedRow(requireChangeable(store, actor, collection, op), op, collection, at)
  const { row, fields } = written
  requireFiles(actor, judged.known, collection, written)
  checkSize(op.collection, row, store.limits.recordKb)
  checkUnique(store, op.collection, collection, written)
  changes.put(op.collection, written)
  const address = { collection: op.collection, id: row.id }
  collectRefs(changes, address, collection, { named: op.op === 'update' ? op.fields : null, fields })
  return address
}

/**
 * Turns an upsert into a create or an update. A record that the caller may not read counts as missing, but its unique
 * value stays taken.
 */
function createOrUpdate(
  store: PartitionStore,
  actor: Actor,
  collection: CollectionSpec,
  { collection: name, id, by, fields }: OpOf<'upsert'>,
): OpOf<'create' | 'update'> {
  const isUnique =
    typeof by === 'string' && Object.hasOwn(collection.fields, by) && collection.fields[by]?.unique === true
  if (!isUnique) throw invalid('by', `must be a unique field of ${name}`)
  const value = fields[by]
  if (!['string', 'number', 'boolean'].includes(typeof value)) throw invalid(by, 'is required')
  const holder = store.holderOf(name, by, value, '')
  const row = holder === null ? null : store.read(name, holder)
  return row !== null && isInScope(readableScope(actor, collection), actor, row.owner)
    ? { op: 'update', collection: name, id: row.id, fields }
    : { op: 'create', collection: name, id, fields }
}

/**
 * Returns the owner of a new record; null for a record without an owner. Throws when the caller may not create the record in this
 * partition.
 */
function ownerIn(
  { actor, partition }: JudgedCall,
  { collection: name, owner: given }: OpOf<'create'>,
  collection: CollectionSpec,
): string | null {
  requireWrite(actor, 'create', name, collection)
  const owner = ownerOf(actor)
  const isPersonal = collection.partition === 'user'
  // Staff may read another person's records, but not create records for that person.
  if (isPersonal && actor !== 'system' && owner !== partition)
    throw new ApiError('forbidden', `You may not create records of ${name} for somebody else.`)
  if (isPersonal) return partition
  if (actor !== 'system' || given === undefined) return owner
  if (!isUserId(given)) throw invalid('owner', 'must be the id of a user')
  return given
}

/**
 * Returns the stored row of a record. Throws when the caller may not change it; a record that the caller may not read
 * counts as missing.
 */
function requireChangeable(
  store: PartitionStore,
  actor: Actor,
  collection: CollectionSpec,
  { op, collection: name, id }: OpOf<'update' | 'remove'>,
): RecordRow {
  const reach = requireWrite(actor, op, name, collection)
  const row = typeof id === 'string' ? store.read(name, id) : null
  const isThere = row !== null && isInScope(readableScope(actor, collection), actor, row.owner)
  if (row !== null && isInScope(reach, actor, row.owner)) return row
  if (isThere) throw new ApiError('forbidden', `You may not ${op} this record of ${name}.`)
  throw new ApiError('not_found', `No such record in ${name}.`)
}

function newRow(
  store: PartitionStore,
  op: OpOf<'create'>,
  collection: CollectionSpec,
  { at, owner }: { at: string; owner: string | null },
): RewrittenRow {
  const id = op.id ?? crypto.randomUUID().replaceAll('-', '')
  if (typeof id !== 'string' || !ID_PATTERN.test(id))
    throw invalid('id', 'must be 8 to 40 letters, digits, - or _')
  if (op.id !== undefined && store.read(op.collection, id) !== null)
    throw new ApiError('conflict', 'A record with this id exists.')
  const fields = fieldsForCreate(op.collection, collection, op.fields)
  const json = JSON.stringify(fields)
  return { row: { id, owner, rev: 1, created_at: at, updated_at: at, json }, before: null, fields }
}

function changedRow(
  row: RecordRow,
  op: OpOf<'update'>,
  collection: CollectionSpec,
  at: string,
): RewrittenRow {
  requireSameRev(op, row)
  const stored = JSON.parse(row.json)
  const fields = fieldsForUpdate(op.collection, collection, stored, op.fields)
  return {
    row: { ...row, rev: row.rev + 1, updated_at: at, json: JSON.stringify(fields) },
    before: stored,
    fields,
  }
}

function requireSameRev({ rev }: { rev?: unknown }, row: RecordRow): void {
  if (rev !== undefined && rev !== row.rev)
    throw new ApiError('conflict', 'Someone else changed this record meanwhile.')
}

function checkSize(collection: string, row: RecordRow, recordKb: number): void {
  if (hasMoreBytes(row.json, recordKb * 1024))
    throw new ApiError('invalid_request', `${collection}: a record holds at most ${recordKb} kB.`)
}

// A UTF-16 unit takes at most three bytes in UTF-8, so a short text need not be encoded.
const hasMoreBytes = (text: string, bytes: number): boolean =>
  text.length * 3 > bytes && utf8Length(text) > bytes

function checkUnique(
  store: PartitionStore,
  name: string,
  collection: CollectionSpec,
  { row, fields }: WrittenRecord,
): void {
  for (const [field, spec] of Object.entries(collection.fields)) {
    const value = fields[field]
    if (spec.unique !== true || value === null || value === undefined) continue
    if (store.holderOf(name, field, value, row.id) !== null) {
      throw new ApiError('conflict', `${field}: is already taken`, { field })
    }
  }
}
