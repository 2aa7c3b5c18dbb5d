import { randomUUID } from 'node:crypto'
import type { Context as HonoContext, Hono } from 'hono'
import type { Core } from '../core.ts'
import type { CallerFields, Kernel, RememberResponse, RequestFields } from './context.ts'
import { authorize } from './access.ts'
import { clientAddress } from './address.ts'
import { readBody } from './body.ts'
import type { Caller } from './caller.ts'
import {
  type BytesResponse,
  type Endpoint,
  JsonStream,
  RawJson,
  type SseBytes,
  type SseMessage,
} from './endpoint.ts'
import { failure, GUARD_HEADERS, retryAfter, successStream, successText, toApiError } from './envelope.ts'
import { ApiError } from './errors.ts'
import { idempotencyKey, runOnce } from './idempotency.ts'
import { identify } from './identify/identify.ts'
import { counterKey } from './limits/counters.ts'
import type { Limits } from './limits/limits.ts'
import { requirePoliciesOf } from './organization-policies.ts'
import { sseResponse } from './sse.ts'
import { declaredQuery, validate } from './validate.ts'

/** The stable prefix and its older alias (docs/glossary.md#api-prefixes). */
const API_PREFIXES = ['/api/v1', '/api'] as const

/** The values that the Node server passes with every request; absent when a test calls the app directly. */
export interface Bindings {
  incoming?: { socket: { remoteAddress?: string } }
  outgoing?: { once(event: 'close', listener: () => void): unknown }
}
type HttpApp = Hono<{ Bindings: Bindings }>

/**
 * Registers every endpoint. Literal segments come before parameters, because Hono uses the first route that matches. Throws when an
 * endpoint needs a part of the service that `platform` lacks.
 */
export function mount<Parts extends Kernel>(
  app: HttpApp,
  endpoints: Endpoint[],
  platform: Parts,
  limits: Limits,
): void {
  const trusted = platform.config.trustedProxies
  for (const endpoint of endpoints.toSorted(bySpecificity)) {
    const pattern = endpoint.rest === true ? `${endpoint.path}{.+}` : endpoint.path
    const paths = endpoint.at === 'root' ? [pattern] : API_PREFIXES.map((prefix) => prefix + pattern)
    const names = [...CORE_PORTS, ...portNamesOf(endpoint, platform)]
    for (const path of paths) {
      app.on(endpoint.method, path, (c) =>
        serveEndpoint(endpoint, withPorts(requestOf(c, trusted), platform, names), c, {
          kernel: platform,
          limits,
        }),
      )
      if (endpoint.kind === 'status') app.all(path, (c) => emptyResponse(404, requestIdOf(c.req.raw.headers)))
    }
  }
}

const CORE_PORTS: readonly (keyof Core)[] = ['db', 'clock', 'log']

/** Returns the names of the parts of the service that the endpoint declares. Throws when `platform` lacks one. */
function portNamesOf<Parts extends object>(
  { route, needs }: Endpoint,
  platform: Parts,
): (keyof Parts & string)[] {
  const isPort = (name: string): name is keyof Parts & string => name in platform
  return needs.map((name) => {
    if (!isPort(name)) throw new Error(`${route} needs ${name}, which the service lacks`)
    return name
  })
}

/**
 * Adds the parts of the service in `names` to the context of the request. `names` are those of `Core` and those that
 * the endpoint declares, so its handler can use no other parts.
 */
function withPorts<Parts extends Core>(
  request: RequestScope,
  platform: Parts,
  names: readonly (keyof Parts)[],
): ScopedCore {
  const scoped = request as RequestScope & Parts
  const ports: Parts = scoped
  for (const name of names) ports[name] = platform[name]
  return scoped
}

/** Sorts a literal segment before a parameter at the first segment where two routes differ. */
export function bySpecificity(a: { path: string }, b: { path: string }): number {
  const sortKey = (path: string) => path.replaceAll(/:\w+/g, '\u{10ffff}')
  return sortKey(a.path) < sortKey(b.path) ? -1 : 1
}

/**
 * The part of the context that belongs to one request. It is a class, because a getter in an object literal
 * would give each object its own hidden class in V8.
 */
class RequestScope implements RequestFields {
  readonly requestId: string
  readonly address: string
  readonly #request: Request
  readonly #outgoing: Bindings['outgoing']
  #clientLeft: AbortController | undefined

  constructor(request: Request, address: string, outgoing: Bindings['outgoing']) {
    this.requestId = requestIdOf(request.headers)
    this.address = address
    this.#request = request
    this.#outgoing = outgoing
  }

  /**
   * The signal is created on first use, because only streams need it. It listens to the connection, because
   * using the request's own signal would create one more object per request.
   */
  get signal(): AbortSignal {
    if (this.#clientLeft !== undefined) return this.#clientLeft.signal
    this.#clientLeft = new AbortController()
    const leave = () => this.drop()
    if (this.#outgoing === undefined) this.#request.signal.addEventListener('abort', leave, { once: true })
    else this.#outgoing.once('close', leave)
    return this.#clientLeft.signal
  }

  /** Whether `error` was thrown because the client disconnected, which aborted `signal`. */
  isDisconnection(error: unknown): boolean {
    return this.#clientLeft?.signal.aborted === true && error instanceof Error && error.name === 'AbortError'
  }

  /** Called when the response is no longer needed, so that the source of a stream stops. */
  drop(): void {
    this.#clientLeft?.abort()
  }
}
type ScopedCore = RequestScope & Core

export function requestOf(c: HonoContext<{ Bindings: Bindings }>, trusted: string[]): RequestScope {
  const request = c.req.raw
  const socket = c.env?.incoming?.socket.remoteAddress ?? '127.0.0.1'
  return new RequestScope(request, clientAddress(socket, request.headers, trusted), c.env?.outgoing)
}

/** Returns the request id that the caller sent when it is harmless in headers and logs, or else a new one. */
export function requestIdOf(headers: Headers): string {
  const given = headers.get('x-request-id')
  return given !== null && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : randomUUID()
}

async function serveEndpoint(
  endpoint: Endpoint,
  ctx: ScopedCore,
  c: HonoContext<{ Bindings: Bindings }>,
  { kernel, limits }: { kernel: Kernel; limits: Limits },
): Promise<Response> {
  const request = c.req.raw
  const { address } = ctx
  try {
    await limits.address(address)
    if (endpoint.refusesKeys === true && request.headers.has('authorization'))
      throw new ApiError('forbidden', 'No API key reaches this route: send no Authorization header.')
    const caller =
      endpoint.scope === 'public'
        ? null
        : await identifyAndAuthorize(endpoint, kernel, { request, address, limits })
    const recheck =
      caller === null
        ? null
        : () => identifyAndAuthorize(endpoint, kernel, { request, address, limits: null })
    const { limit } = endpoint
    const countAgainstLimit = async () => {
      if (limit !== undefined)
        await limits.route(limit, { address, caller, path: pathWithValues(endpoint, c) })
    }
    if (limit !== undefined && limit.countedBy !== 'handler') await countAgainstLimit()
    const query =
      endpoint.query === undefined
        ? undefined
        : validate(endpoint.query, declaredQuery(new URL(request.url), endpoint.query), 'query')
    const body = await readBody(endpoint, request, caller?.kind === 'session' ? 'session' : 'other')
    const signedIn: (Core & CallerFields) | null = caller === null ? null : Object.assign(ctx, { caller })
    const runEndpoint = async () =>
      endpoint.handle({
        ctx: signedIn ?? ctx,
        params: paramsOf(c),
        query,
        body,
        request,
        spend: countAgainstLimit,
        requirePolicies: (ids) => requirePoliciesOf(kernel, { request, address }, ids),
      })
    const key = endpoint.idempotent === true ? idempotencyKey(request) : null
    if (key !== null && signedIn !== null) {
      const handleAndRemember = (remember: RememberResponse) => {
        signedIn.remember = remember
        return runEndpoint().then(dataText)
      }
      // Hashes a long path: a caller may send an id that is too long for the index of the stored keys.
      const path = counterKey(pathWithValues(endpoint, c))
      return successText(await runOnce(signedIn, { path, key, body }, handleAndRemember), ctx.requestId)
    }
    const result = await runEndpoint()
    // A HEAD response has no body, so the stream is not opened.
    if (result instanceof JsonStream && request.method !== 'HEAD')
      return await successStream(result.pieces, ctx.requestId, (error) => logFailure(error, endpoint, ctx))
    const response = responseOf(endpoint, result, ctx, recheck)
    // A HEAD response has no body. Cancelling the body releases an upstream response.
    if (request.method === 'HEAD') await response.body?.cancel()
    return response
  } catch (thrown) {
    // The client has gone and receives no response. Without this, the log would report an internal error each time that a page is reloaded.
    const error = ctx.isDisconnection(thrown)
      ? new ApiError('unavailable', 'The client disconnected.', { cause: thrown })
      : thrown
    const isPage = request.headers.get('accept')?.includes('text/html') === true
    if (endpoint.refused !== undefined && isPage && !request.headers.has('authorization')) {
      const known = toApiError(error)
      if (known.status >= 500) logFailure(error, endpoint, ctx)
      return emptyResponse(302, ctx.requestId, { location: endpoint.refused(known, ctx, c.req.param()) })
    }
    return respondWithError(error, endpoint, ctx)
  }
}

/**
 * Identifies the caller and checks the caller's access, in the same order for all routes. Called before the input is
 * validated, so a caller without access learns nothing about the expected input.
 */
async function identifyAndAuthorize(
  endpoint: Endpoint,
  kernel: Kernel,
  attempt: { request: Request; address: string; limits: Limits | null },
): Promise<Caller> {
  const identity = await identify(kernel, attempt.request, kernel.clock.now(), endpoint)
  await authorize({ ...attempt, endpoint, identity, kernel })
  return identity.caller
}

function paramsOf(c: HonoContext): Record<string, string> {
  const params: Record<string, string> = c.req.param()
  for (const value of Object.values(params))
    if (value.includes('\0')) throw new ApiError('not_found', 'No such resource.')
  return params
}

/**
 * Returns the path without its API prefix and with decoded parameters, so that all spellings of a URL share one rate
 * limit and one Idempotency-Key.
 */
const pathWithValues = (endpoint: Endpoint, c: HonoContext) =>
  endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => c.req.param(name) ?? '')

const dataText = (result: unknown) =>
  result instanceof RawJson ? result.text : JSON.stringify(result ?? null)

function emptyResponse(status: number, requestId: string, headers: Record<string, string> = {}): Response {
  // Without this header Node sends an empty chunked body, for which simple clients wait. A 204 must not have this header.
  const length: Record<string, string> = status === 204 ? {} : { 'content-length': '0' }
  return new Response(null, {
    status,
    headers: { ...GUARD_HEADERS, ...headers, ...length, 'x-request-id': requestId },
  })
}

function responseOf(
  endpoint: Endpoint,
  result: unknown,
  ctx: ScopedCore,
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
      const { body, contentType, headers, status = 200 } = result as BytesResponse
      return new Response(body, {
        status,
        headers: { ...GUARD_HEADERS, ...headers, 'content-type': contentType, 'x-request-id': ctx.requestId },
      })
    }
    case 'redirect':
      return emptyResponse(302, ctx.requestId, { location: result as string })
    case 'status':
      return emptyResponse(result as number, ctx.requestId)
  }
}

/** Logs an unexpected error. It is not called for a refusal with a 4xx, which the response explains completely. */
function logFailure(error: unknown, endpoint: Endpoint, ctx: Core & RequestFields): void {
  const place = { requestId: ctx.requestId, route: endpoint.route }
  if (error instanceof ApiError) ctx.log.warn({ err: error, ...place }, 'a request failed')
  else ctx.log.error({ err: toApiError(error).cause ?? error, ...place }, 'a request failed')
}

function respondWithError(error: unknown, endpoint: Endpoint, ctx: Core & RequestFields): Response {
  const known = toApiError(error)
  if (known.status >= 500) logFailure(error, endpoint, ctx)
  if (endpoint.kind === 'status') return emptyResponse(known.status, ctx.requestId, retryAfter(known))
  return failure(known, ctx.requestId)
}

/**
 * Returns the last frame of a stream that fails after it opened: the reader gets an `error` frame instead of
 * a closed connection.
 */
function terminalFrame(error: unknown, endpoint: Endpoint, ctx: Core & RequestFields): SseMessage {
  const known = toApiError(error)
  if (known.status < 500)
    return {
      data: JSON.stringify({ type: 'error', kind: known.code, message: known.message, retryable: false }),
    }
  logFailure(error, endpoint, ctx)
  const kind = known.code === 'unavailable' ? 'unavailable' : 'server_error'
  return { data: JSON.stringify({ type: 'error', kind, message: known.message, retryable: true }) }
}
