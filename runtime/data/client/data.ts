import type { ApiError } from '../../kernel/errors.ts'
import { callsOf } from '../calls.ts'
import type { RawQuery } from '../frames.ts'
import type { CollectionName, DataApi, Query, RecordOf } from '../types.ts'
import type { QuerySnapshot, QueryStatus } from './live-query.ts'
import { pageStore } from './page-store.ts'

/** The result of a live query. `stale` means that the connection is lost and the rows may be outdated. */
export interface QueryResult<Row> {
  rows: Row[]
  status: QueryStatus
  error: ApiError | null
  more: (() => void) | null
}

export interface PageData extends DataApi {
  /** Calls `callback` with the rows now and after every change. Returns the function that unsubscribes. */
  subscribe<C extends CollectionName>(
    collection: C,
    query: Query<C>,
    callback: (result: QueryResult<RecordOf<C>>) => void,
  ): () => void
}

export interface BrowserData extends PageData {
  /** The records of a team, by its id. */
  of(teamId: string): PageData
}

const untypedDataOf = (team?: string) => ({
  ...callsOf({
    get: (collection, id) => pageStore(collection, team).get(collection, id),
    list: (collection, query) => pageStore(collection, team).list(collection, query),
    count: (collection, where) => pageStore(collection, team).count(collection, where),
    search: (collection, q) => pageStore(collection, team).search(collection, q),
    write: async (ops) => (await pageStore(ops[0]?.collection ?? '', team).mutate(ops)).records,
  }),
  subscribe: (collection: string, query: RawQuery, callback: (result: QuerySnapshot) => void) => {
    const live = pageStore(collection, team).query(collection, query)
    const tell = () => callback(live.snapshot())
    tell()
    return live.listen(tell)
  },
})

/**
 * Like `data`, but without the types that are generated from `app.json`, for code that works with every app.
 */
export const untypedData = { ...untypedDataOf(), of: untypedDataOf }

// This cast applies the types generated from `app.json`. The Durable Object validates every value against the
// same manifest.
export const data = untypedData as BrowserData
