import type { Response } from 'undici'
import { fetchFromHost } from '../../world/fetch-from-host.ts'

/**
 * The worker that receives every outbound request of an app. When a request fails, it throws an error with the cause, because
 * the runtime's network service reports refused addresses and unknown hosts alike, as an internal error. The binding
 * `CAUSE` calls `unreachableCause` for the host.
 */
export const egressSource = `
const isApp = (url) => url.hostname.endsWith('.localhost') || url.hostname === 'localhost'
export default {
  async fetch(request, env) {
    const url = new URL(request.url)
    const port = url.port || (url.protocol === 'https:' ? '443' : '80')
    const mark = env.STAND_INS[url.hostname]
    const isStoodIn = mark !== undefined && (request.headers.get('authorization') ?? '').includes(mark)
    if (isStoodIn || env.ALLOWED.includes(url.hostname + ':' + port) || (isApp(url) && port === env.APPS_PORT && url.hostname !== 'localhost')) {
      return env.HOST.fetch(request)
    }
    try {
      return await env.PUBLIC.fetch(request)
    } catch (error) {
      const cause = await (await env.CAUSE.fetch(url.origin)).text()
      throw new Error('Could not reach ' + url.host + '. ' + (cause || error.message), { cause: error })
    }
  },
}
`

/** The largest body of a request and of its response. Both are held in the memory of the local cloud, which all apps share. */
const BODY_BYTES_MAX = 32 * 1024 * 1024

// The maximum number of apps that a request may pass through, which ends a loop between apps.
const MAX_HOPS = 16
const HOPS_HEADER = 'slipway-hops'

/** Headers about one connection, which `fetch` sets itself. `fetch` refuses a request with some of them. */
const CONNECTION_HEADERS = [
  'host',
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

/** A local program that handles the requests for a provider. */
interface StandIn {
  answer: (request: Request) => Promise<Response>
  /** A string in the Authorization header that marks a request for the stand-in. All other requests reach the real provider. */
  mark: string
}

/** Stand-ins by the host name of the real provider. */
export type StandIns = ReadonlyMap<string, StandIn>

interface OutboundRequest {
  url: string
  method: string
  headers: Iterable<[string, string]>
  body: AsyncIterable<Uint8Array> | null
}

export interface OutboundResponse {
  status: number
  headers: [string, string][]
  body: Uint8Array<ArrayBuffer> | null
}

/** Sends a request of an app to another app, to a stand-in, or to an address that the operator allowed. */
export async function fetchForApp(request: OutboundRequest, standIns: StandIns): Promise<OutboundResponse> {
  const headers = new Map(request.headers)
  const hops = Number(headers.get(HOPS_HEADER) ?? '0') + 1
  if (hops > MAX_HOPS) return { status: 508, headers: [], body: null }
  headers.set(HOPS_HEADER, String(hops))
  for (const name of CONNECTION_HEADERS) headers.delete(name)
  const url = new URL(request.url)
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
  const sent = hasBody ? await readBody(request.body) : null
  if (sent === 'too large') return { status: 413, headers: [], body: null }
  const init = {
    method: request.method,
    headers: [...headers],
    redirect: 'manual' as const,
    ...(sent !== null && { body: sent }),
  }
  const standIn = standIns.get(url.hostname)
  const response =
    standIn === undefined ? await fetchFromHost(url, init) : await standIn.answer(new Request(url, init))
  // `fetch` has decoded the body, so its original length and encoding are wrong.
  const passed = [...response.headers].filter(
    ([name]) => !/^(?:content-(?:encoding|length)|transfer-encoding)$/.test(name),
  )
  const isBodyless = [101, 204, 205, 304].includes(response.status)
  const body = await readBody(response.body)
  if (body === 'too large') return { status: 502, headers: [], body: null }
  return { status: response.status, headers: passed, body: isBodyless ? null : body }
}

/** Reads a body, and stops after `BODY_BYTES_MAX` bytes. */
async function readBody(
  body: AsyncIterable<Uint8Array> | null,
): Promise<Uint8Array<ArrayBuffer> | 'too large'> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > BODY_BYTES_MAX) return 'too large'
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
