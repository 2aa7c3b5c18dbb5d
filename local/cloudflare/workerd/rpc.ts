import * as z from 'zod'

/** A call from an internal worker to this Node process. */
export interface RpcCall {
  /**
   * The props of the app's binding through which the call came. Only the local cloud sets them, so they can
   * be trusted.
   */
  props: Record<string, unknown>
  method: string
  path: string
  headers: Headers
  bytes(): Promise<Uint8Array>
}

export type RpcHandlers = Record<string, (call: RpcCall) => Response | Promise<Response>>

const PROPS_HEADER = 'slipway-props'
const Props = z.record(z.string(), z.unknown())

/** The source of the module `./ask.js`, with which an internal worker calls this process. */
export const askSource = `
export function ask(entrypoint, product, path, init = {}) {
  const headers = new Headers(init.headers)
  headers.set('${PROPS_HEADER}', encodeURIComponent(JSON.stringify(entrypoint.ctx.props)))
  return entrypoint.env.HOST.fetch('http://' + product + path, { ...init, headers })
}
`

interface ForwardableRequest {
  url: string
  method: string
  headers: Iterable<[string, string]>
  arrayBuffer(): Promise<ArrayBuffer>
}

/** Calls the handler of the product whose name is the host of the URL. Responds with 404 when no product has that name. */
export async function handleRpc(handlers: RpcHandlers, request: ForwardableRequest): Promise<Response> {
  const url = new URL(request.url)
  const headers = new Headers([...request.headers])
  const props = Props.parse(JSON.parse(decodeURIComponent(headers.get(PROPS_HEADER) ?? '{}')))
  const handle = handlers[url.hostname]
  if (handle === undefined) return new Response(null, { status: 404 })
  return handle({
    props,
    method: request.method,
    path: url.pathname + url.search,
    headers,
    bytes: async () => new Uint8Array(await request.arrayBuffer()),
  })
}

export const SHIMS_WORKER = '_shims'

export interface Shim {
  className: string
  /** The source of the class. It may import `ask` from './ask.js' to call this process. */
  source: string
}
