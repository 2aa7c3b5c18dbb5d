import { Hono } from 'hono'
import { BUILT_KEYS } from '../capabilities.ts'
import { manifest, manifestHash } from '../manifest.gen.ts'
import { MOUNTS } from '../mounts.ts'
import { assets, isEnabled, release, tier } from './env.ts'
import { fail, succeed } from './envelope.ts'
import { ApiError } from './errors.ts'
import { limitBody, requireOwnOrigin } from './guard.ts'
import { previewScript, withReporter } from './preview.ts'
import { secure } from './security.ts'

/** The worker of an app: kernel mounts first, then the app's own routes, then its files. */
export function createApp(routeModule: object): { fetch(request: Request): Promise<Response> } {
  const own = routesOf(routeModule)
  const app = new Hono()
  app.onError((error, c) => fail(error, c.req.path))
  app.get('/_app/health', () => succeed({ status: 'ok', release: release(), manifest: manifestHash }))
  app.get('/_app/config', () =>
    succeed({
      name: manifest.name,
      tier: tier(),
      capabilities: BUILT_KEYS.filter((key) => isEnabled(key)),
    }),
  )
  if (tier() === 'preview') app.get('/_app/preview.js', () => previewScript())
  for (const [key, { routes }] of Object.entries(MOUNTS)) app.route(`/_app/${key}`, routes)
  app.all('/_app/*', (c) => fail(new ApiError('not_found', 'No such address.'), c.req.path))
  // The app's own routes have no error handler, so a thrown ApiError is handled here.
  if (own !== null) app.route('/api', own)
  app.all('/api/*', (c) => fail(new ApiError('not_found', 'No such address.'), c.req.path))
  app.all('*', (c) => serveFile(c.req.raw))

  return {
    async fetch(request) {
      const { pathname } = new URL(request.url)
      try {
        requireOwnOrigin(request)
        const isStream = Object.values(MOUNTS).some((one) => one.isStream?.(request.method, pathname))
        return secure(await app.fetch(isStream ? request : await limitBody(request)))
      } catch (error) {
        return secure(fail(error, pathname))
      }
    },
  }
}

function routesOf(routeModule: object): Hono | null {
  const { routes, default: main } = routeModule as { routes?: unknown; default?: unknown }
  const found = routes ?? main
  return found !== null && typeof found === 'object' && 'fetch' in found ? (found as Hono) : null
}

async function serveFile(request: Request): Promise<Response> {
  const files = assets()
  if (files === null) throw new ApiError('not_found', 'No such address.')
  const response = await files.fetch(request)
  return tier() === 'preview' ? withReporter(response) : response
}
