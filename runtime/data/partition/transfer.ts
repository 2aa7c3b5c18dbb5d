import type { Manifest } from '../../kernel/manifest.ts'
import type { PartitionHead } from '../../kernel/objects/objects.ts'
import { utf8Length } from '../../kernel/fields.ts'
import type { RecordRow } from '../frames.ts'
import { ROW_COLUMNS } from './statement.ts'
import type { PartitionStore } from './store.ts'

/** When an app moves to another cloud account, each page of rows is sent in one request of at most 1 MiB. */
const PAGE_BYTES = 600_000
const PAGE_ROWS = 200

export interface StoredRow {
  collection: string
  row: RecordRow
}

export interface RowCursor {
  collection: string
  id: string
}

export interface RowPage {
  rows: StoredRow[]
  next: RowCursor | null
}

type RecordsHead = Pick<PartitionHead, 'migrations'>

export const headOf = (store: PartitionStore): RecordsHead => ({ migrations: store.meta('migrations') })

/**
 * Prepares an empty partition for rows that are copied from another cloud account: stores which migrations
 * the rows have gone through, and creates the tables and indexes of the release.
 */
export function takeHead(
  store: PartitionStore,
  head: RecordsHead,
  release: { hash: string; manifest: Manifest } | null,
  at: string,
): void {
  store.transact(() => {
    if (head.migrations !== null) store.setMeta('migrations', head.migrations)
    if (release !== null) store.prepare(release.hash, release.manifest, at)
  })
}

/**
 * Returns the next rows, ordered by collection and id, including collections that no release declares any more. A page ends before it gets
 * too large for one request.
 */
export function readRowPage(store: PartitionStore, after: RowCursor | null): RowPage {
  const rows: StoredRow[] = []
  let sizeBytes = 0
  for (const collection of store.collections()) {
    if (after !== null && collection < after.collection) continue
    const from = after !== null && collection === after.collection ? after.id : ''
    const found = store.run<RecordRow>(
      `select ${ROW_COLUMNS} from "c_${collection}" where id > ? order by id limit ?`,
      from,
      PAGE_ROWS + 1 - rows.length,
    )
    for (const row of found) {
      sizeBytes += utf8Length(JSON.stringify(row))
      const last = rows.at(-1)
      const isFull = rows.length >= PAGE_ROWS || sizeBytes > PAGE_BYTES
      if (last !== undefined && isFull)
        return { rows, next: { collection: last.collection, id: last.row.id } }
      rows.push({ collection, row })
    }
  }
  return { rows, next: null }
}

/** Stores rows unchanged, with their ids, times and revisions. Idempotent. */
export function takeRows(store: PartitionStore, rows: readonly StoredRow[], now: Date): void {
  store.transact(() => {
    const at = now.toISOString()
    for (const { collection, row } of rows) {
      store.ensureTable(collection)
      store.write(collection, row)
      // Log the copied row like any other change: the directory, the index over all partitions, is updated
      // from the log.
      store.append('put', collection, row, at)
    }
    store.trim(now, store.head(), rows.length)
  })
}
