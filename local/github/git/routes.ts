import { gunzipSync } from 'node:zlib'
import { Hono } from 'hono'
import type { Context } from 'hono'
import { findSentinel } from '../../faults/sentinels.ts'
import { viewerOf } from '../authenticate.ts'
import type { Github, GithubEnv } from '../context.ts'
import { findRepository, gitdirOf, markPushed, mayWrite, type Repository } from '../repositories.ts'
import { advertise, type GitService } from './advertise.ts'
import { PktError } from './pkt-line.ts'
import { receivePack } from './receive-pack.ts'
import { PackError } from './scan-pack.ts'
import { uploadPack } from './upload-pack.ts'

const BODY_BYTES_MAX = 128 * 1024 * 1024

/** Mounted at /github: `/<owner>/<repository>.git/...`. */
export function gitRoutes(github: Github): Hono<GithubEnv> {
  const app = new Hono<GithubEnv>()
  app.onError((error, c) => {
    if (error instanceof GitRefusal) return c.text(`${error.message}\n`, error.status as 403, error.headers)
    if (error instanceof PktError || error instanceof PackError) return c.text(`${error.message}\n`, 400)
    throw error
  })
  app.get('/:owner/:repository/info/refs', async (c) => {
    const service = c.req.query('service')
    if (service !== 'git-upload-pack' && service !== 'git-receive-pack')
      throw new GitRefusal(403, 'Please upgrade your git client.')
    const repository = openRepository(github, c, service)
    const body = await advertise(gitdirOf(github, repository), service, repository.defaultBranch)
    return c.body(new Uint8Array(body), 200, gitHeaders(`${service}-advertisement`))
  })
  app.post('/:owner/:repository/git-upload-pack', async (c) => {
    const repository = openRepository(github, c, 'git-upload-pack')
    const answer = await uploadPack(gitdirOf(github, repository), await readLimitedBody(c))
    return c.body(answer, 200, gitHeaders('git-upload-pack-result'))
  })
  app.post('/:owner/:repository/git-receive-pack', async (c) => {
    const repository = openRepository(github, c, 'git-receive-pack')
    const isBroken = github.faults !== null && findSentinel(repository.name) === 'fail-push'
    const answer = await receivePack(
      {
        gitdir: gitdirOf(github, repository),
        defaultBranch: repository.defaultBranch,
        refusal: isBroken ? 'pre-receive hook declined' : null,
        onPushed: () => markPushed(github, repository),
      },
      await readLimitedBody(c),
    )
    return c.body(new Uint8Array(answer), 200, gitHeaders('git-receive-pack-result'))
  })
  return app
}

class GitRefusal extends Error {
  readonly status: number
  readonly headers: Record<string, string>
  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.status = status
    this.headers = headers
  }
}

/** Returns the repository, or throws an error that git understands: 401 makes git ask for a password. */
function openRepository(github: Github, c: Context<GithubEnv>, service: GitService): Repository {
  const viewer = viewerOf(github, c.req.header('authorization'))
  const login = new GitRefusal(401, 'Authentication is required.', {
    'WWW-Authenticate': 'Basic realm="GitHub"',
  })
  if (viewer === null && c.req.header('authorization') !== undefined) throw login
  const name = (c.req.param('repository') ?? '').replace(/\.git$/, '')
  const repository = findRepository(github, { owner: c.req.param('owner') ?? '', name }, viewer)
  if (viewer === null && (repository === null || service === 'git-receive-pack')) throw login
  if (repository === null) throw new GitRefusal(404, 'Repository not found.')
  if (service === 'git-receive-pack' && viewer !== null && !mayWrite(github, viewer, repository))
    throw new GitRefusal(403, `Permission to ${repository.owner.login}/${repository.name}.git denied.`)
  return repository
}

async function readLimitedBody(c: Context): Promise<Buffer> {
  const tooLarge = () => new GitRefusal(413, 'The request is larger than 128 MiB.')
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of c.req.raw.body ?? []) {
    size += part.byteLength
    if (size > BODY_BYTES_MAX) throw tooLarge()
    parts.push(part)
  }
  const body = Buffer.concat(parts)
  if (c.req.header('content-encoding') !== 'gzip') return body
  try {
    return gunzipSync(body, { maxOutputLength: BODY_BYTES_MAX })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw new GitRefusal(400, 'The body is not gzip.')
  }
}

const gitHeaders = (type: string): Record<string, string> => ({
  'Content-Type': `application/x-${type}`,
  'Cache-Control': 'no-cache',
})
