import { withWholeRecords } from './search.ts'
import { isTeamId, isUserId } from '../kernel/access/actor.ts'
import { fromFailure, invalid, noSuchPartition } from '../kernel/errors.ts'
import { type CollectionSpec, fieldTitle, type Manifest } from '../kernel/manifest.ts'
import type { PreparedResult } from '../kernel/objects/calls.ts'
import { directoryOf, type Objects, partitionOf, type Tier } from '../kernel/objects/objects.ts'
import { isUnprepared, sendPrepared } from '../kernel/objects/send-prepared.ts'
import type { AddCall, AddResult } from '../data/partition/add.ts'
import type { DataResult, OperatorQuery, PartitionCall, StoredRecord } from '../data/frames.ts'
import { parseQuery } from '../data/query.ts'
import { collectionIn, collectionOf } from '../data/rules.ts'
import { toRecord } from '../data/partition/store.ts'
import { isFields } from '../kernel/fields.ts'

export interface ServingRelease {
  objects: Objects
  tier: Tier
  hash: string
  manifest: Manifest
}

export type OperatorRecord = StoredRecord & { partition: string }

const ADDED_RECORDS_MAX = 100
const RECORD_ID_PATTERN = /^[A-Za-z0-9_-]{8,36}$/

/**
 * Returns a page of a collection, in any order that has an index. The records of one partition (`app`, or the partition that the query
 * names) are read from that partition, which has the indexes that `app.json` declares. The records of all people or all teams are read from
 * the directory.
 */
export async function operatorPage(
  release: ServingRelease,
  name: string,
  { partition: asked, ...query }: OperatorQuery,
): Promise<{ items: OperatorRecord[]; nextCursor: string | null }> {
  const { objects, tier, manifest } = release
  const spec = collectionOf(manifest, name)
  const partition = asked ?? (spec.partition === 'app' ? 'app' : null)
  if (partition === null) {
    const page = await directoryOf(objects, tier).dirPage(name, parseQuery(spec, query))
    const whole = await withWholeRecords(objects, tier, name, page.found)
    const items = whole.map((one) => ({ ...toRecord(one.row, spec), partition: one.partition }))
    return { items, nextCursor: page.nextCursor }
  }
  await requirePartition(release, name, partition)
  const call = { kind: 'list', collection: name, query } as const
  const { items, nextCursor } = await askPartition(release, partition, call)
  return { items: items.map((record) => ({ ...record, partition })), nextCursor }
}

/** Creates records, each validated like a write of the app. Once this returns, the operator's lists show them. */
export async function addOperatorRecords(
  release: ServingRelease,
  partition: string,
  call: AddCall,
): Promise<AddResult[]> {
  requireRecords(call)
  await requirePartition(release, call.collection, partition)
  const object = partitionOf(release.objects, release.tier, partition)
  const added = await sendPrepared(
    () => object.addRecords(release.hash, call),
    (result) => result === null,
    () => object.prepare(release.hash, release.manifest),
  )
  if (!Array.isArray(added)) throw added === null ? new Error('not prepared') : fromFailure(added)
  if (!call.isTrial) await object.flush()
  return added
}

/** Calls a partition with the rights of the app's own server code (`system`). Throws the error that the partition returns. */
export async function askPartition<Call extends PartitionCall>(
  release: ServingRelease,
  partition: string,
  call: Call,
): Promise<DataResult<Call>> {
  const object = partitionOf(release.objects, release.tier, partition)
  const answer = await sendPrepared<PreparedResult<DataResult<Call>>>(
    async () => JSON.parse(await object.data(release.hash, 'system', call)),
    isUnprepared,
    () => object.prepare(release.hash, release.manifest),
  )
  if (!answer.ok) throw 'error' in answer ? fromFailure(answer.error) : new Error('not prepared')
  return answer.value
}

function requireRecords({ records }: AddCall): void {
  if (!Array.isArray(records) || records.length === 0 || records.length > ADDED_RECORDS_MAX)
    throw invalid('records', `must be a list of 1 to ${ADDED_RECORDS_MAX} records`)
  for (const { id, fields } of records) {
    if (typeof id !== 'string' || !RECORD_ID_PATTERN.test(id))
      throw invalid('id', 'must be 8 to 36 letters, digits, - or _')
    if (!isFields(fields)) throw invalid('fields', 'must be an object')
  }
}

/** Throws when the partition does not exist. Checked first: calling a Durable Object creates it, and a guessed name must not create one. */
async function requirePartition(
  { objects, tier, manifest }: ServingRelease,
  name: string,
  partition: string,
) {
  collectionIn(manifest, name, partition)
  if (partition === 'app') return
  const isKnown =
    (isUserId(partition) && (await directoryOf(objects, tier).users('find', { id: partition })) !== null) ||
    (isTeamId(partition) && (await directoryOf(objects, tier).teams('known', { id: partition })))
  if (!isKnown) throw noSuchPartition()
}

export function describeField([name, spec]: [string, CollectionSpec['fields'][string]]) {
  const { type, required, index, search, unique, values, ref, as, currency, max } = spec
  return {
    name,
    title: fieldTitle(name, spec),
    type,
    required: required ?? false,
    index: index ?? false,
    search: search ?? false,
    unique: unique ?? false,
    ...(values !== undefined && { values }),
    ...(ref !== undefined && { ref }),
    ...(as !== undefined && { as }),
    ...(currency !== undefined && { currency }),
    ...(max !== undefined && { max }),
    ...(spec.default !== undefined && { default: spec.default }),
  }
}
