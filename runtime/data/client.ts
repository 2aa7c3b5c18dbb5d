export { type BrowserData, data, type QueryResult } from './client/data.ts'
export type { CollectionName, DataApi, InputOf, ListPage, Query, RecordOf } from './types.ts'
