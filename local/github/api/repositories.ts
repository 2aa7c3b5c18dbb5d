import { Hono } from 'hono'
import type { Context } from 'hono'
import * as z from 'zod'
import { actsFor } from '../accounts.ts'
import { type Github, type GithubEnv, GithubFailure, notFound, unprocessable } from '../context.ts'
import { type ObjectReader, isMissing, ObjectReader as Reader } from '../git/objects.ts'
import { readRefs } from '../git/refs.ts'
import { gitdirOf, mayWrite, type Repository, requireRepository, updateRepository } from '../repositories.ts'
import { commitShape, contentShape } from './git-shapes.ts'
import { requestedPage } from './page.ts'
import { githubBaseUrl, repositoryShape } from './shapes.ts'

const Change = z.looseObject({
  name: z.string().optional(),
  description: z.string().max(350).nullish(),
  private: z.boolean().optional(),
  visibility: z.enum(['public', 'private']).optional(),
  default_branch: z.string().optional(),
})

const COMMITS_MAX = 10_000

/** Mounted at `/repos/:owner/:repository`. */
export function repositoryRoutes(github: Github): Hono<GithubEnv> {
  const app = new Hono<GithubEnv>()
  const openRepository = (
    c: Context<GithubEnv>,
  ): { repository: Repository; gitdir: string; reader: ObjectReader } => {
    const path = { owner: c.req.param('owner') ?? '', name: c.req.param('repository') ?? '' }
    const repository = requireRepository(github, path, c.get('viewer'))
    const gitdir = gitdirOf(github, repository)
    return { repository, gitdir, reader: new Reader(gitdir) }
  }
  app.get('/', (c) => {
    const { repository } = openRepository(c)
    const isOwn = actsFor(github.store, c.get('viewer').user.id, repository.owner.id)
    return c.json(repositoryShape(githubBaseUrl(c), repository, isOwn))
  })
  app.patch('/', async (c) => {
    // Read the body before the repository: reading is asynchronous, so another change may be stored meanwhile.
    const read = Change.safeParse(await c.req.json().catch(() => null))
    const { repository, gitdir } = openRepository(c)
    if (!mayWrite(github, c.get('viewer'), repository)) throw notFound()
    if (!read.success) throw new GithubFailure(422, 'Validation Failed')
    const { name, description, visibility, default_branch: branch } = read.data
    if (name !== undefined && name !== repository.name)
      throw unprocessable('Repository', 'name', 'custom', 'this code host does not rename repositories')
    if (branch !== undefined && !readRefs(gitdir).has(`refs/heads/${branch}`))
      throw unprocessable('Repository', 'default_branch', 'invalid', `The branch ${branch} was not found`)
    const isPrivate = visibility === undefined ? read.data.private : visibility === 'private'
    const changed = updateRepository(github, repository, {
      ...(description === undefined ? {} : { description }),
      ...(isPrivate === undefined ? {} : { isPrivate }),
      ...(branch === undefined ? {} : { defaultBranch: branch }),
    })
    return c.json(repositoryShape(githubBaseUrl(c), changed))
  })
  app.get('/branches', (c) => {
    const branches = [...readRefs(openRepository(c).gitdir)].filter(([name]) =>
      name.startsWith('refs/heads/'),
    )
    return c.json(
      requestedPage(c, branches).map(([name, sha]) => branchShape(name.slice('refs/heads/'.length), sha)),
    )
  })
  app.get('/branches/:branch{.+}', (c) => {
    const name = c.req.param('branch')
    const sha = readRefs(openRepository(c).gitdir).get(`refs/heads/${name}`)
    if (sha === undefined) throw new GithubFailure(404, 'Branch not found')
    return c.json(branchShape(name, sha))
  })
  app.get('/commits', async (c) => {
    const { repository, gitdir, reader } = openRepository(c)
    const start = resolveCommit(gitdir, c.req.query('sha') ?? repository.defaultBranch)
    if (start === null)
      throw readRefs(gitdir).size === 0 ? new GithubFailure(409, 'Git Repository is empty.') : notFound()
    const base = `${githubBaseUrl(c)}/${repository.owner.login}/${repository.name}`
    const shas = requestedPage(c, await listHistory(reader, await reader.peel(start)))
    return c.json(await Promise.all(shas.map((sha) => commitShape(reader, base, sha))))
  })
  app.get('/git/ref/:ref{.+}', async (c) => {
    const ref = `refs/${c.req.param('ref')}`
    const { gitdir, reader } = openRepository(c)
    const sha = readRefs(gitdir).get(ref)
    if (sha === undefined) throw notFound()
    return c.json({ ref, object: { type: (await reader.read(sha)).type, sha } })
  })
  const readContents = async (c: Context<GithubEnv>, path: string) => {
    const { repository, gitdir, reader } = openRepository(c)
    const start = resolveCommit(gitdir, c.req.query('ref') ?? repository.defaultBranch)
    if (start === null) throw notFound()
    return c.json(await contentShape(reader, start, path))
  }
  app.get('/contents', (c) => readContents(c, ''))
  // The provider's own client sends the slash when the path is empty.
  app.get('/contents/', (c) => readContents(c, ''))
  app.get('/contents/:path{.+}', (c) => readContents(c, c.req.param('path')))
  app.onError((error) => {
    throw isMissing(error) ? notFound() : error
  })
  return app
}

const branchShape = (name: string, sha: string) => ({ name, commit: { sha }, protected: false })

/** Returns the object id of the branch or tag `name`, or `name` itself when it is an object id; else null. */
function resolveCommit(gitdir: string, name: string): string | null {
  const refs = readRefs(gitdir)
  const known = refs.get(`refs/heads/${name}`) ?? refs.get(`refs/tags/${name}`)
  return known ?? (/^[0-9a-f]{40}$/.test(name) ? name : null)
}

/** Lists commits, newest first. Follows only first parents. */
async function listHistory(reader: ObjectReader, start: string): Promise<string[]> {
  const shas: string[] = []
  for (let oid: string | undefined = start; oid !== undefined && shas.length < COMMITS_MAX;) {
    shas.push(oid)
    const parsed = await reader.read(oid)
    oid = parsed.type === 'commit' ? parsed.object.parent[0] : undefined
  }
  return shas
}
