import { Hono } from 'hono'
import type { Mount } from '../kernel/mount.ts'
import { env } from 'cloudflare:workers'
import { isEnabled } from '../kernel/env.ts'
import { ApiError } from '../kernel/errors.ts'

interface AssetServer {
  fetch(request: Request): Promise<Response>
}

const MOUNT = '/_app/assets'

/** `/_app/assets`: GET `/*path` gives what everyone may see; the worker beside the bucket decides what that is. */
const routes = new Hono().get('/*', async (c) => {
  const server = env['ASSET_SERVER'] as AssetServer | undefined
  if (server === undefined || !isEnabled('assets'))
    throw new ApiError(
      'not_enabled',
      'The capability assets is off. Switch it on for this project and ship again.',
    )
  const address = new URL(c.req.url)
  address.pathname = address.pathname.slice(MOUNT.length)
  const headers = new Headers()
  for (const name of ['range', 'if-range', 'if-none-match']) {
    const value = c.req.header(name)
    if (value !== undefined) headers.set(name, value)
  }
  return await server.fetch(new Request(address, { headers }))
})

export const mount: Mount = { routes }
