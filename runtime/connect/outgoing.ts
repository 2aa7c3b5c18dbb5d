import { ApiError, invalid } from '../kernel/errors.ts'
import type { ConnectProvider } from './settings.ts'
import type { OutgoingRequest } from './types.ts'
import { fieldsOf } from '../kernel/fields.ts'

const TIMEOUT_MS = 30_000
const BODY_BYTES_MAX = 5 * 1024 * 1024
const METHOD_PATTERN = /^[A-Z]{3,7}$/

/** Request headers that the app may not set: they would replace the credential or redirect the request. */
const FORBIDDEN_HEADERS =
  /^(authorization|proxy-.*|cookie|host|connection|forwarded|x-forwarded-.*|cf-.*|content-length)$/i
/** Response headers that may contain a credential of the connection, which the app must not see. */
const HIDDEN_HEADERS = [
  'set-cookie',
  'set-cookie2',
  'authorization',
  'www-authenticate',
  'authentication-info',
]

/** Returns the full address of a path of a service's API. Throws for a path outside the API's base address. */
export function apiUrl(apiBase: string, path: unknown): URL {
  const base = new URL(apiBase.endsWith('/') ? apiBase : `${apiBase}/`)
  const refused = invalid('path', 'must be a path below the API of the service, like /user')
  // Reject backslashes, which browsers and servers treat as slashes, and tabs and line breaks, which they ignore.
  if (typeof path !== 'string' || !/^\/(?!\/)[^\\\s]*$/.test(path)) throw refused
  const address = base.href.slice(0, -1) + path
  const url = URL.canParse(address) ? new URL(address) : null
  if (url?.origin !== base.origin || !url.pathname.startsWith(base.pathname)) throw refused
  // Look for `..` in the decoded path, because a server may decode an encoded slash and then resolve `..`.
  if (/(^|[\\/])\.\.([\\/]|$)/.test(decodePath(url.pathname))) throw refused
  url.hash = ''
  return url
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/**
 * Sends a request to a service. Returns the response without headers that contain a credential. Throws `unavailable` when the service does
 * not respond.
 */
export async function sendWithToken(
  provider: ConnectProvider,
  token: string,
  { method, path, headers: given, body }: OutgoingRequest,
): Promise<Response> {
  const url = apiUrl(provider.apiBase, path)
  if (!METHOD_PATTERN.test(method)) throw invalid('method', 'must be a method of HTTP')
  if ((body?.byteLength ?? 0) > BODY_BYTES_MAX) throw invalid('body', 'is larger than 5 MiB')
  const own = (provider.kind === 'apiKey' && provider.header) || 'authorization'
  const headers = new Headers(given.filter(([name]) => !FORBIDDEN_HEADERS.test(name)))
  if (!headers.has('user-agent')) headers.set('user-agent', 'Slipway app')
  headers.set(own, own === 'authorization' ? `Bearer ${token}` : token)
  let answer: Response
  try {
    answer = await fetch(url, {
      method,
      headers,
      body,
      // Following a redirect would send the credential to another host.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
  } catch {
    // Leave out the cause, which may contain parts of the request.
    throw new ApiError('unavailable', `${provider.id} does not respond. Try again later.`)
  }
  const shown = new Headers(answer.headers)
  for (const name of [...HIDDEN_HEADERS, own]) shown.delete(name)
  return new Response(answer.body, { status: answer.status, headers: shown })
}

/** Returns whether the service rejected the token itself: by the error in the body, or by a 401 without an error code. */
export async function refusesToken(
  { tokenErrors }: Pick<ConnectProvider, 'tokenErrors'>,
  answer: Response,
): Promise<boolean> {
  const error = tokenErrors && (await errorInBody(answer))
  return typeof error === 'string' ? tokenErrors?.test(error) === true : answer.status === 401
}

/** Returns the error code in a short JSON body (Slack: `error`, Dropbox: `error['.tag']`). The body can be read again. */
async function errorInBody(answer: Response): Promise<unknown> {
  if (!/json/i.test(answer.headers.get('content-type') ?? '')) return null
  const reader = answer.clone().body?.getReader()
  try {
    // An error body fits in the first chunk. A longer body is a result: its first chunk is not valid JSON, and the rest is not read.
    const { ok, error } = fieldsOf(JSON.parse(new TextDecoder().decode((await reader?.read())?.value)))
    if (ok === true) return null
    return typeof error === 'string' ? error : fieldsOf(error)['.tag']
  } catch {
    return null
  } finally {
    // Do not await: `cancel` possibly settles only after the other branch of the tee is read.
    reader?.cancel().catch(() => undefined)
  }
}
