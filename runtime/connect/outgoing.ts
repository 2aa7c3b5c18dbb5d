import { ApiError, invalid } from '../kernel/errors.ts'
import type { ConnectProvider } from './settings.ts'
import type { OutgoingRequest } from './types.ts'

const TIMEOUT_MS = 30_000
const BODY_BYTES_MAX = 5 * 1024 * 1024
const METHOD = /^[A-Z]{3,7}$/

/** Headers that would replace the credential or send the request elsewhere. */
const OURS =
  /^(authorization|proxy-.*|cookie|host|connection|forwarded|x-forwarded-.*|cf-.*|content-length)$/i
/** Headers of a response that carry a credential of the connection, which the app must not see. */
const THEIRS = ['set-cookie', 'set-cookie2', 'authorization', 'www-authenticate', 'authentication-info']

/** Returns the address of a path below the API of a service. Throws for a path that leads out of it. */
export function apiUrl(apiBase: string, path: unknown): URL {
  const base = new URL(apiBase.endsWith('/') ? apiBase : `${apiBase}/`)
  const refused = invalid('path', 'must be a path below the API of the service, like /user')
  // Browsers and servers read a backslash as a slash, and drop tabs and line ends.
  if (typeof path !== 'string' || !/^\/(?!\/)[^\\\s]*$/.test(path)) throw refused
  const address = base.href.slice(0, -1) + path
  const url = URL.canParse(address) ? new URL(address) : null
  if (url?.origin !== base.origin || !url.pathname.startsWith(base.pathname)) throw refused
  // A server may decode an encoded slash, and then climb.
  if (/(^|[\\/])\.\.([\\/]|$)/.test(decoded(url.pathname))) throw refused
  url.hash = ''
  return url
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Returns the response without headers that carry a credential. Throws `unavailable` when the service does not respond. */
export async function sendFor(
  provider: ConnectProvider,
  token: string,
  { method, path, headers: given, body }: OutgoingRequest,
): Promise<Response> {
  const url = apiUrl(provider.apiBase, path)
  if (!METHOD.test(method)) throw invalid('method', 'must be a method of HTTP')
  if ((body?.byteLength ?? 0) > BODY_BYTES_MAX) throw invalid('body', 'is larger than 5 MiB')
  const own = (provider.kind === 'apiKey' && provider.header) || 'authorization'
  const headers = new Headers(given.filter(([name]) => !OURS.test(name)))
  if (!headers.has('user-agent')) headers.set('user-agent', 'Slipway app')
  headers.set(own, own === 'authorization' ? `Bearer ${token}` : token)
  let answer: Response
  try {
    answer = await fetch(url, {
      method,
      headers,
      body,
      // A redirect would carry the credential elsewhere.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
  } catch {
    // The cause is not passed on: it may name what was sent.
    throw new ApiError('unavailable', `${provider.id} does not answer. Try again later.`)
  }
  const shown = new Headers(answer.headers)
  for (const name of [...THEIRS, own]) shown.delete(name)
  return new Response(answer.body, { status: answer.status, headers: shown })
}

/** Returns whether a service refused the token itself, by the error in its response or by a 401 that names none. */
export async function refusesToken(
  { tokenErrors }: Pick<ConnectProvider, 'tokenErrors'>,
  answer: Response,
): Promise<boolean> {
  const error = tokenErrors && (await errorIn(answer))
  return typeof error === 'string' ? tokenErrors?.test(error) === true : answer.status === 401
}

/** Returns the error that a short JSON body names (Slack: `error`, Dropbox: its `.tag`). The body can still be read. */
async function errorIn(answer: Response): Promise<unknown> {
  if (!/json/i.test(answer.headers.get('content-type') ?? '')) return null
  const reader = answer.clone().body?.getReader()
  try {
    // An error fits in one piece. A longer body is a result: its first piece does not parse, and the rest is not read.
    const { ok, error } = JSON.parse(new TextDecoder().decode((await reader?.read())?.value)) as {
      ok?: unknown
      error?: string | { '.tag': unknown }
    }
    if (ok === true) return null
    return typeof error === 'object' ? error['.tag'] : error
  } catch {
    return null
  } finally {
    // Not awaited: it may settle only when the other copy is read.
    reader?.cancel().catch(() => undefined)
  }
}
