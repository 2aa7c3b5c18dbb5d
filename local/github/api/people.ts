import { Hono } from 'hono'
import * as z from 'zod'
import { actsFor, type GithubAccount, findAccount, listOrganizations } from '../accounts.ts'
import { requireScope } from '../authenticate.ts'
import {
  type Github,
  type GithubEnv,
  GithubFailure,
  notFound,
  unprocessable,
  type Viewer,
} from '../context.ts'
import { createRepository, listRepositories } from '../repositories.ts'
import { requestedPage } from './page.ts'
import { accountShape, githubBaseUrl, repositoryShape } from './shapes.ts'

const NewRepository = z.looseObject({
  name: z.string(),
  description: z.string().max(350).nullish(),
  private: z.boolean().default(false),
  visibility: z.enum(['public', 'private']).optional(),
})

export function peopleRoutes(github: Github): Hono<GithubEnv> {
  const { store } = github
  const app = new Hono<GithubEnv>()
  app.get('/user', (c) => {
    const { user } = c.get('viewer')
    return c.json({ ...accountShape(githubBaseUrl(c), user), name: user.name, email: null })
  })
  app.get('/user/orgs', (c) => {
    const base = githubBaseUrl(c)
    return c.json(
      requestedPage(c, listOrganizations(store, c.get('viewer').user.id)).map((org) =>
        accountShape(base, org),
      ),
    )
  })
  app.get('/user/repos', (c) => {
    const base = githubBaseUrl(c)
    return c.json(
      requestedPage(c, listRepositories(github, c.get('viewer'))).map((one) => repositoryShape(base, one)),
    )
  })
  const createFromBody = async (viewer: Viewer, owner: GithubAccount, body: unknown) => {
    const read = NewRepository.safeParse(body)
    if (!read.success) {
      const field = String(read.error.issues[0]?.path[0] ?? 'name')
      throw unprocessable('Repository', field, 'invalid', `${field} is missing or wrong`)
    }
    const { name, description, visibility } = read.data
    const isPrivate = visibility === undefined ? read.data.private : visibility === 'private'
    if (isPrivate) requireScope(viewer, 'repo')
    return createRepository(github, owner, { name, description: description ?? null, isPrivate })
  }
  app.post('/user/repos', async (c) => {
    requireScope(c.get('viewer'), 'repo', 'public_repo')
    const made = await createFromBody(
      c.get('viewer'),
      c.get('viewer').user,
      await c.req.json().catch(() => null),
    )
    return c.json(repositoryShape(githubBaseUrl(c), made), 201)
  })
  app.post('/orgs/:organization/repos', async (c) => {
    requireScope(c.get('viewer'), 'repo', 'public_repo')
    const organization = findAccount(store, c.req.param('organization'))
    if (organization === null || organization.type !== 'Organization') throw notFound()
    if (!actsFor(store, c.get('viewer').user.id, organization.id))
      throw new GithubFailure(403, 'You need to be a member of this organization.')
    const made = await createFromBody(c.get('viewer'), organization, await c.req.json().catch(() => null))
    return c.json(repositoryShape(githubBaseUrl(c), made), 201)
  })
  return app
}
