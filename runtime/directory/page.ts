import type { SyncStorage } from 'cloudflare:workers'
import { encodeCursor, type ParsedQuery, type ScalarValue } from '../data/query.ts'
import { pageStatement, sortColumn } from '../data/partition/statement.ts'
import type { DirectoryRow } from './frames.ts'
import { type DirectoryEntry, directoryRowOf } from './store.ts'

export interface DirectoryPage {
  found: DirectoryRow[]
  nextCursor: string | null
}

/**
 * Returns a page of a collection across all partitions. Only the default order, newest first, has an index in
 * the directory. Any other order or condition scans every entry of the collection.
 */
export function directoryPage(storage: SyncStorage, collection: string, query: ParsedQuery): DirectoryPage {
  const { sql, values } = pageStatement(
    // Records of different partitions may have the same id, so equal values are ordered by the entry's key.
    { columns: `*, ${sortColumn(query)} as sorted`, table: 'entries', tie: 'key' },
    [{ sql: 'collection = ?', values: [collection] }],
    query,
  )
  const rows = storage.sql.exec<DirectoryEntry & { sorted: ScalarValue }>(sql, ...values).toArray()
  const page = rows.slice(0, query.limit)
  const last = rows.length > query.limit ? page.at(-1) : undefined
  const nextCursor = last === undefined ? null : encodeCursor(last.sorted, String(last.key))
  return { found: page.map(directoryRowOf), nextCursor }
}
