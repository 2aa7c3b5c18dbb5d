import type { MiddlewareHandler } from 'hono'
import { applyFaults, type InjectedFailure } from '../faults/apply-faults.ts'
import { type Github, type GithubEnv, GithubFailure } from './context.ts'

export function injectFaults({ faults }: Github): MiddlewareHandler<GithubEnv> {
  if (faults === null) return (_c, next) => next()
  return applyFaults({
    faults,
    provider: 'github',
    accountOf: (c) => {
      const viewer = (c.var as Partial<GithubEnv['Variables']>).viewer
      return viewer === undefined ? null : String(viewer.user.id)
    },
    namesOf: async (c) => {
      // Fault tokens in names affect writes only. A git fetch is a POST request, but only reads.
      if (c.req.path.endsWith('/git-upload-pack')) return []
      const inPath = c.req.path.split('/').map((part) => part.replace(/\.git$/, ''))
      if (!c.req.path.endsWith('/repos')) return inPath
      const body: unknown = await c.req.raw
        .clone()
        .json()
        .catch(() => null)
      const name = (body as { name?: unknown } | null)?.name
      return typeof name === 'string' ? [name] : []
    },
  })
}

/** Faults are injected in Cloudflare's format, so convert them to GitHub's format. */
export function asGithubFailure(failure: InjectedFailure): GithubFailure {
  const headers: Record<string, string> = { ...failure.headers }
  // As at the provider, a 403 with this header means that the hourly limit is used up.
  if (failure.status === 403) headers['X-RateLimit-Remaining'] = '0'
  return new GithubFailure(failure.status, failure.message, { headers })
}
