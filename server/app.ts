import { Hono } from 'hono'
import { routePath } from 'hono/route'
import type { Platform } from './platform.ts'
import type { Endpoint } from './http/endpoint.ts'
import { hasLargeBody } from './http/body.ts'
import { failure, GUARD_HEADERS, toApiError } from './http/envelope.ts'
import { ApiError } from './http/errors.ts'
import type { Limits } from './http/limits/limits.ts'
import { type Bindings, mount, requestOf, requestIdOf } from './http/mount.ts'

/** Routes outside the endpoint table. The checks of endpoints (scopes, policies) do not run before these routes. */
export interface EntryPoints {
  /** Handles every request under /api/auth: runs the checks of `guardAuthRequest`, then calls the auth library. */
  auth(request: Request, address: string, limits: Limits): Promise<Response>
  /** Returns a page of the documentation or the console, or null when neither has a page at this address. */
  page(request: Request): Promise<Response | null>
}

/** Builds the web application from the endpoint table. Opens no port and starts no background work. */
export function createApp(
  platform: Platform,
  endpoints: Endpoint[],
  limits: Limits,
  entryPoints: EntryPoints,
) {
  const app = new Hono<{ Bindings: Bindings }>()
  const { metrics } = platform
  if (metrics !== null)
    app.use('*', async (c, next) => {
      const began = performance.now()
      await next()
      const labels = { method: c.req.method, route: routeLabel(routePath(c)), code: c.res.status }
      metrics.request(labels, (performance.now() - began) / 1000)
    })
  if (new URL(platform.config.baseUrl).protocol === 'https:')
    app.use('*', async (c, next) => {
      await next()
      // No `includeSubDomains`: subdomains may be other services of the operator.
      c.header('strict-transport-security', 'max-age=31536000')
    })
  app.all('/api/auth/*', async (c) => {
    const ctx = requestOf(c, platform.config.trustedProxies)
    await limits.address(ctx.address)
    // The path as the auth library parses it: with /./ and /../ resolved.
    await limits.credentials(ctx.address, new URL(c.req.url).pathname)
    const response = await entryPoints.auth(c.req.raw, ctx.address, limits)
    return withRequestId(withGuardHeaders(response), ctx.requestId)
  })
  mount(app, endpoints, platform, limits)
  app.notFound(async (c) => {
    const requestId = requestIdOf(c.req.raw.headers)
    const isPage = (c.req.method === 'GET' || c.req.method === 'HEAD') && !/^\/api(\/|$)/.test(c.req.path)
    const page = isPage ? await entryPoints.page(c.req.raw) : null
    if (page !== null) return withRequestId(page, requestId)
    const refused = failure(new ApiError('not_found', `No route ${c.req.method} ${c.req.path}.`), requestId)
    if (hasLargeBody(c.req.raw)) refused.headers.set('connection', 'close')
    return refused
  })
  app.onError((error, c) => {
    const requestId = requestIdOf(c.req.raw.headers)
    const known = toApiError(error)
    if (known.status >= 500) platform.log.error({ err: known.cause ?? known, requestId })
    return failure(known, requestId)
  })
  return app
}

/**
 * Returns the declared path of a route, without its prefix, as a metric label. Requested paths are never
 * labels, because their number is unlimited.
 */
const routeLabel = (path: string): string =>
  path === '/*' ? 'other' : path.replace(/^\/api\/(?!auth)(v1\/)?/, '/').replace('{.+}', '')

function withGuardHeaders(response: Response): Response {
  const headers = new Headers(response.headers)
  for (const [name, value] of Object.entries(GUARD_HEADERS)) if (!headers.has(name)) headers.set(name, value)
  return new Response(response.body, { status: response.status, headers })
}

function withRequestId(response: Response, requestId: string): Response {
  const headers = new Headers(response.headers)
  headers.set('x-request-id', requestId)
  return new Response(response.body, { status: response.status, headers })
}
