import { isUnavailable } from '../db/database.ts'
import { ProviderError } from '../lib/provider-error.ts'
import { ApiError } from './errors.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** The success envelope around JSON text that is ready already. */
export function successText(dataText: string, requestId: string): Response {
  return new Response(`{"ok":true,"data":${dataText}}`, {
    headers: { 'content-type': JSON_TYPE, 'x-request-id': requestId },
  })
}

/**
 * The success envelope around pieces of JSON text, at the reader's own pace. The first piece is awaited, so what fails
 * before it is an ordinary refusal; what fails later ends the connection and is told to `onBroken`.
 */
export async function successStream(
  pieces: AsyncIterable<string>,
  requestId: string,
  onBroken: (error: unknown) => void,
): Promise<Response> {
  const encoder = new TextEncoder()
  const iterator = pieces[Symbol.asyncIterator]()
  const first = await iterator.next()
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(`{"ok":true,"data":${first.done === true ? 'null' : first.value}`))
    },
    async pull(controller) {
      try {
        const next = await iterator.next()
        controller.enqueue(encoder.encode(next.done === true ? '}' : next.value))
        if (next.done === true) controller.close()
      } catch (error) {
        onBroken(error)
        controller.error(error)
      }
    },
    async cancel() {
      await iterator.return?.()
    },
  })
  return new Response(stream, { headers: { 'content-type': JSON_TYPE, 'x-request-id': requestId } })
}

/** The failure envelope; the cause stays behind. */
export function failure(error: ApiError, requestId: string): Response {
  const headers = { 'content-type': JSON_TYPE, 'x-request-id': requestId, ...retryAfter(error) }
  const body = JSON.stringify({ ok: false, error: { code: error.code, message: error.message } })
  return new Response(body, { status: error.status, headers })
}

/** The only header that tells of a limit. */
export function retryAfter(error: ApiError): Record<string, string> {
  return error.retryAfterSeconds === undefined ? {} : { 'retry-after': String(error.retryAfterSeconds) }
}

/** The one place that turns whatever was thrown into something a caller may read. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof ProviderError) {
    // A provider that asks to slow down is a pause, not a fault of what was asked.
    const code =
      error.provider === 'model' ? 'model_error' : error.status === 429 ? 'unavailable' : 'upstream_error'
    return new ApiError(code, error.message, { cause: error })
  }
  if (isUnavailable(error))
    return new ApiError('unavailable', 'The database is away for a moment. Try again shortly.', {
      cause: error,
    })
  return new ApiError('server_error', 'Something went wrong on our side. The request id helps us find it.', {
    cause: error,
  })
}
