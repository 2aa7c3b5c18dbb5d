// `@slipway/app/client`: what browser code may use outside of components.
export { assets } from './assets/url.ts'
export { data, type BrowserData, type QueryResult } from './data/client/data.ts'
export type { CollectionName, DataApi, InputOf, ListPage, Query, RecordOf } from './data/types.ts'
export { files, type BrowserFiles } from './files/client.ts'
export type { FileRef } from './files/types.ts'
export { ApiError, type ErrorCode } from './kernel/errors.ts'
export { api } from './web/api.ts'
