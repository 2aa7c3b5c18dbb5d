import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { InjectedFailure } from '../faults/apply-faults.ts'
import { seedGithub } from './accounts.ts'
import { apiRoutes } from './api/routes.ts'
import { type Github, type GithubEnv, GithubFailure } from './context.ts'
import { asGithubFailure, injectFaults } from './faults.ts'
import { gitRoutes } from './git/routes.ts'
import { oauthRoutes } from './oauth/routes.ts'

/** The code host, mounted at /github: sign-in, REST API, and git itself. */
export function githubRoutes(github: Github): Hono<GithubEnv> {
  seedGithub(github.store, github.now())
  const app = new Hono<GithubEnv>()
    .use(writeJournal(github))
    .route('/login/oauth', oauthRoutes(github))
    .route('/api/v3', apiRoutes(github))
    .use('/:owner/:repository/git-receive-pack', injectFaults(github))
    .route('/', gitRoutes(github))
  app.onError((error, c) => {
    const failure = error instanceof InjectedFailure ? asGithubFailure(error) : error
    if (failure instanceof GithubFailure) {
      const { message, errors, status, headers } = failure
      const body = { message, ...(errors === undefined ? {} : { errors }), status: String(status) }
      return c.json(body, status as 400, headers)
    }
    github.log.warn('a call to the local code host failed', {
      path: c.req.path,
      error: error.stack ?? String(error),
    })
    return c.json({ message: 'Server Error' }, 500)
  })
  return app
}

function writeJournal(github: Github) {
  return createMiddleware<GithubEnv>(async (c, next) => {
    await next()
    const viewer = (c.var as Partial<GithubEnv['Variables']>).viewer
    github.journal.add({
      at: github.now(),
      provider: 'github',
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      accountId: viewer === undefined ? null : String(viewer.user.id),
      // No digest of the request body: packs are large, and nothing reads this provider's digests.
      bodyDigest: null,
      fault: c.get('fault') ?? null,
      isUnimplemented: c.get('isUnimplemented') ?? false,
    })
  })
}
