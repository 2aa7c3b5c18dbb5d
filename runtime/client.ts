// `@slipway/app/client`: what browser code may import, apart from components.
export * from './client-parts.ts'
export { ApiError, type ErrorCode } from './kernel/errors.ts'
export { api } from './web/api.ts'
