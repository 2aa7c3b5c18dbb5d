import { Hono } from 'hono'
import { authenticate } from '../authenticate.ts'
import { type Github, type GithubEnv, GithubFailure } from '../context.ts'
import { orderedFaults } from '../faults.ts'
import { applicationRoutes } from './applications.ts'
import { peopleRoutes } from './people.ts'
import { RateLimit } from './rate-limit.ts'
import { repositoryRoutes } from './repositories.ts'

/** The provider's REST API, mounted at /github/api/v3. */
export function apiRoutes(github: Github): Hono<GithubEnv> {
  const rateLimit = new RateLimit(github)
  const api = new Hono<GithubEnv>()
    .route('/applications', applicationRoutes(github))
    .use(authenticate(github))
    .use(rateLimit.count)
    .use(orderedFaults(github))
    .get('/rate_limit', (c) => {
      const core = rateLimit.stateOf(c.get('viewer').user.id)
      return c.json({ resources: { core }, rate: core })
    })
    .route('/', peopleRoutes(github))
    .route('/repos/:owner/:repository', repositoryRoutes(github))
  // Not notFound(): of a mounted app Hono asks only the outermost for that.
  api.all('*', (c) => {
    c.set('isUnimplemented', true)
    throw new GithubFailure(404, 'Not Found')
  })
  return api
}
