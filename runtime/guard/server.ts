import { auth } from '../auth/server.ts'
import { isEnabled } from '../kernel/env.ts'
import { networkOf } from '../kernel/visits.ts'
import { callGuard, guardFacts } from './rpc-client.ts'
import { verifyRequest } from './protect.ts'

/** Bots and floods, from server code. */
export interface ServerGuard {
  /**
   * Returns when the page that sent a request has shown that a person uses it. Throws `forbidden` (403) without a token for
   * this action, or with a spent one, and `unavailable` (503) when that cannot be known.
   */
  verify(request: Request, action: string): Promise<void>
  /**
   * Counts one use of a limit; false when there were too many. One that the settings do not name limits nothing. Of a request its address or person counts, as the settings
   * say; a text counts as it is. Counted per location and not exactly: for what has to be exact use `meter`.
   */
  limit(name: string, who: Request | string): Promise<boolean>
}

export const guard: ServerGuard = {
  verify: verifyRequest,
  async limit(name, who) {
    const key = typeof who === 'string' ? who : await keyOf(name, who)
    return await callGuard('limit', { name, key })
  },
}

/** Only what the network in front of the app says of an address counts: every other header is the sender's own. */
async function keyOf(name: string, request: Request): Promise<string> {
  const { limits } = await guardFacts()
  const person = limits[name] === 'user' && isEnabled('auth') ? await auth.user(request) : null
  return person?.id ?? `ip ${networkOf(request.headers.get('cf-connecting-ip') ?? '')}`
}
