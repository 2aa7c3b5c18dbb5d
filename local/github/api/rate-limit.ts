import { createMiddleware } from 'hono/factory'
import { type Github, type GithubEnv, GithubFailure } from '../context.ts'

/** Calls per hour and user, as at the provider. */
const CALLS_PER_HOUR = 5000
const WINDOW_MS = 60 * 60_000

interface RateWindow {
  used: number
  resetAt: number
}

/** Counts calls, reports in each response how many are left, and refuses calls over the limit. */
export class RateLimit {
  readonly #windows = new Map<number, RateWindow>()
  readonly #github: Github

  constructor(github: Github) {
    this.#github = github
  }

  /** Returns a user's usage for `GET /rate_limit`. A call of `/rate_limit` is not counted. */
  stateOf(userId: number) {
    const { used, resetAt } = this.#windowOf(userId)
    const reset = Math.ceil(resetAt / 1000)
    return {
      limit: CALLS_PER_HOUR,
      used,
      remaining: Math.max(0, CALLS_PER_HOUR - used),
      reset,
      resource: 'core',
    }
  }

  readonly count = createMiddleware<GithubEnv>(async (c, next) => {
    const { id } = c.get('viewer').user
    if (!c.req.path.endsWith('/rate_limit')) this.#windowOf(id).used++
    const { limit, used, remaining, reset } = this.stateOf(id)
    const headers = {
      'X-RateLimit-Limit': String(limit),
      'X-RateLimit-Remaining': String(remaining),
      'X-RateLimit-Used': String(used),
      'X-RateLimit-Reset': String(reset),
    }
    if (used > limit) throw new GithubFailure(403, 'API rate limit exceeded', { headers })
    await next()
    for (const [name, value] of Object.entries(headers)) if (!c.res.headers.has(name)) c.header(name, value)
  })

  #windowOf(userId: number): RateWindow {
    const now = this.#github.now()
    const known = this.#windows.get(userId)
    if (known !== undefined && known.resetAt > now) return known
    const fresh = { used: 0, resetAt: now + WINDOW_MS }
    this.#windows.set(userId, fresh)
    return fresh
  }
}
