import { type Endpoint } from './endpoint.ts'
import { invalid } from './errors.ts'
import { cleanText, validate } from './validate.ts'

/** The size of the largest JSON body (docs/limits.md#requests). */
export const MAX_JSON_BYTES = 1024 * 1024

/**
 * Reads and validates the body that an endpoint declares. A missing body counts as `{}`. With a session the
 * content type must be JSON, which a cross-site form cannot send; with a key plain `curl -d` is enough.
 */
export async function readBody(
  endpoint: Endpoint,
  request: Request,
  kind: 'session' | 'other',
): Promise<unknown> {
  if (endpoint.rawBody !== undefined) return checkRawBody(endpoint.rawBody, request)
  if (endpoint.body === undefined) return undefined
  const text = await readText(request, MAX_JSON_BYTES)
  const type = request.headers.get('content-type') ?? ''
  if (text !== '' && kind === 'session' && !/^application\/json\b/i.test(type))
    throw invalid('Content-Type', 'must be application/json')
  return cleanText(validate(endpoint.body, parseBody(text), 'body'), text)
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
 * Reads the body as text. Throws before reading when `content-length` is larger than `maxBytes`, or else as
 * soon as more bytes have arrived.
 */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  const announced = request.headers.get('content-length')
  if (announced !== null) {
    if (Number(announced) > maxBytes) throw tooLarge(maxBytes)
    // Node ends a body at its announced length, so counting is not needed, and `text()` is faster than the stream.
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

/** Returns the body's bytes, or null when there are more than `maxBytes`; the rest is then not read. */
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

/** Returns whether a body is too large to be read to its end. Without this check Node would read it to keep the connection. */
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
