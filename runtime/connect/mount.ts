import { type Context, Hono } from 'hono'
import { succeed } from '../kernel/worker/envelope.ts'
import { ApiError } from '../kernel/errors.ts'
import { readJson } from '../kernel/access/guard.ts'
import type { Mount } from '../kernel/worker/mount.ts'
import { sessionOf } from '../kernel/access/session.ts'
import { manifest } from '../manifest.gen.ts'
import { callConnect } from './rpc-client.ts'

/**
 * The routes of `/_app/connect`, for people who are signed in: GET `/`, GET `/:provider/start` and `/:provider/callback`, POST
 * `/:provider/key`, DELETE `/:provider`. No response contains a token or a key.
 */
const connectRoutes = new Hono()
  .get('/', async (c) => succeed(await callConnect('list', { session: sessionIn(c) })))
  .get('/:provider/start', async (c) => {
    const { id: provider, scopes = null } = specOf(c)
    const returnTo = c.req.query('returnTo') ?? '/'
    const session = sessionIn(c)
    // A browser opens this address by a link, so redirect instead of returning an error in JSON.
    if (session === '') return redirectTo('/sign-in')
    const { origin } = new URL(c.req.url)
    const { url } = await callConnect('start', { session, provider, scopes, origin, returnTo })
    return redirectTo(url)
  })
  .get('/:provider/callback', async (c) => {
    const [state, code] = [c.req.query('state') ?? '', c.req.query('code') ?? '']
    const { id: provider } = specOf(c)
    const { to } = await callConnect('finish', { session: sessionIn(c), provider, state, code })
    return redirectTo(to)
  })
  .post('/:provider/key', async (c) => {
    const { key } = await readJson(c.req.raw)
    return succeed(await callConnect('saveKey', { session: sessionIn(c), provider: specOf(c).id, key }))
  })
  .delete('/:provider', async (c) => {
    // A service that is no longer declared can still be unlinked.
    const provider = c.req.param('provider')
    return succeed(await callConnect('unlink', { session: sessionIn(c), provider }))
  })

const sessionIn = (c: Context): string => sessionOf(c.req.raw) ?? ''

function specOf(c: Context) {
  const spec = manifest.providers?.find(({ id }) => id === c.req.param('provider'))
  if (spec === undefined) throw new ApiError('not_found', 'This app connects to no such service.')
  return spec
}

const redirectTo = (location: string): Response =>
  new Response(null, { status: 302, headers: { location, 'cache-control': 'no-store' } })

export const mount: Mount = { routes: connectRoutes }
