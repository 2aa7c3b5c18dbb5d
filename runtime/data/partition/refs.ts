import { type Actor, VISITORS_OWNER } from '../../kernel/access/actor.ts'
import { ApiError, invalid } from '../../kernel/errors.ts'
import {
  type CollectionSpec,
  type FieldSpec,
  isRefList,
  type Manifest,
  onRemoveOf,
} from '../../kernel/manifest.ts'
import type { TransactionChanges, RecordAddress } from './changes.ts'
import type { RecordRow } from '../frames.ts'
import { referrers, type RefField } from './links.ts'
import { fieldsOf } from '../../kernel/fields.ts'
import { findCollection, belongsToPartition } from '../rules.ts'
import type { PartitionStore } from './store.ts'

/** The maximum number of records that one call may remove or change because they refer to a removed record. */
export const FOLLOWERS_MAX = 500

/** The existing records of the app (each as `collection id`) and files to which a write refers. Both are stored outside its partition. */
export type KnownRefs = ReadonlySet<string>

export const refKey = (collection: string, id: string): string => `${collection} ${id}`

interface JudgedCall {
  manifest: Manifest
  partition: string
  known?: KnownRefs | undefined
}

/** Returns the ids in a reference field, whose value is one id, a list of ids, or null. */
export const referenceIds = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((id): id is string => typeof id === 'string')

export const isRef = (field: FieldSpec): boolean =>
  field.ref !== undefined && (field.type === 'ref' || isRefList(field))

type RefsByTarget = ReadonlyMap<string, RefField[]>
const cachedRefs = new WeakMap<readonly Manifest[], WeakMap<Manifest, RefsByTarget>>()

/**
 * Returns the references between records of a partition, grouped by target collection. The declaration in the caller's release applies, or
 * the declaration in the newest release if the caller's release does not declare the reference. A reference that only older releases
 * declare is cleared and never prevents a removal.
 */
function refsByTarget(store: PartitionStore, manifest: Manifest, partition: string): RefsByTarget {
  const stored = store.manifests()
  const known = cachedRefs.get(stored) ?? new WeakMap<Manifest, RefsByTarget>()
  cachedRefs.set(stored, known)
  const found = known.get(manifest) ?? groupByTarget([manifest, ...stored], partition)
  known.set(manifest, found)
  return found
}

function groupByTarget(manifests: Manifest[], partition: string): RefsByTarget {
  const refs = new Map<string, RefField[]>()
  const seen = new Set<string>()
  for (const [age, { collections }] of manifests.entries())
    for (const [collection, field, spec] of fieldsIn(collections, partition)) {
      const name = `${collection}.${field}`
      if (seen.has(name)) continue
      seen.add(name)
      const target = spec.ref ?? ''
      if (!isRef(spec) || !isTargetInPartition(collections, target, partition)) continue
      const onRemove = age <= 1 ? onRemoveOf(spec) : 'clear'
      const ref = { collection, field, target, isList: spec.type === 'list', onRemove }
      refs.set(target, [...(refs.get(target) ?? []), ref])
    }
  return refs
}

const fieldsIn = (collections: Record<string, CollectionSpec>, partition: string) =>
  Object.entries(collections)
    .filter(([, spec]) => belongsToPartition(spec, partition))
    .flatMap(([name, { fields }]) =>
      Object.entries(fields).map(([field, spec]): [string, string, FieldSpec] => [name, field, spec]),
    )

function isTargetInPartition(
  collections: Record<string, CollectionSpec>,
  name: string,
  partition: string,
): boolean {
  const target = findCollection({ collections }, name)
  return target !== undefined && belongsToPartition(target, partition)
}

export const refsOf = (manifest: Manifest, partition: string): RefField[] =>
  [...groupByTarget([manifest], partition).values()].flat()

/**
 * Applies `onRemove` to every record that refers to a removed record, and throws for a dangling reference. Called at the end of a
 * transaction, so that the order of the operations does not matter.
 */
export function applyRefRules(changes: TransactionChanges, judged: JudgedCall): void {
  const { store } = changes
  const isGone = ({ collection, id }: RecordAddress) => !store.holds(collection, id)
  if (changes.removed.length > 0) {
    const refs = refsByTarget(store, judged.manifest, judged.partition)
    const into = ({ collection }: RecordAddress) => refs.get(collection) ?? []
    let followers = 0
    // The list grows during the loop: a record that is removed here may itself be referred to.
    for (const address of changes.removed) {
      if (!isGone(address)) continue
      for (const ref of into(address)) {
        if (ref.onRemove === 'refuse') continue
        const rows = referrers(store, ref, address.id, FOLLOWERS_MAX - followers + 1)
        followers += rows.length
        if (followers > FOLLOWERS_MAX) throw tooManyFollowers()
        for (const row of rows) applyOnRemove(changes, ref, row, address.id)
      }
    }
    for (const address of changes.removed)
      for (const ref of into(address)) {
        const isHeld =
          ref.onRemove === 'refuse' && isGone(address) && referrers(store, ref, address.id, 1).length > 0
        if (isHeld)
          throw new ApiError('conflict', `Records of ${ref.collection} refer to this one (${ref.field}).`)
      }
  }
  for (const { address, field, target, id } of changes.asked) {
    const isStill = referenceIds(changes.fieldsAt(address)?.[field]).includes(id)
    if (isStill && !targetExists(store, judged, target, id))
      throw invalid(field, `there is no such record in ${target}`)
  }
}

const tooManyFollowers = () =>
  new ApiError('conflict', `More than ${FOLLOWERS_MAX} records would follow. Remove some of those first.`)

function applyOnRemove(changes: TransactionChanges, ref: RefField, row: RecordRow, id: string): void {
  if (ref.onRemove === 'cascade') changes.remove(ref.collection, row)
  else
    changes.put(
      ref.collection,
      withoutReferences(row, ref, (value) => value === id, changes.at),
    )
}

/** Returns the row and its fields without the ids for which `isLost` returns true: a list is filtered, a single reference becomes null. */
export function withoutReferences(
  row: RecordRow,
  { field, isList }: RefField,
  isLost: (id: string) => boolean,
  at: string,
) {
  const stored = JSON.parse(row.json)
  const kept = isList ? referenceIds(stored[field]).filter((id) => !isLost(id)) : null
  const fields = { ...stored, [field]: kept }
  return { row: { ...row, rev: row.rev + 1, updated_at: at, json: JSON.stringify(fields) }, fields }
}

function targetExists(
  store: PartitionStore,
  { manifest, partition, known }: JudgedCall,
  name: string,
  id: string,
) {
  if (isTargetInPartition(manifest.collections, name, partition)) return store.holds(name, id)
  return known?.has(refKey(name, id)) === true
}

/**
 * Collects the references that a write sets, so that they can be checked at the end of the transaction.
 * `named` holds the changed fields; null means all fields.
 */
export function collectRefs(
  changes: TransactionChanges,
  address: RecordAddress,
  collection: CollectionSpec,
  { named, fields }: { named: Record<string, unknown> | null; fields: Record<string, unknown> },
): void {
  for (const [field, spec] of Object.entries(collection.fields)) {
    if (!isRef(spec) || (named !== null && !Object.hasOwn(named, field))) continue
    for (const id of referenceIds(fields[field]))
      changes.asked.push({ address, field, target: spec.ref ?? '', id })
  }
}

/**
 * Returns the ids of app records that the operations refer to, by collection; empty in the app's own partition. The operations are not
 * validated yet, so any value is possible.
 */
export function referencedAppRecords(
  manifest: Manifest,
  partition: string,
  ops: unknown,
): Map<string, Set<string>> {
  const asked = new Map<string, Set<string>>()
  if (partition === 'app' || !Array.isArray(ops)) return asked
  for (const op of ops) {
    const { collection: name, fields } = fieldsOf(op)
    for (const [field, spec] of Object.entries(findCollection(manifest, name)?.fields ?? {})) {
      const target = spec.ref ?? ''
      if (!isRef(spec) || !isTargetInPartition(manifest.collections, target, 'app')) continue
      const ids = referenceIds(fieldsOf(fields)[field] ?? spec.default)
      if (ids.length > 0) asked.set(target, new Set([...(asked.get(target) ?? []), ...ids]))
    }
  }
  return asked
}

/**
 * Files and records share one set of keys, `KnownRefs`. The spaces in this prefix keep the keys of files distinct, because no collection
 * name contains a space.
 */
const FILE_KEY_PREFIX = 'a file of'

/**
 * Returns the key in `KnownRefs` for a file that belongs to `owner`. Null means that the file belongs to the app
 * itself.
 */
const fileKey = (id: string, owner: string | null): string =>
  refKey(`${FILE_KEY_PREFIX} ${owner ?? 'the app'}`, id)

/**
 * Returns two keys for each file: with its owner, for callers who may use only their own files, and without
 * the owner, for all other callers.
 */
export const knownFiles = (files: readonly { id: string; ownerId: string | null }[]): string[] =>
  files.flatMap(({ id, ownerId }) => [fileKey(id, ownerId), refKey(FILE_KEY_PREFIX, id)])

/** Returns the file ids in the operations of a write. The operations are not validated yet, so any value is possible. */
export function filesNamed(manifest: Manifest, ops: unknown): string[] {
  const ids = new Set<string>()
  if (!Array.isArray(ops)) return []
  for (const op of ops) {
    const { collection: name, fields } = fieldsOf(op)
    for (const [field, { type }] of Object.entries(findCollection(manifest, name)?.fields ?? {})) {
      const id = type === 'file' ? fieldsOf(fields)[field] : null
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
  known: KnownRefs | undefined,
  { fields: specs }: CollectionSpec,
  { before, fields }: { before: Record<string, unknown> | null; fields: Record<string, unknown> },
): void {
  if (actor === 'system') return
  for (const [field, { type }] of Object.entries(specs)) {
    const id = fields[field]
    if (type !== 'file' || typeof id !== 'string' || id === before?.[field]) continue
    const isStaff = actor !== 'anonymous' && actor.role === 'staff'
    const owner = actor === 'anonymous' ? VISITORS_OWNER : actor.userId
    const key = isStaff ? refKey(FILE_KEY_PREFIX, id) : fileKey(id, owner)
    if (known?.has(key) !== true) throw invalid(field, 'is not your file')
  }
}
