import { Hono } from 'hono'
import type { Platform } from './platform.ts'
import type { Endpoint } from './http/endpoint.ts'
import { hasLargeBody } from './http/body.ts'
import { failure, GUARDED, toApiError } from './http/envelope.ts'
import { ApiError } from './http/errors.ts'
import type { Limits } from './http/limits.ts'
import { type Bindings, mount, requestContext, requestIdOf } from './http/mount.ts'

/** The entry points that are no endpoints of the table: sign-in and the pages. */
export interface EntryPoints {
  /** The auth library behind its gate; answers everything under /api/auth. */
  auth(request: Request, address: string, limits: Limits): Promise<Response>
  /** Documentation and console, or null when this address is not one of their pages. */
  page(request: Request): Promise<Response | null>
}

/** Endpoint table in, web application out. Pure: it opens nothing and starts nothing. */
export function createApp(
  platform: Platform,
  endpoints: Endpoint[],
  limits: Limits,
  entryPoints: EntryPoints,
) {
  const app = new Hono<{ Bindings: Bindings }>()
  if (new URL(platform.config.baseUrl).protocol === 'https:')
    app.use('*', async (c, next) => {
      await next()
      // Not for subdomains: they may be other services of the operator's.
      c.header('strict-transport-security', 'max-age=31536000')
    })
  app.all('/api/auth/*', async (c) => {
    const ctx = requestContext(c, platform, platform.config.trustedProxies)
    await limits.address(ctx.address)
    // As the library reads it: with /./ and /../ resolved.
    await limits.credentials(ctx.address, new URL(c.req.url).pathname)
    const answer = await entryPoints.auth(c.req.raw, ctx.address, limits)
    return withRequestId(guarded(answer), ctx.requestId)
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

/** An answer of the library with what it does not set itself. */
function guarded(answer: Response): Response {
  const headers = new Headers(answer.headers)
  for (const [name, value] of Object.entries(GUARDED)) if (!headers.has(name)) headers.set(name, value)
  return new Response(answer.body, { status: answer.status, headers })
}

function withRequestId(answer: Response, requestId: string): Response {
  const headers = new Headers(answer.headers)
  headers.set('x-request-id', requestId)
  return new Response(answer.body, { status: answer.status, headers })
}
