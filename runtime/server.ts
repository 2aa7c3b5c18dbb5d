// `@slipway/app/server`: what code under `server/` may import.
export * from './server-parts.ts'
export { ApiError, type ErrorCode } from './kernel/errors.ts'
export type { JobHandler, JobInfo } from './kernel/objects/jobs.ts'
