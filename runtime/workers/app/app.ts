import { Hono } from 'hono'
import { CAPABILITY_KEYS } from '../../capabilities.ts'
import { manifest, manifestHash } from '../../manifest.gen.ts'
import { MOUNTS } from '../../mounts.ts'
import {
  assetsBinding,
  isEnabled,
  isStandalone,
  release,
  requireEnabled,
  requireLive,
  tier,
} from '../../kernel/worker/env.ts'
import { errorResponse, succeed } from '../../kernel/worker/envelope.ts'
import { ApiError } from '../../kernel/errors.ts'
import { gateId, refuseWithoutAccessCode } from '../../kernel/pages/gate.ts'
import { hasSafeMethod, limitBody, requireOwnOrigin } from '../../kernel/access/guard.ts'
import { requireGuard } from '../../guard/protect.ts'
import { recordOrigin } from '../../kernel/worker/own-origins.ts'
import { logPageError } from '../../kernel/pages/page-errors.ts'
import { previewScript, withReporter } from '../../kernel/pages/preview.ts'
import { withSecurityHeaders } from '../../kernel/pages/security.ts'
import { fieldsOf } from '../../kernel/fields.ts'

export function createApp(routeModule: object): { fetch(request: Request): Promise<Response> } {
  const own = routesOf(routeModule)
  const app = new Hono()
  app.onError((error, c) => errorResponse(error, c.req.path))
  app.get('/_app/health', () =>
    succeed({ status: 'ok', release: release(), manifest: manifestHash, gate: gateId() }),
  )
  app.get('/_app/config', () =>
    succeed({
      name: manifest.name,
      tier: tier(),
      capabilities: CAPABILITY_KEYS.filter((key) => isEnabled(key)),
    }),
  )
  app.post('/_app/error', (c) => logPageError(c.req.raw))
  if (tier() === 'preview') app.get('/_app/preview.js', () => previewScript())
  for (const [key, { routes }] of Object.entries(MOUNTS)) {
    // Check first whether the capability is on. Its routes could otherwise reject a request for another reason, or respond without calling
    // a Durable Object, which also checks this.
    app.use(`/_app/${key}/*`, async (_, next) => {
      requireEnabled(key)
      await next()
    })
    app.route(`/_app/${key}`, routes)
  }
  app.all('/_app/*', (c) => errorResponse(new ApiError('not_found', 'No such address.'), c.req.path))
  // The routes that the app itself declares have no error handler, so an ApiError that they throw is handled
  // here.
  if (own !== null) app.route('/api', own)
  app.all('/api/*', (c) => errorResponse(new ApiError('not_found', 'No such address.'), c.req.path))
  app.all('*', (c) => serveFile(c.req.raw))

  return {
    async fetch(request) {
      try {
        recordOrigin(request)
        await announceOnce()
        requireOwnOrigin(request)
        const refusal = await refuseWithoutAccessCode(request)
        if (refusal !== null) return withSecurityHeaders(refusal)
        await requireGuard(request)
        return withSecurityHeaders(await app.fetch(isStream(request) ? request : await limitBody(request)))
      } catch (error) {
        return withSecurityHeaders(errorResponse(error, new URL(request.url).pathname))
      }
    },
  }
}

const STREAM_PATHS = Object.values(MOUNTS).flatMap((one) => one.isStream ?? [])

/** Returns whether the routes of a capability stream the body and limit it themselves. */
function isStream(request: Request): boolean {
  // Checked first, because most requests are reads.
  if (hasSafeMethod(request)) return false
  const { pathname } = new URL(request.url)
  return STREAM_PATHS.some((accepts) => accepts(request.method, pathname))
}

let ongoingAnnouncement: Promise<void> | null = null

/**
 * Sends this release's schedules to the live worker with the first request. Only in an app that was deployed with plain wrangler: for all
 * other apps, the service sends the schedules when it deploys the app.
 */
function announceOnce(): Promise<void> | null {
  if (!isStandalone() || manifest.schedules === undefined || !isEnabled('schedule')) return null
  ongoingAnnouncement ??= requireLive('schedule')
    .prepare(manifestHash, manifest)
    .catch((error: unknown) => {
      ongoingAnnouncement = null
      throw error
    })
  return ongoingAnnouncement
}

function routesOf(routeModule: object): Hono | null {
  const { routes, default: main } = fieldsOf(routeModule)
  const found = routes ?? main
  return found !== null && typeof found === 'object' && 'fetch' in found ? (found as Hono) : null
}

async function serveFile(request: Request): Promise<Response> {
  const files = assetsBinding()
  if (files === null) throw new ApiError('not_found', 'No such address.')
  const response = await files.fetch(request)
  if (isHashed(request, response)) return cacheForever(response)
  // Status 304: the browser has the page already. A response without a body cannot be given one.
  if (response.body === null) return response
  return tier() === 'preview' ? withReporter(response) : withOrigin(request, response)
}

/** Adds the origin to the address of the page's preview picture, because most sites that show link previews ignore a relative address. */
async function withOrigin(request: Request, response: Response): Promise<Response> {
  if (response.headers.get('content-type')?.startsWith('text/html') !== true) return response
  const html = await response.text()
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  const { origin } = new URL(request.url)
  return new Response(
    html.replace(/(property="og:image" content=")(?=\/)/, (start) => start + origin),
    { status: response.status, headers },
  )
}

/**
 * Returns whether the file may be cached forever: its name contains a hash of its content. For a missing file, the response is the app's
 * HTML page, which must not be cached.
 */
const isHashed = (request: Request, { status, headers }: Response): boolean =>
  status === 200 &&
  /^\/assets\/main-[0-9a-f]{10}\.\w+$/.test(new URL(request.url).pathname) &&
  headers.get('content-type')?.startsWith('text/html') === false

function cacheForever(response: Response): Response {
  const copy = new Response(response.body, response)
  // For an app with an access code, only the visitor's own browser may cache the response.
  copy.headers.set(
    'cache-control',
    `${gateId() === null ? 'public' : 'private'}, max-age=31536000, immutable`,
  )
  return copy
}
