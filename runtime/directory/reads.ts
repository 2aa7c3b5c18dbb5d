import type { AddCall, AddResult } from '../data/partition/add.ts'
import type { OperatorQuery, StoredRecord, WriteOp } from '../data/frames.ts'
import { toFields } from '../data/replace.ts'
import { collectionOf } from '../data/rules.ts'
import { toRecord } from '../data/partition/store.ts'
import { ApiError } from '../kernel/errors.ts'
import { type CollectionSpec, labelField } from '../kernel/manifest.ts'
import { directoryOf, type Objects, partitionOf, type Tier } from '../kernel/objects/objects.ts'
import type { Part } from '../kernel/objects/part.ts'
import type { DirectoryRow } from './frames.ts'
import {
  addOperatorRecords,
  askPartition,
  describeField,
  operatorPage,
  type OperatorRecord,
  type ServingRelease,
} from './operator-records.ts'
import { withWholeRecords, requireSearch } from './search.ts'

interface RecordKey {
  collection: string
  partition: string
  id: string
}

interface ListedCollection extends Pick<CollectionSpec, 'title' | 'partition' | 'read' | 'write'> {
  name: string
  fields: ReturnType<typeof describeField>[]
  label: string | null
  count: number
  updatedAt: string | null
}

/** The RPC methods with which the operator lists and edits the records of an app. */
export interface DirectoryReads {
  collections(tier: Tier): Promise<ListedCollection[]>
  records(tier: Tier, collection: string, limit: number): Promise<OperatorRecord[]>
  /** Returns a page of records, sorted and filtered by fields that have an index. */
  page(
    tier: Tier,
    collection: string,
    query: OperatorQuery,
  ): Promise<{ items: OperatorRecord[]; nextCursor: string | null }>
  /**
   * Creates each record separately, with the app's validation. With `isTrial` nothing is stored, and the
   * result says which records would be rejected.
   */
  add(tier: Tier, partition: string, call: AddCall): Promise<AddResult[]>
  search(tier: Tier, collection: string, search: { q: string; limit: number }): Promise<OperatorRecord[]>
  /** Replaces a record after validating it like a write of the app. */
  replace(tier: Tier, key: RecordKey, record: Record<string, unknown>): Promise<OperatorRecord>
  remove(tier: Tier, key: RecordKey): Promise<{ id: string }>
}

export const reads: NonNullable<Part<object, object, DirectoryReads>['reads']> = {
  collections:
    ({ objects }) =>
    async (tier) => {
      const directory = directoryOf(objects, tier)
      const [active, totals] = await Promise.all([directory.dirActive(), directory.dirTotals()])
      return Object.entries(active?.manifest.collections ?? {}).map(([name, spec]) => ({
        name,
        title: spec.title,
        partition: spec.partition,
        read: spec.read,
        write: spec.write,
        fields: Object.entries(spec.fields).map(describeField),
        label: labelField(spec),
        count: totals[name]?.count ?? 0,
        updatedAt: totals[name]?.updatedAt ?? null,
      }))
    },
  records:
    ({ objects }) =>
    async (tier, collection, limit) => {
      const release = await servedRelease(objects, tier)
      const spec = collectionOf(release.manifest, collection)
      const found = await directoryOf(objects, tier).dirNewest(collection, limit)
      return await recordsOf(release, collection, spec, found)
    },
  page:
    ({ objects }) =>
    async (tier, collection, query) =>
      operatorPage(await servedRelease(objects, tier), collection, query),
  add:
    ({ objects }) =>
    async (tier, partition, call) =>
      addOperatorRecords(await servedRelease(objects, tier), partition, call),
  search:
    ({ objects }) =>
    async (tier, collection, { q, limit }) => {
      const release = await servedRelease(objects, tier)
      const spec = collectionOf(release.manifest, collection)
      requireSearch(collection, spec, q)
      const search = { q, partitions: null, owner: null, limit }
      const found = await directoryOf(objects, tier).dirSearch(collection, search)
      return await recordsOf(release, collection, spec, found)
    },
  replace:
    ({ objects }) =>
    async (tier, key, record) => {
      const release = await releaseWithRecord(objects, tier, key)
      const { collection, id, partition } = key
      const { fields, rev } = toFields(collectionOf(release.manifest, collection), record)
      const written = await writeRecord(release, partition, { op: 'update', collection, id, fields, rev })
      return { ...(written.records[0] as StoredRecord), partition }
    },
  remove:
    ({ objects }) =>
    async (tier, key) => {
      const { collection, id, partition } = key
      await writeRecord(await releaseWithRecord(objects, tier, key), partition, {
        op: 'remove',
        collection,
        id,
      })
      return { id }
    },
}

async function servedRelease(objects: Objects, tier: Tier): Promise<ServingRelease> {
  const active = await directoryOf(objects, tier).dirActive()
  if (active === null) throw new ApiError('not_found', 'No release is active yet.')
  return { objects, tier, ...active }
}

async function recordsOf(
  { objects, tier }: ServingRelease,
  collection: string,
  spec: CollectionSpec,
  found: DirectoryRow[],
): Promise<OperatorRecord[]> {
  const whole = await withWholeRecords(objects, tier, collection, found)
  return whole.map(({ partition, row }) => ({ ...toRecord(row, spec), partition }))
}

/**
 * Throws when the record does not exist. Asks the directory first: calling a Durable Object creates it, and a guessed name must not create
 * one.
 */
async function releaseWithRecord(
  objects: Objects,
  tier: Tier,
  { collection, partition, id }: RecordKey,
): Promise<ServingRelease> {
  const release = await servedRelease(objects, tier)
  collectionOf(release.manifest, collection)
  const isThere = await directoryOf(objects, tier).dirHolds(collection, partition, id)
  if (!isThere) throw new ApiError('not_found', `No such record in ${collection}.`)
  return release
}

async function writeRecord(release: ServingRelease, partition: string, op: WriteOp) {
  const written = await askPartition(release, partition, { kind: 'write', ops: [op] })
  // Wait for the directory, so that the list that is read next contains the change.
  await partitionOf(release.objects, release.tier, partition).flush()
  return written
}
