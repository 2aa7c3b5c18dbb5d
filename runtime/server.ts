// `@slipway/app/server`: what code under `server/` may use.
export { assets } from './assets/url.ts'
export { auth, type ServerAuth } from './auth/server.ts'
export type { User } from './auth/types.ts'
export { data, type ServerData } from './data/server.ts'
export type { CollectionName, DataApi, InputOf, ListPage, Query, RecordOf } from './data/types.ts'
export { files, type ServerFiles } from './files/server.ts'
export type { FilePage, FileRef, TicketOptions } from './files/types.ts'
export { ApiError, type ErrorCode } from './kernel/errors.ts'
