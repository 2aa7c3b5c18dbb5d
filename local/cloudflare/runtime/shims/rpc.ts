/** A call of a shim class to this process. */
export interface RpcCall {
  /** Props of the binding; written by this process, never by an app. */
  props: Record<string, unknown>
  method: string
  path: string
  headers: Headers
  bytes(): Promise<Uint8Array>
}

/** Handlers by the name of the product. */
export type RpcHandlers = Record<string, (call: RpcCall) => Response | Promise<Response>>

const PROPS_HEADER = 'slipway-props'

/** Source of the module with which shim classes call this process. */
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

/** Passes a request of the shims worker to the handler of its product. Responds with 404 when there is none. */
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

/** The worker with the shim classes, one per group that needs it. */
export const SHIMS_WORKER = '_shims'

/** A class that stands in for a product's binding. */
export interface Shim {
  /** The name it is exported under. */
  className: string
  /** Source of its module; it may import `ask` from './ask.js'. */
  source: string
}
