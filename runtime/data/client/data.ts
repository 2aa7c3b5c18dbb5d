import type { ApiError } from '../../kernel/errors.ts'
import type { RawQuery } from '../frames.ts'
import type { CollectionName, DataApi, InputOf, ListPage, Query, RecordOf, UpdateOptions } from '../types.ts'
import type { QueryStatus } from './live-query.ts'
import { pageStore } from './page-store.ts'

/** A live answer: `stale` means the connection is lost and the rows are the last ones known. */
export interface QueryResult<Row> {
  rows: Row[]
  status: QueryStatus
  error: ApiError | null
  more: (() => void) | null
}

export interface BrowserData extends DataApi {
  /** Calls back with the rows now and after every change; the answer stops it. */
  subscribe<C extends CollectionName>(
    collection: C,
    query: Query<C>,
    callback: (result: QueryResult<RecordOf<C>>) => void,
  ): () => void
}

export const data: BrowserData = {
  get: async <C extends CollectionName>(collection: C, id: string) =>
    (await pageStore().get(collection, id)) as RecordOf<C>,
  list: async <C extends CollectionName>(collection: C, query: Query<C> = {}) => {
    const { items, nextCursor } = await pageStore().list(collection, query as RawQuery)
    return { items, nextCursor } as ListPage<RecordOf<C>>
  },
  create: async <C extends CollectionName>(collection: C, fields: InputOf<C>) => {
    const op = { op: 'create' as const, collection, fields: fields as Record<string, unknown> }
    const { records } = await pageStore().mutate(op)
    return records[0] as RecordOf<C>
  },
  update: async <C extends CollectionName>(
    collection: C,
    id: string,
    patch: Partial<InputOf<C>>,
    options: UpdateOptions = {},
  ) => {
    const fields = patch as Record<string, unknown>
    const { records } = await pageStore().mutate({ op: 'update', collection, id, fields, rev: options.rev })
    return records[0] as RecordOf<C>
  },
  remove: async (collection, id) => {
    await pageStore().mutate({ op: 'remove', collection, id })
    return { id }
  },
  subscribe: <C extends CollectionName>(
    collection: C,
    query: Query<C>,
    callback: (result: QueryResult<RecordOf<C>>) => void,
  ) => {
    const live = pageStore().query(collection, query as RawQuery)
    const tell = () => callback(live.snapshot() as QueryResult<RecordOf<C>>)
    tell()
    return live.listen(tell)
  },
}
