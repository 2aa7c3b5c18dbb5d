import { useQueries, useQuery } from '@tanstack/react-query'
import { collectionsQuery, namedRecordsQuery } from '../../../api/project/capabilities.ts'
import type { CollectionSchema, DataRecord } from './record-grid.tsx'
import { nameIn } from './ref-field.tsx'

/** The most ids that `namedRecordsQuery` accepts. */
const IDS_MAX = 50

/**
 * Returns the labels of the records that `pages` reference, with the key `<field> <id>`. Sends one request
 * per page and reference field. A deleted record has no label.
 */
export function useRefNames(
  projectId: string,
  info: CollectionSchema,
  pages: DataRecord[][],
): Map<string, string> {
  const collections = useQuery(collectionsQuery(projectId)).data
  const asked = info.fields.flatMap(({ name, ref }) =>
    ref === undefined ? [] : pages.map((page) => ({ field: name, ref, ids: idsIn(page, name) })),
  )
  const wanted = asked.filter(({ ids }) => ids.length > 0)
  const found = useQueries({
    queries: wanted.map(({ ref, ids }) => namedRecordsQuery(projectId, ref, ids)),
  })
  const names = new Map<string, string>()
  for (const [n, { field, ref }] of wanted.entries()) {
    const target = collections?.find(({ name }) => name === ref)
    for (const record of found[n]?.data?.items ?? [])
      names.set(`${field} ${record.id}`, nameIn(target, record))
  }
  return names
}

function idsIn(page: DataRecord[], field: string): string[] {
  const ids = page.map((record) => record[field]).filter((id) => typeof id === 'string')
  return [...new Set(ids.filter((id) => id !== ''))].toSorted().slice(0, IDS_MAX)
}
