import { isMemberMissing, isUnavailable, missingParent } from '../db/database.ts'
import { ProviderError } from '../lib/provider-error.ts'
import { ApiError, notFound, notMember } from './errors.ts'
import { textStream } from './text-stream.ts'

/** Headers of every response without its own `cache-control`. The response may contain a key, so it must not be cached. */
export const GUARD_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const

const JSON_HEADERS = { ...GUARD_HEADERS, 'content-type': 'application/json; charset=utf-8' }

export function successText(dataText: string, requestId: string): Response {
  return new Response(`{"ok":true,"data":${dataText}}`, {
    headers: { ...JSON_HEADERS, 'x-request-id': requestId },
  })
}

/** Returns a response made of pieces. Throws when the first piece fails; a later failure can only truncate the body. */
export async function successStream(
  pieces: AsyncIterable<string>,
  requestId: string,
  onBroken: (error: unknown) => void,
): Promise<Response> {
  return new Response(await textStream(inEnvelope(pieces), onBroken), {
    headers: { ...JSON_HEADERS, 'x-request-id': requestId },
  })
}

async function* inEnvelope(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let before = '{"ok":true,"data":'
  for await (const piece of pieces) {
    yield before + piece
    before = ''
  }
  yield `${before}}`
}

/** Returns the error response. It never includes the cause, which is only logged. */
export function failure(error: ApiError, requestId: string): Response {
  const headers = { ...JSON_HEADERS, 'x-request-id': requestId, ...retryAfter(error) }
  const body = JSON.stringify({ ok: false, error: { code: error.code, message: error.message } })
  return new Response(body, { status: error.status, headers })
}

/** Returns `Retry-After`, the only rate limit header of responses. */
export function retryAfter(error: ApiError): Record<string, string> {
  return error.retryAfterSeconds === undefined ? {} : { 'retry-after': String(error.retryAfterSeconds) }
}

/** The only function that maps a thrown value to an error that the caller may read. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof ProviderError) {
    // A provider's 429 is temporary, so the caller gets `unavailable` and can retry later.
    const failed = error.status === 429 ? 'unavailable' : 'upstream_error'
    const code = error.provider === 'model' ? 'model_error' : (error.answersWith ?? failed)
    return new ApiError(code, error.message, {
      cause: error,
      ...(error.retryAfterSeconds !== null && { retryAfterSeconds: error.retryAfterSeconds }),
    })
  }
  // The project or the ticket was deleted between its look-up and the insert of a row that refers to it.
  const parent = missingParent(error)
  if (parent !== null) return notFound(parent)
  // The organization or the account of the caller was deleted after the request had been let in. The membership went with it.
  if (isMemberMissing(error)) return notMember()
  if (isUnavailable(error))
    return new ApiError('unavailable', 'The database is away for a moment. Try again shortly.', {
      cause: error,
    })
  return new ApiError('server_error', 'Something went wrong on our side. The request id helps us find it.', {
    cause: error,
  })
}
