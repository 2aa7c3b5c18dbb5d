import { isEnabled, requireLive } from '../kernel/worker/env.ts'
import { invalid, unwrapResult } from '../kernel/errors.ts'
import { sessionOf } from '../kernel/access/session.ts'
import { networkOf } from '../kernel/access/request-limiter.ts'
import { callGuard, guardSettings } from './rpc-client.ts'
import { verifyRequest } from './protect.ts'

export interface ServerGuard {
  /**
   * Resolves when the sender of a request has a valid token, which proves that a person uses the page. Throws `forbidden` (403) when the
   * token is missing, used, or for another action, and `unavailable` (503) when it cannot be verified.
   */
  verify(request: Request, action: string): Promise<void>
  /**
   * Counts one use of a limit. Returns false when there were too many. Returns true for a limit that the settings do not define. When `who`
   * is a request, uses are counted by IP address or by person, as the settings say; when `who` is a string, by that string. The count is
   * approximate and per Cloudflare location; use `meter` for exact counts.
   */
  limit(name: string, who: Request | string): Promise<boolean>
}

export const guard: ServerGuard = {
  verify: verifyRequest,
  async limit(name, who) {
    const key = typeof who === 'string' ? who : await limitKey(name, who)
    return await callGuard('limit', { name, key })
  },
}

/** Throws unless `request` is a request. Use only the address that Cloudflare reports: the sender can set every other header. */
async function limitKey(name: string, request: Request): Promise<string> {
  const { limits } = await guardSettings()
  if (!(request instanceof Request)) throw invalid('who', 'must be a request or a text')
  const userId = limits[name] === 'user' && isEnabled('auth') ? await userIdOf(request) : null
  return userId ?? `ip ${networkOf(request.headers.get('cf-connecting-ip') ?? '')}`
}

async function userIdOf(request: Request): Promise<string | null> {
  const session = sessionOf(request)
  if (session === null) return null
  return unwrapResult(await requireLive('auth').auth('me', { session, renews: false }))?.user.id ?? null
}
