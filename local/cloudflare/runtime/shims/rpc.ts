export interface RpcCall {
  /** The binding's props. This process writes them, never an app, so they can be trusted. */
  props: Record<string, unknown>
  method: string
  path: string
  headers: Headers
  bytes(): Promise<Uint8Array>
}

export type RpcHandlers = Record<string, (call: RpcCall) => Response | Promise<Response>>

const PROPS_HEADER = 'slipway-props'

export const askSource = `
export function ask(entrypoint, product, path, init = {}) {
  const headers = new Headers(init.headers)
  headers.set('${PROPS_HEADER}', encodeURIComponent(JSON.stringify(entrypoint.ctx.props)))
  return entrypoint.env.HOST.fetch('http://' + product + path, { ...init, headers })
}
`

interface AskedRequest {
  url: string
  method: string
  headers: Iterable<[string, string]>
  arrayBuffer(): Promise<ArrayBuffer>
}

/** Responds with 404 when the product has no handler. */
export async function handleRpc(handlers: RpcHandlers, request: AskedRequest): Promise<Response> {
  const url = new URL(request.url)
  const headers = new Headers([...request.headers])
  const props = JSON.parse(decodeURIComponent(headers.get(PROPS_HEADER) ?? '{}')) as RpcCall['props']
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
  /** May import `ask` from './ask.js'. */
  source: string
}
