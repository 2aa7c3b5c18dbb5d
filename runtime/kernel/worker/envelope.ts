import { ApiError, STATUS_OF, toFailure } from '../errors.ts'
import { logError } from '../objects/log.ts'

/**
 * Returns data in the same JSON envelope as Slipway's API. `preview` holds extra data that only the preview
 * tier shows.
 */
export const succeed = (data: unknown, preview?: object): Response =>
  Response.json({ ok: true, data, ...(preview !== undefined && { preview }) }, { headers: noStore })

/**
 * Returns an error in the same JSON envelope as Slipway's API. An error other than `ApiError` is logged,
 * and the caller gets `server_error` instead of its message.
 */
export function errorResponse(error: unknown, route: string): Response {
  if (!(error instanceof ApiError)) logError(error, { route })
  const known =
    error instanceof ApiError ? error : new ApiError('server_error', 'Something failed in the app.')
  const { retryAfterSeconds: wait, ...shown } = toFailure(known)
  const headers = { ...noStore, ...(wait !== undefined && { 'retry-after': String(wait) }) }
  return Response.json({ ok: false, error: shown }, { status: STATUS_OF[known.code], headers })
}

const noStore = { 'cache-control': 'no-store' }
