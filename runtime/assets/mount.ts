import { Hono } from 'hono'
import type { Mount } from '../kernel/mount.ts'
import { env } from 'cloudflare:workers'
import { isEnabled } from '../kernel/env.ts'
import { ApiError } from '../kernel/errors.ts'
import { callerOf } from '../kernel/session.ts'
import { askAuth } from '../auth/live.ts'
import { VIEWER_HEADER } from './viewer.ts'

interface AssetServer {
  fetch(request: Request): Promise<Response>
}

const MOUNT = '/_app/assets'

/** `/_app/assets`: GET `/*path` gives what its sender may see; the worker beside the bucket decides what that is. */
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
  const answer = await server.fetch(new Request(address, { headers }))
  // Most assets are public: only what is not found for a visitor costs a look at the session.
  if (answer.status !== 404 || !(await isMember(c.req.raw))) return answer
  headers.set(VIEWER_HEADER, 'member')
  return await server.fetch(new Request(address, { headers }))
})

async function isMember(request: Request): Promise<boolean> {
  const caller = callerOf(request)
  return typeof caller !== 'string' && (await askAuth('me', caller)) !== null
}

export const mount: Mount = { routes }
