/** What a class of the shims worker asks of this process. */
export interface ShimCall {
  /** What the binding was made with; written by this process, never by an app. */
  props: Record<string, unknown>
  method: string
  path: string
  headers: Headers
  bytes(): Promise<Uint8Array>
}

/** Who answers, by the product the class asks for. */
export type ShimDesk = Record<string, (call: ShimCall) => Response | Promise<Response>>

const PROPS_HEADER = 'slipway-props'

/** Source of the module every class uses to ask. */
export const askSource = `
export function ask(entrypoint, product, path, init = {}) {
  const headers = new Headers(init.headers)
  headers.set('${PROPS_HEADER}', encodeURIComponent(JSON.stringify(entrypoint.ctx.props)))
  return entrypoint.env.WORLD.fetch('http://' + product + path, { ...init, headers })
}
`

interface AskedRequest {
  url: string
  method: string
  headers: Iterable<[string, string]>
  arrayBuffer(): Promise<ArrayBuffer>
}

/** Finds who answers a request of the shims worker. */
export async function answerShim(desk: ShimDesk, request: AskedRequest): Promise<Response> {
  const url = new URL(request.url)
  const headers = new Headers([...request.headers])
  const props = JSON.parse(decodeURIComponent(headers.get(PROPS_HEADER) ?? '{}')) as ShimCall['props']
  const answer = desk[url.hostname]
  if (answer === undefined) return new Response(null, { status: 404 })
  return answer({
    props,
    method: request.method,
    path: url.pathname + url.search,
    headers,
    bytes: async () => new Uint8Array(await request.arrayBuffer()),
  })
}
