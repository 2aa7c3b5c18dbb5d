import type { ApiError } from '../../kernel/errors.ts'
import type { RawQuery, StoredRecord } from '../frames.ts'
import type { CollectionName, DataApi, Query, RecordOf } from '../types.ts'
import type { QuerySnapshot, QueryStatus } from './live-query.ts'
import { pageStore } from './page-store.ts'

/** A live result: `stale` means the connection is lost and the rows are the last known ones. */
export interface QueryResult<Row> {
  rows: Row[]
  status: QueryStatus
  error: ApiError | null
  more: (() => void) | null
}

export interface BrowserData extends DataApi {
  /** Calls back with the rows now and after every change; returns the function that unsubscribes. */
  subscribe<C extends CollectionName>(
    collection: C,
    query: Query<C>,
    callback: (result: QueryResult<RecordOf<C>>) => void,
  ): () => void
}

type Fields = Record<string, unknown>

/** The same calls, untyped, for code of the platform. */
export const looseData = {
  get: (collection: string, id: string) => pageStore(collection).get(collection, id),
  list: async (collection: string, query: RawQuery = {}) => {
    const { items, nextCursor } = await pageStore(collection).list(collection, query)
    return { items, nextCursor }
  },
  search: (collection: string, q: string) => pageStore(collection).search(collection, q),
  create: async (collection: string, fields: Fields): Promise<StoredRecord> => {
    const { records } = await pageStore(collection).mutate({ op: 'create', collection, fields })
    return records[0] as StoredRecord
  },
  update: async (collection: string, id: string, fields: Fields, options: { rev?: number } = {}) => {
    const { records } = await pageStore(collection).mutate({
      op: 'update',
      collection,
      id,
      fields,
      rev: options.rev,
    })
    return records[0] as StoredRecord
  },
  remove: async (collection: string, id: string) => {
    await pageStore(collection).mutate({ op: 'remove', collection, id })
    return { id }
  },
  subscribe: (collection: string, query: RawQuery, callback: (result: QuerySnapshot) => void) => {
    const live = pageStore(collection).query(collection, query)
    const tell = () => callback(live.snapshot())
    tell()
    return live.listen(tell)
  },
}

// The generated types are applied here; the object validates every value against the same manifest.
export const data = looseData as unknown as BrowserData
