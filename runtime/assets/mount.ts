import { Hono } from 'hono'
import type { Mount } from '../kernel/worker/mount.ts'
import { env } from 'cloudflare:workers'
import { isEnabled } from '../kernel/worker/env.ts'
import { ApiError } from '../kernel/errors.ts'
import { callerOf } from '../kernel/access/session.ts'
import { callAuth } from '../auth/rpc-client.ts'
import { callPay } from '../pay/rpc-client.ts'
import { PRODUCTS_HEADER, VIEWER_HEADER } from './viewer.ts'

interface AssetServer {
  fetch(request: Request): Promise<Response>
}

const ASSETS_PATH = '/_app/assets'

/**
 * The routes of `/_app/assets`: GET `/*path`. The assets worker, which has the bucket, decides which assets
 * the sender may see.
 */
const assetsRoutes = new Hono().get('/*', async (c) => {
  const server = env['ASSET_SERVER'] as AssetServer | undefined
  if (server === undefined || !isEnabled('assets'))
    throw new ApiError(
      'not_enabled',
      'The capability assets is off. Switch it on for this project and ship again.',
    )
  const address = new URL(c.req.url)
  address.pathname = address.pathname.slice(ASSETS_PATH.length)
  const headers = new Headers()
  for (const name of ['range', 'if-range', 'if-none-match']) {
    const value = c.req.header(name)
    if (value !== undefined) headers.set(name, value)
  }
  const answer = await server.fetch(new Request(address, { headers }))
  // Most assets are public. So request the asset as a visitor first, and check the session only after a 404.
  const caller = callerOf(c.req.raw)
  if (answer.status !== 404 || typeof caller === 'string') return answer
  const { session } = caller
  const [me, products] = await Promise.all([
    callAuth('me', { session, renews: false }),
    boughtProducts(session),
  ])
  if (me === null) return answer
  headers.set(VIEWER_HEADER, 'member')
  headers.set(PRODUCTS_HEADER, products.join(','))
  return await server.fetch(new Request(address, { headers }))
})

/** Returns the ids of the products that the person has bought; empty when the session is not valid. */
async function boughtProducts(session: string): Promise<string[]> {
  if (!isEnabled('pay')) return []
  try {
    return (await callPay('entitlements', { session })).map(({ productId }) => productId)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unauthorized') return []
    throw error
  }
}

export const mount: Mount = { routes: assetsRoutes }
