import { useRow, useRows } from '../../data/client/hooks.ts'
import { manifest } from '../../manifest.gen.ts'

/** A record of the team `team` refers to records of the same team, or of the app. */
const optionsOf = (collection: string, team: string | undefined) => ({
  partition: manifest.collections[collection]?.partition === 'team' ? team : undefined,
})

/** Returns the record to which a record of the team refers; without `team`, a record of no team. */
export const useReferenced = (collection: string, id: string, team: string | undefined) =>
  useRow(collection, id, optionsOf(collection, team))

/** Returns the first records to which a record of the team may refer; without `team`, a record of no team. */
export const useReferenceOptions = (collection: string, team: string | undefined) =>
  useRows(collection, { limit: 200 }, optionsOf(collection, team))
