import { backoffMs } from './backoff.ts'
import { isRecord } from './is-record.ts'
import { ConnectionError, SlipwayError, TimeoutError, UnexpectedResponseError } from './errors.ts'

/** How calls are sent. The generated client and the stream reader share one transport. */
export interface TransportOptions {
  fetch?: (request: Request) => Promise<Response>
  /** The timeout of each attempt, including its body; 60,000 by default. */
  timeoutMs?: number
  /** The number of retries after the first attempt, for calls that may be repeated; 2 by default. */
  maxRetries?: number
  /** The longest accepted `Retry-After`; a longer one throws at once. 60,000 by default. */
  maxWaitMs?: number
  /** Called once for each call that failed after its last retry. */
  onFailure?: (error: SlipwayError) => void
  /** Waits between two attempts. Tests replace it. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

const RETRYABLE_STATUSES = new Set([408, 429, 500, 502, 503, 504])
const EXCERPT_CHARACTERS = 200

/**
 * Creates a `fetch` with a timeout. It retries calls that may be repeated, and throws a `SlipwayError` unless the response is a success, so
 * the generated client gets successes only.
 */
export function createTransport(options: TransportOptions = {}): (input: Request) => Promise<Response> {
  const send = options.fetch ?? ((request: Request) => fetch(request))
  const { timeoutMs = 60_000, maxRetries = 2, maxWaitMs = 60_000, wait = sleep } = options

  async function attempt(request: Request): Promise<Response> {
    const timer = AbortSignal.timeout(timeoutMs)
    const at = methodAndPath(request)
    let response: Response | undefined
    try {
      response = await send(new Request(request, { signal: AbortSignal.any([request.signal, timer]) }))
      if (response.ok) return await readWhole(response)
    } catch (cause) {
      request.signal.throwIfAborted()
      if (timer.aborted) throw new TimeoutError(`No answer within ${timeoutMs / 1000} s.`, { ...at, cause })
      const what = response === undefined ? 'The service did not respond.' : 'The response was cut off.'
      throw new ConnectionError(what, { ...at, cause })
    }
    const failure = await readFailure(response, at)
    request.signal.throwIfAborted()
    throw failure
  }

  return async (request) => {
    for (let retry = 0; ; retry++) {
      try {
        return await attempt(request.clone())
      } catch (error) {
        if (!(error instanceof SlipwayError)) throw error
        const waitMs = error.retryAfterMs ?? backoffMs(retry, 1)
        if (retry >= maxRetries || waitMs > maxWaitMs || !mayRepeat(request, error)) {
          options.onFailure?.(error)
          throw error
        }
        await wait(waitMs, request.signal)
      }
    }
  }
}

/**
 * Returns a JSON response with its body read to the end, so that a body that breaks off fails the attempt and not the caller who reads it.
 * Event streams and downloads are returned unread, because they may be endless or larger than memory.
 */
async function readWhole(response: Response): Promise<Response> {
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json') === true
  return isJson ? new Response(await response.arrayBuffer(), response) : response
}

/**
 * Returns whether to retry: only after a failure that may be temporary, and only an idempotent method or a
 * request with an `Idempotency-Key`. Starting a build, deploying or sending a plan message could otherwise
 * happen twice.
 */
function mayRepeat(request: Request, error: SlipwayError): boolean {
  if (error.status !== 0 && !RETRYABLE_STATUSES.has(error.status)) return false
  return ['GET', 'HEAD', 'PUT', 'DELETE'].includes(request.method) || request.headers.has('Idempotency-Key')
}

/** Returns the wait that a response of the service asks for, in milliseconds; null for none. The service sends seconds, never a date. */
export function readRetryAfter({ headers }: Response): number | null {
  const seconds = headers.get('Retry-After') ?? ''
  return /^\d+$/.test(seconds) ? Number(seconds) * 1000 : null
}

/** Parses a failed response. Returns an `UnexpectedResponseError` when the body is not the API's envelope. */
export async function readFailure(
  response: Response,
  at: { method: string; path: string },
): Promise<SlipwayError> {
  const details = {
    ...at,
    status: response.status,
    requestId: response.headers.get('X-Request-Id'),
    retryAfterMs: readRetryAfter(response),
  }
  const text = await response.text().catch(() => '')
  const error = parseEnvelope(text)
  if (error) return new SlipwayError(error.message, { ...details, code: error.code })
  const excerpt = text.slice(0, EXCERPT_CHARACTERS)
  return new UnexpectedResponseError(`Status ${response.status} without an envelope: ${excerpt}`, details)
}

function parseEnvelope(text: string): { code: string; message: string } | null {
  try {
    const body = JSON.parse(text)
    const { code, message } = isRecord(body) && isRecord(body['error']) ? body['error'] : {}
    return typeof code === 'string' && typeof message === 'string' ? { code, message } : null
  } catch {
    return null
  }
}

/**
 * Returns the `data` of a call of the generated client. Throws `UnexpectedResponseError` when a successful response is not
 * the envelope, for example the page of a proxy.
 */
export async function unwrap<T>(call: Promise<{ data?: { data: T } | undefined }>): Promise<T> {
  const result = await call
  if (result.data?.data === undefined)
    throw new UnexpectedResponseError('The answer had no data.', { status: 200 })
  return result.data.data
}

/** Waits. Rejects with the signal's reason when the signal is aborted. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}

function methodAndPath(request: Request): { method: string; path: string } {
  return { method: request.method, path: new URL(request.url).pathname }
}
