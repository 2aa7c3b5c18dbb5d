import { randomUUID } from 'node:crypto'
import type { Context as HonoContext, Hono } from 'hono'
import type { Context, Platform, RequestContext } from '../platform.ts'
import { authorize } from './access.ts'
import { clientAddress } from './address.ts'
import { readBody } from './body.ts'
import type { Caller } from './caller.ts'
import {
  type BytesAnswer,
  type Endpoint,
  JsonStream,
  JsonText,
  type SseBytes,
  type SseMessage,
} from './endpoint.ts'
import { failure, GUARDED, retryAfter, successStream, successText, toApiError } from './envelope.ts'
import { ApiError } from './errors.ts'
import { idempotencyKey, type Remember, runOnce } from './idempotency.ts'
import { identify } from './identify.ts'
import type { Limits } from './limits.ts'
import { sseResponse } from './sse.ts'
import { queryOf, validate } from './validate.ts'

/** The stable contract, and the older prefix that still resolves (spec, Versioning). */
const PREFIXES = ['/api/v1', '/api'] as const

/** What the Node server hands to every request; absent when a test calls the app directly. */
export interface Bindings {
  incoming?: { socket: { remoteAddress?: string } }
  outgoing?: { once(event: 'close', listener: () => void): unknown }
}
type App = Hono<{ Bindings: Bindings }>

/** Registers every endpoint, literal segments before parameters, since Hono matches in order. */
export function mount(app: App, endpoints: Endpoint[], platform: Platform, limits: Limits): void {
  const trusted = platform.config.trustedProxies
  for (const endpoint of endpoints.toSorted(bySpecificity)) {
    const pattern = endpoint.rest === true ? `${endpoint.path}{.+}` : endpoint.path
    const paths = endpoint.at === 'root' ? [pattern] : PREFIXES.map((prefix) => prefix + pattern)
    for (const path of paths) {
      app.on(endpoint.method, path, (c) => serve(endpoint, requestContext(c, platform, trusted), c, limits))
      if (endpoint.kind === 'status') app.all(path, (c) => bare(404, requestIdOf(c.req.raw.headers)))
    }
  }
}

/** Literal before parameter at the first segment where two routes differ. */
export function bySpecificity(a: { path: string }, b: { path: string }): number {
  const rank = (path: string) => path.replaceAll(/:\w+/g, '\u{10ffff}')
  return rank(a.path) < rank(b.path) ? -1 : 1
}

/** What is a request's own; the getter belongs to the class, since one per object would give each its own shape. */
class RequestScope implements Omit<RequestContext, keyof Platform> {
  readonly requestId: string
  readonly address: string
  readonly #request: Request
  readonly #outgoing: Bindings['outgoing']
  #left: AbortController | undefined

  constructor(request: Request, address: string, outgoing: Bindings['outgoing']) {
    this.requestId = requestIdOf(request.headers)
    this.address = address
    this.#request = request
    this.#outgoing = outgoing
  }

  /**
   * Made when somebody asks: only streams do, and every request would pay for it. The connection itself is listened
   * to: the signal of a request is one more request that is made for it.
   */
  get signal(): AbortSignal {
    if (this.#left !== undefined) return this.#left.signal
    this.#left = new AbortController()
    const leave = () => this.drop()
    if (this.#outgoing === undefined) this.#request.signal.addEventListener('abort', leave, { once: true })
    else this.#outgoing.once('close', leave)
    return this.#left.signal
  }

  /** Ends what works for the answer when this side no longer wants it. */
  drop(): void {
    this.#left?.abort()
  }
}
type Scoped = RequestScope & Platform

export function requestContext(
  c: HonoContext<{ Bindings: Bindings }>,
  platform: Platform,
  trusted: string[],
): Scoped {
  const request = c.req.raw
  const socket = c.env?.incoming?.socket.remoteAddress ?? '127.0.0.1'
  const address = clientAddress(socket, request.headers, trusted)
  return Object.assign(new RequestScope(request, address, c.env?.outgoing), platform)
}

/** A caller's own id is kept for correlation when it is harmless in headers and logs. */
export function requestIdOf(headers: Headers): string {
  const given = headers.get('x-request-id')
  return given !== null && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : randomUUID()
}

async function serve(
  endpoint: Endpoint,
  ctx: Scoped,
  c: HonoContext<{ Bindings: Bindings }>,
  limits: Limits,
): Promise<Response> {
  const request = c.req.raw
  try {
    await limits.address(ctx.address)
    if (endpoint.refusesKeys === true && request.headers.has('authorization'))
      throw new ApiError('forbidden', 'No API key reaches this route: send no Authorization header.')
    const caller = endpoint.scope === 'public' ? null : await admit(endpoint, ctx, request, limits)
    const recheck = caller === null ? null : () => admit(endpoint, ctx, request, null)
    const { limit } = endpoint
    const spend = async () => {
      if (limit !== undefined)
        await limits.route(limit, { address: ctx.address, caller, path: concretePath(endpoint, c) })
    }
    if (limit !== undefined && limit.countedBy !== 'handler') await spend()
    const query =
      endpoint.query === undefined
        ? undefined
        : validate(endpoint.query, queryOf(new URL(request.url), endpoint.query), 'query')
    const body = await readBody(endpoint, request, caller?.kind === 'session' ? 'session' : 'other')
    const signedIn: Context | null = caller === null ? null : Object.assign(ctx, { caller })
    const handle = async () =>
      endpoint.handle({ ctx: signedIn ?? ctx, params: paramsOf(c), query, body, request, spend })
    const key = endpoint.idempotent === true ? idempotencyKey(request) : null
    if (key !== null && signedIn !== null) {
      const run = (remember: Remember) => {
        signedIn.remember = remember
        return handle().then(dataText)
      }
      const path = concretePath(endpoint, c)
      return successText(await runOnce(signedIn, { path, key, body }, run), ctx.requestId)
    }
    const result = await handle()
    // The body of an answer to HEAD is never read, so nothing may be opened for it.
    if (result instanceof JsonStream && request.method !== 'HEAD')
      return await successStream(result.pieces, ctx.requestId, (error) => logFailure(error, endpoint, ctx))
    const answer = respond(endpoint, result, ctx, recheck)
    // Nobody reads it, so what stands behind it (another server's answer) has to be told.
    if (request.method === 'HEAD') await answer.body?.cancel()
    return answer
  } catch (error) {
    const isPage = request.headers.get('accept')?.includes('text/html') === true
    if (endpoint.refused !== undefined && isPage && !request.headers.has('authorization'))
      return bare(302, ctx.requestId, { location: endpoint.refused(toApiError(error), ctx, c.req.param()) })
    return refuse(error, endpoint, ctx)
  }
}

/** Authentication and every check that comes before the input is looked at, in one order for all routes. */
async function admit(
  endpoint: Endpoint,
  ctx: RequestContext,
  request: Request,
  limits: Limits | null,
): Promise<Caller> {
  const identity = await identify(ctx, request, ctx.clock.now())
  await authorize({ endpoint, identity, request, ctx, limits })
  return identity.caller
}

function paramsOf(c: HonoContext): Record<string, string> {
  const params: Record<string, string> = c.req.param()
  for (const value of Object.values(params))
    if (value.includes('\0')) throw new ApiError('not_found', 'No such resource.')
  return params
}

/** The path below the prefixes, made of the decoded parameters: one resource is one, however it is spelled. */
const concretePath = (endpoint: Endpoint, c: HonoContext) =>
  endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => c.req.param(name) ?? '')

const dataText = (result: unknown) =>
  result instanceof JsonText ? result.text : JSON.stringify(result ?? null)

/** An answer without a body. */
function bare(status: number, requestId: string, headers: Record<string, string> = {}): Response {
  // Otherwise it goes out as a chunked body of no chunks, which simple clients wait for; 204 must not have one.
  const length: Record<string, string> = status === 204 ? {} : { 'content-length': '0' }
  return new Response(null, {
    status,
    headers: { ...GUARDED, ...headers, ...length, 'x-request-id': requestId },
  })
}

function respond(
  endpoint: Endpoint,
  result: unknown,
  ctx: Scoped,
  recheck: (() => Promise<unknown>) | null,
): Response {
  switch (endpoint.kind) {
    case 'json':
      return successText(dataText(result), ctx.requestId)
    case 'sse':
      return sseResponse(result as AsyncIterable<SseMessage | SseBytes>, {
        requestId: ctx.requestId,
        recheck,
        onLeft: () => ctx.drop(),
        onError: (error) => terminalFrame(error, endpoint, ctx),
      })
    case 'bytes': {
      const { body, contentType, headers, status = 200 } = result as BytesAnswer
      return new Response(body, {
        status,
        headers: { ...GUARDED, ...headers, 'content-type': contentType, 'x-request-id': ctx.requestId },
      })
    }
    case 'redirect':
      return bare(302, ctx.requestId, { location: result as string })
    case 'status':
      return bare(result as number, ctx.requestId)
  }
}

/** What was refused on purpose says so itself; only what nobody expected is an error of the service. */
function logFailure(error: unknown, endpoint: Endpoint, ctx: RequestContext): void {
  const place = { requestId: ctx.requestId, route: endpoint.route }
  if (error instanceof ApiError) ctx.log.warn({ err: error, ...place }, 'a request failed')
  else ctx.log.error({ err: toApiError(error).cause ?? error, ...place }, 'a request failed')
}

function refuse(error: unknown, endpoint: Endpoint, ctx: RequestContext): Response {
  const known = toApiError(error)
  if (known.status >= 500) logFailure(error, endpoint, ctx)
  if (endpoint.kind === 'status') return bare(known.status, ctx.requestId, retryAfter(known))
  return failure(known, ctx.requestId)
}

/** A stream that breaks after it opened ends with one `error` frame instead of silence. */
function terminalFrame(error: unknown, endpoint: Endpoint, ctx: RequestContext): SseMessage {
  const known = toApiError(error)
  if (known.status < 500)
    return {
      data: JSON.stringify({ type: 'error', kind: known.code, message: known.message, retryable: false }),
    }
  logFailure(error, endpoint, ctx)
  const kind = known.code === 'unavailable' ? 'unavailable' : 'server_error'
  return { data: JSON.stringify({ type: 'error', kind, message: known.message, retryable: true }) }
}
