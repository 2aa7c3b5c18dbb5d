import type { StoredRecord } from '../data/frames.ts'
import type { PreparedResult } from '../kernel/objects/calls.ts'
import { collectionIn, requireRead } from '../data/rules.ts'
import { toRecord } from '../data/partition/store.ts'
import { type Actor, ownerOf } from '../kernel/access/actor.ts'
import { invalid, failureAnswer } from '../kernel/errors.ts'
import type { CollectionSpec } from '../kernel/manifest.ts'
import { directoryOf, type Objects, partitionOf, type Tier } from '../kernel/objects/objects.ts'
import type { DirectoryRow } from './frames.ts'
import { searchedFields, textFields } from './search-terms.ts'

const RESULTS_MAX = 100
const QUERY_CHARS_MAX = 200

export async function searchFor(
  objects: Objects,
  tier: Tier,
  search: { hash: string; actor: Actor; partition: string; collection: string; q: string },
): Promise<PreparedResult<StoredRecord[]>> {
  const directory = directoryOf(objects, tier)
  const manifest = await directory.dirManifest(search.hash)
  if (manifest === null) return { ok: false, unprepared: true }
  try {
    const collection = collectionIn(manifest, search.collection, search.partition)
    const reach = requireRead(search.actor, search.collection, collection)
    requireSearch(search.collection, collection, search.q)
    const found = await directory.dirSearch(search.collection, {
      q: search.q,
      partitions: [search.partition],
      owner: reach === 'own' ? ownerOf(search.actor) : null,
      limit: RESULTS_MAX,
    })
    const whole = await withWholeRecords(objects, tier, search.collection, found)
    return { ok: true, value: whole.map(({ row }) => toRecord(row, collection)) }
  } catch (error) {
    return failureAnswer(error)
  }
}

/** Throws for a search that can never match. An empty result would hide the mistake. */
export function requireSearch(name: string, { fields }: CollectionSpec, q: unknown): void {
  if (typeof q !== 'string' || q.length > QUERY_CHARS_MAX)
    throw invalid('q', `must be text of at most ${QUERY_CHARS_MAX} characters`)
  if (searchedFields(fields).length === 0 && textFields(fields).length === 0)
    throw invalid('collection', `${name} has no text field to search`)
}

/** Reads the records that are too large for the directory from their partitions, and returns all found records complete. */
export async function withWholeRecords(
  objects: Objects,
  tier: Tier,
  collection: string,
  found: DirectoryRow[],
): Promise<DirectoryRow[]> {
  const partial = Map.groupBy(
    found.filter(({ isPartial }) => isPartial),
    ({ partition }) => partition,
  )
  const whole = await Promise.all(
    [...partial].map(async ([partition, entries]) => {
      const ids = entries.map(({ row }) => row.id)
      const rows = await partitionOf(objects, tier, partition).readRows(collection, ids)
      return rows.map((row) => [`${partition} ${row.id}`, row] as const)
    }),
  )
  const rows = new Map(whole.flat())
  return found.flatMap((one) => {
    if (!one.isPartial) return [one]
    // The record was removed just now, and the directory has not received that yet.
    const row = rows.get(`${one.partition} ${one.row.id}`)
    return row === undefined ? [] : [{ ...one, row }]
  })
}
