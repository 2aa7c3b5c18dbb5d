import { auth } from '../auth/server.ts'
import { isEnabled } from '../kernel/env.ts'
import { networkOf } from '../kernel/visits.ts'
import { callGuard, guardFacts } from './rpc-client.ts'
import { verifyRequest } from './protect.ts'

export interface ServerGuard {
  /**
   * Resolves when the page that sent a request has shown that a person uses it. Throws `forbidden` (403) without a token for this
   * action, or with a spent one, and `unavailable` (503) when that cannot be checked.
   */
  verify(request: Request, action: string): Promise<void>
  /**
   * Counts one use of a limit; false when there were too many. A limit that the settings do not name limits nothing. For a
   * request its address or person is counted, as the settings say; a text is counted as it is. Counted per location and not
   * exactly: for exact counts use `meter`.
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

/** Only the address that the network in front of the app reports counts: the sender can set every other header. */
async function keyOf(name: string, request: Request): Promise<string> {
  const { limits } = await guardFacts()
  const person = limits[name] === 'user' && isEnabled('auth') ? await auth.user(request) : null
  return person?.id ?? `ip ${networkOf(request.headers.get('cf-connecting-ip') ?? '')}`
}
