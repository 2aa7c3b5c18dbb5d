import * as z from 'zod'
import { Hono } from 'hono'
import { authenticate } from '../authenticate.ts'
import { type Github, type GithubEnv, GithubFailure, notFound } from '../context.ts'
import { injectFaults } from '../faults.ts'
import { peopleRoutes } from './people.ts'
import { RateLimit } from './rate-limit.ts'
import { repositoryRoutes } from './repositories.ts'
import { BUILT_IN_CLIENT } from '../../world/ids.ts'
import { deleteToken } from '../tokens.ts'

/** Mounted at /github/api/v3. */
export function apiRoutes(github: Github): Hono<GithubEnv> {
  const rateLimit = new RateLimit(github)
  const api = new Hono<GithubEnv>()
    .route('/applications', applicationRoutes(github))
    .use(authenticate(github))
    .use(rateLimit.count)
    .use(injectFaults(github))
    .get('/rate_limit', (c) => {
      const core = rateLimit.stateOf(c.get('viewer').user.id)
      return c.json({ resources: { core }, rate: core })
    })
    .route('/', peopleRoutes(github))
    .route('/repos/:owner/:repository', repositoryRoutes(github))
  // Do not use `notFound()`: Hono calls its handler only on the outermost app, and this app is mounted in another one.
  api.all('*', (c) => {
    c.set('isUnimplemented', true)
    throw new GithubFailure(404, 'Not Found')
  })
  return api
}

const Body = z.looseObject({ access_token: z.string() })

/** Routes that an OAuth client calls with its own credentials, to revoke a user's token. */
function applicationRoutes(github: Github): Hono<GithubEnv> {
  return new Hono<GithubEnv>().delete('/:client/token', async (c) => {
    const encoded = /^Basic +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
    const client = Buffer.from(encoded, 'base64').toString().split(':', 1)[0]
    if (client !== BUILT_IN_CLIENT) throw new GithubFailure(401, 'Bad credentials')
    const read = Body.safeParse(await c.req.json().catch(() => null))
    if (!read.success) throw new GithubFailure(422, 'access_token is missing')
    if (client !== c.req.param('client') || !deleteToken(github.store, read.data.access_token, client))
      throw notFound()
    return c.body(null, 204)
  })
}
