import { isTooDeep } from '../depth.ts'
import { ApiError, invalid } from '../errors.ts'
import { isFields } from '../fields.ts'

const BODY_BYTES_MAX = 1024 * 1024
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

export const hasSafeMethod = ({ method }: Request): boolean => SAFE_METHODS.has(method)

/** Throws for a write or a WebSocket that a page of another site started. Browsers always send `Origin` in these cases. */
export function requireOwnOrigin(request: Request): void {
  const isUpgrade = request.headers.get('upgrade')?.toLowerCase() === 'websocket'
  if (hasSafeMethod(request) && !isUpgrade) return
  const origin = request.headers.get('origin')
  if (origin === null) return
  // Compare hosts instead of origins, because behind a TLS proxy the worker sees another scheme.
  const isOwn = URL.canParse(origin) && new URL(origin).host === new URL(request.url).host
  if (!isOwn) throw new ApiError('forbidden', 'This request came from another site.')
}

/** Throws when the body exceeds 1 MiB, or `maxBytes`. Reads a body without a length header to measure it. */
export async function limitBody(request: Request, maxBytes = BODY_BYTES_MAX): Promise<Request> {
  if (hasSafeMethod(request)) return request
  const length = request.headers.get('content-length')
  // Workers never read more of a body than its length header says, so the header can be trusted.
  if (length !== null && Number(length) <= maxBytes) return request
  if (request.body === null) return request
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let sizeBytes = 0
  for await (const chunk of request.body as ReadableStream & AsyncIterable<Uint8Array<ArrayBuffer>>) {
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes)
      throw new ApiError('invalid_request', `body: is larger than ${sizeText(maxBytes)}`)
    chunks.push(chunk)
  }
  const { method, headers } = request
  return new Request(request.url, { method, headers, body: new Blob(chunks) })
}

const sizeText = (bytes: number): string =>
  bytes < BODY_BYTES_MAX ? `${bytes / 1024} KiB` : `${bytes / BODY_BYTES_MAX} MiB`

/** Returns the query parameters that are present. Throws when one of them occurs twice. */
export function queryIn<Name extends string>(
  address: string,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const { searchParams } = new URL(address)
  const given: Partial<Record<Name, string>> = {}
  for (const name of names) {
    const [value, again] = searchParams.getAll(name)
    if (again !== undefined) throw invalid(name, 'must be given once')
    if (value !== undefined) given[name] = value
  }
  return given
}

/** Throws when the body is not a JSON object, or a field is nested more than 100 levels deep. */
export async function readJson(request: Request): Promise<Record<string, unknown>> {
  let value: unknown
  try {
    value = await request.json()
  } catch {
    throw new ApiError('invalid_request', 'body: is not JSON', { field: 'body' })
  }
  if (!isFields(value)) throw new ApiError('invalid_request', 'body: must be an object', { field: 'body' })
  if (Object.values(value).some((item) => isTooDeep(item)))
    throw new ApiError('invalid_request', 'body: is nested too deeply', { field: 'body' })
  return value
}

/**
 * Reads the body of a request to the admin worker. Its fields are not validated here: only the service can sign such a request, and it
 * sends what its own routes have validated or what another admin worker returned.
 */
export const readServiceBody = <Body extends object>(request: Request): Promise<Body> =>
  readJson(request) as Promise<Body>
