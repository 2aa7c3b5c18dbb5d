// `@slipway/app/server`: what code under `server/` may use.
export { data, type ServerData } from './data/server.ts'
export type { CollectionName, DataApi, InputOf, ListPage, Query, RecordOf } from './data/types.ts'
export { ApiError, type ErrorCode } from './kernel/errors.ts'
