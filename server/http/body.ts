import { rejectWhenLate } from '@slipway/runtime/kernel/reject-when-late.ts'
import { type Endpoint } from './endpoint.ts'
import { ApiError, invalid } from './errors.ts'
import { cleanBody, validate } from './validate.ts'

/** The maximum size of a JSON body (docs/limits.md#requests). */
export const MAX_JSON_BYTES = 1024 * 1024

/** The maximum size of a JSON body on a route that needs no account. Their bodies are a code or a name. */
const PUBLIC_JSON_BYTES_MAX = 16 * 1024

/** A client that sends 64 KiB at 20 kbit/s meets this deadline. */
const ANONYMOUS_BODY_MS_MAX = 30_000

/**
 * Reads and validates the body that an endpoint declares. A missing body counts as `{}`. With a session the content
 * type must be JSON, because a form on another site cannot send that type. With an API key any type is accepted, so
 * that plain `curl -d` works.
 */
export async function readBody(
  endpoint: Endpoint,
  request: Request,
  kind: 'session' | 'other',
): Promise<unknown> {
  if (endpoint.rawBody !== undefined) return checkRawBody(endpoint.rawBody, request)
  if (endpoint.body === undefined) return undefined
  const text =
    endpoint.scope === 'public'
      ? await withDeadline(readText(request, PUBLIC_JSON_BYTES_MAX))
      : await readText(request, MAX_JSON_BYTES)
  const type = request.headers.get('content-type') ?? ''
  if (text !== '' && kind === 'session' && !/^application\/json\b/i.test(type))
    throw invalid('Content-Type', 'must be application/json')
  return cleanBody(validate(endpoint.body, parseBody(text), 'body'), text)
}

function parseBody(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid('body', 'is not valid JSON')
    throw error
  }
}

/**
 * Reads the body as text. Throws when it is larger than `maxBytes`: before reading if `content-length` says so,
 * otherwise as soon as more bytes have arrived.
 */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  const announced = request.headers.get('content-length')
  if (announced !== null) {
    if (Number(announced) > maxBytes) throw tooLarge(maxBytes)
    // Node ends a body at the length in `content-length`, so the bytes need not be counted, and `text()` is faster
    // than reading the stream.
    return request.text()
  }
  if (request.body === null) return ''
  const decoder = new TextDecoder()
  let bytes = 0
  let text = ''
  for await (const chunk of request.body) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw tooLarge(maxBytes)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** Returns the bytes of the body. When there are more than `maxBytes`, stops reading and returns null. */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array | null> {
  const announced = request.headers.get('content-length')
  if (announced !== null)
    return Number(announced) > maxBytes ? null : new Uint8Array(await request.arrayBuffer())
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * Throws a 503 when a body has not arrived after `ANONYMOUS_BODY_MS_MAX`. For bodies that are read before it is known who sends them:
 * anyone could otherwise keep many unfinished bodies in memory. The server closes the connection after the response, which frees the body.
 */
export const withDeadline = <T>(reading: Promise<T>): Promise<T> =>
  rejectWhenLate(
    reading,
    ANONYMOUS_BODY_MS_MAX,
    new ApiError('unavailable', 'The body did not arrive in time.'),
  )

/**
 * Returns whether a body is, or may be, so large that the connection is closed after a response that did not read it.
 * Node would otherwise read the body to its end to keep the connection open.
 */
export function hasLargeBody({ headers }: Request): boolean {
  return headers.has('transfer-encoding') || Number(headers.get('content-length') ?? 0) > MAX_JSON_BYTES
}

function checkRawBody(rule: { types: readonly string[]; maxBytes: number }, request: Request): undefined {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  if (!rule.types.includes(type)) throw invalid('Content-Type', `must be one of ${rule.types.join(', ')}`)
  if (Number(request.headers.get('content-length') ?? 0) > rule.maxBytes) throw tooLarge(rule.maxBytes)
  return undefined
}

const tooLarge = (maxBytes: number) => invalid('body', `must be at most ${maxBytes} bytes`)
