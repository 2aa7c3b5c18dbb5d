import { ApiError, STATUS_OF, toFailure } from './errors.ts'
import { logError } from './log.ts'

/** The service's success envelope; `preview` holds what only the preview tier shows. */
export const succeed = (data: unknown, preview?: object): Response =>
  Response.json({ ok: true, data, ...(preview !== undefined && { preview }) }, { headers: noStore })

/**
 * Any thrown value as the service's failure envelope; an error other than `ApiError` is logged and hidden.
 */
export function fail(error: unknown, route: string): Response {
  if (!(error instanceof ApiError)) logError(error, { route })
  const known =
    error instanceof ApiError ? error : new ApiError('server_error', 'Something failed in the app.')
  const { retryAfter, ...shown } = toFailure(known)
  const headers = { ...noStore, ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }) }
  return Response.json({ ok: false, error: shown }, { status: STATUS_OF[known.code], headers })
}

const noStore = { 'cache-control': 'no-store' }
