import type * as z from 'zod'
import type { Core } from '../core.ts'
import type { CallerFields, RequestFields } from './context.ts'
import type { Scope } from './scopes.ts'
import type { ApiError, ErrorCode } from './errors.ts'

/**
 * The access that an endpoint requires: an API key with this scope or a session; any key or session (`any`); only a
 * session of a browser; or nothing (`public`).
 */
export type EndpointAccess = Scope | 'any' | 'session' | 'public'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Route = `${Method} /${string}`

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never
export type Params<R extends string> = { [K in ParamNames<R>]: string }

/** JSON text that another program, such as Postgres, produced. It becomes part of the response without being parsed. */
export class RawJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/**
 * JSON text that is too long to be kept in memory, as pieces that are produced while the client reads them. Throw an
 * error before yielding the first piece: a later error can only truncate the response.
 */
export class JsonStream {
  readonly pieces: AsyncIterable<string>
  constructor(pieces: AsyncIterable<string>) {
    this.pieces = pieces
  }
}

/** One server-sent event. `data` is one JSON object, and `id` lets a client resume after this event. */
export interface SseMessage {
  id?: string
  data: string
}

/** A server-sent event that was encoded once for all streams that receive it. */
export interface SseBytes {
  readonly bytes: Uint8Array
}

/**
 * A response without the JSON envelope, for files and exports. A stream that fails after its head was sent
 * ends early, without an error code.
 */
export interface BytesResponse {
  body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | string
  contentType: string
  headers?: Record<string, string>
  /** 206 and 416 are for requests with a `Range` header. The default is 200. */
  status?: 200 | 206 | 416
}

/**
 * The rate limit of a route, in addition to the general limits. Routes with the same counter name share a limit. With
 * `path` each URL path has its own limit.
 */
export interface RouteLimit {
  counter: string
  per: 'address' | 'user' | 'organization' | 'path'
  perMinute: number
  /**
   * By default the HTTP layer (`kernel`) counts every request before its handler runs. With `handler` a
   * request counts only when the handler calls `spend`, for example after it has verified a signature.
   */
  countedBy?: 'kernel' | 'handler'
}

interface CommonDeclaration<Port extends string, R extends Route, A extends EndpointAccess, Q, B> {
  route: R
  /** The parts of the service (ports) that the handler gets in addition to `Core`. The default is none. */
  needs?: readonly Port[]
  scope: A
  role?: 'admin'
  summary: string
  description?: string
  query?: z.ZodType<Q>
  body?: z.ZodType<B>
  /** The accepted types and size of a body that is bytes instead of JSON. */
  rawBody?: { types: readonly string[]; maxBytes: number }
  /**
   * True for an endpoint that a person without an organization may call, too. The caller's `organizationId` and
   * `organizationName` are then empty.
   */
  withoutOrganization?: true
  /** A public route that API keys cannot call: any `Authorization` header causes a 403 (docs/limits.md#credentials). */
  refusesKeys?: true
  /**
   * The error codes in addition to those that every endpoint of this kind may return, such as `not_found` with a path
   * parameter (openapi.ts).
   */
  fails?: readonly ErrorCode[]
  limit?: RouteLimit
  /** Supports `Idempotency-Key`: the handler stores its response with `ctx.remember`. */
  idempotent?: true
  /** With `root` the route has no API prefix, with `api` it has both (/api/v1 and /api). The default is `api`. */
  at?: 'api' | 'root'
  /** The last parameter matches the rest of the path, including slashes. */
  rest?: true
}

/**
 * Checks the caller's session against the policies of further organizations. The policy of the active organization was already checked
 * before the handler was called.
 */
export type RequirePolicies = (organizationIds: readonly string[]) => Promise<void>

export interface Input<Given, R extends string, A extends EndpointAccess, Q, B> {
  ctx: Core & Given & (A extends 'public' ? RequestFields : CallerFields)
  params: Params<R>
  query: Q
  body: B
  /** The request, for raw bodies and headers. A JSON body that the endpoint declares has already been read and is in `body`. */
  request: Request
  /** Counts this request against the route's limit, when the limit is declared as `countedBy: 'handler'`. */
  spend: () => Promise<void>
  requirePolicies: RequirePolicies
}

type HandleRequest<Given, R extends Route, A extends EndpointAccess, Q, B, Out> = (
  input: Input<Given, R, A, Q, B>,
) => Out | Promise<Out>

type PortOf<Ports> = keyof Ports & string

export interface JsonEndpoint<
  Ports,
  Port extends PortOf<Ports>,
  R extends Route,
  A extends EndpointAccess,
  Q,
  B,
  Out,
> extends CommonDeclaration<Port, R, A, Q, B> {
  kind?: 'json'
  returns: z.ZodType<Out>
  handle: HandleRequest<Pick<Ports, Port>, R, A, Q, B, Out | RawJson | JsonStream>
}
export interface SseEndpoint<
  Ports,
  Port extends PortOf<Ports>,
  R extends Route,
  A extends EndpointAccess,
  Q,
  B,
> extends CommonDeclaration<Port, R, A, Q, B> {
  kind: 'sse'
  /** The schema of one event of the stream, for the OpenAPI document. */
  returns: z.ZodType
  handle: HandleRequest<Pick<Ports, Port>, R, A, Q, B, AsyncIterable<SseMessage | SseBytes>>
}
export interface BytesEndpoint<
  Ports,
  Port extends PortOf<Ports>,
  R extends Route,
  A extends EndpointAccess,
  Q,
  B,
> extends CommonDeclaration<Port, R, A, Q, B> {
  kind: 'bytes'
  contentType: string
  handle: HandleRequest<Pick<Ports, Port>, R, A, Q, B, BytesResponse>
}
export interface RedirectEndpoint<
  Ports,
  Port extends PortOf<Ports>,
  R extends Route,
  A extends EndpointAccess,
  Q,
  B,
> extends CommonDeclaration<Port, R, A, Q, B> {
  kind: 'redirect'
  /** Returns the URL to which the browser is redirected. The HTTP layer does not validate this URL. */
  handle: HandleRequest<Pick<Ports, Port>, R, A, Q, B, string>
  /** Returns the page to which a browser is redirected when its request is refused. Other clients get the JSON error instead. */
  refused?: (
    error: ApiError,
    ctx: Core & Pick<Ports, Port> & RequestFields,
    params: Record<string, string>,
  ) => string
}

/** An endpoint that responds with a status and never with a body. For every other method on its path the response is a 404. */
export interface StatusEndpoint<
  Ports,
  Port extends PortOf<Ports>,
  R extends Route,
  A extends EndpointAccess,
  Q,
> extends Omit<CommonDeclaration<Port, R, A, Q, unknown>, 'body' | 'rawBody' | 'idempotent'> {
  kind: 'status'
  /** The statuses that the handler may return, with their meaning. Errors are thrown as in other endpoints. */
  statuses: Readonly<Record<number, string>>
  /** The schema of the body, for the API documents only: the handler reads the bytes itself, because a signature covers them. */
  sends?: z.ZodType
  /** The header with the signature that the caller sends instead of credentials. The handler verifies the signature. */
  signedBy?: string
  handle: HandleRequest<Pick<Ports, Port>, R, A, Q, undefined, number>
}

/** An endpoint without the type parameters of its declaration, so that one list can hold all endpoints. */
export interface Endpoint {
  route: Route
  needs: readonly string[]
  method: Method
  path: string
  kind: 'json' | 'sse' | 'bytes' | 'redirect' | 'status'
  scope: EndpointAccess
  role?: 'admin' | undefined
  withoutOrganization?: true | undefined
  refusesKeys?: true | undefined
  name: string
  tag: string
  summary: string
  description?: string | undefined
  query?: z.ZodType | undefined
  body?: z.ZodType | undefined
  rawBody?: { types: readonly string[]; maxBytes: number } | undefined
  returns?: z.ZodType | undefined
  contentType?: string | undefined
  statuses?: Readonly<Record<number, string>> | undefined
  sends?: z.ZodType | undefined
  signedBy?: string | undefined
  fails: readonly ErrorCode[]
  limit?: RouteLimit | undefined
  idempotent?: true | undefined
  at: 'api' | 'root'
  rest?: true | undefined
  refused?:
    | ((error: ApiError, ctx: Core & RequestFields, params: Record<string, string>) => string)
    | undefined
  handle: (input: {
    ctx: Core & RequestFields
    params: Record<string, string>
    query: unknown
    body: unknown
    request: Request
    spend: () => Promise<void>
    requirePolicies: RequirePolicies
  }) => unknown
}

/** An endpoint before `group` has added its name and tag. */
export type DeclaredEndpoint = Omit<Endpoint, 'name' | 'tag'>

/**
 * Declares one endpoint. Its route, validation, access, response format, OpenAPI entry, routes.md, SDK method
 * and contract tests are all derived from this value. `Ports` is a type parameter, because the HTTP layer
 * does not know the parts of the service that handlers use; `server/endpoint.ts` passes their type.
 */
export interface DeclareEndpoint<Ports> {
  <
    const R extends Route,
    const A extends EndpointAccess,
    Out,
    Port extends PortOf<Ports> = never,
    Q = unknown,
    B = unknown,
  >(
    spec: JsonEndpoint<Ports, Port, R, A, Q, B, Out>,
  ): DeclaredEndpoint
  <
    const R extends Route,
    const A extends EndpointAccess,
    Port extends PortOf<Ports> = never,
    Q = unknown,
    B = unknown,
  >(
    spec:
      | SseEndpoint<Ports, Port, R, A, Q, B>
      | BytesEndpoint<Ports, Port, R, A, Q, B>
      | RedirectEndpoint<Ports, Port, R, A, Q, B>
      | StatusEndpoint<Ports, Port, R, A, Q>,
  ): DeclaredEndpoint
}

export function declareEndpoint(spec: object): DeclaredEndpoint {
  const declared = spec as DeclaredEndpoint
  const [method, path] = declared.route.split(' ') as [Method, string]
  return {
    ...declared,
    method,
    path,
    needs: declared.needs ?? [],
    kind: declared.kind ?? 'json',
    fails: declared.fails ?? [],
    at: declared.at ?? 'api',
  }
}

/**
 * Gives the endpoints of one section of the API their names and their tag. The name is the property name; it becomes
 * the operationId and the name of the SDK method. The tag is the section in the documentation.
 */
export function group(tag: string, endpoints: Record<string, DeclaredEndpoint>): Endpoint[] {
  return Object.entries(endpoints).map(([name, declared]) => ({ ...declared, name, tag }))
}
