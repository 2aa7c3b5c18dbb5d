import { ModelFailure } from '../../agent/model/failure.ts'
import { ApiError } from '../../http/errors.ts'
import { type OutboundFetch, outboundFetch } from '../../lib/outbound.ts'
import type { PlatformPorts } from '../../platform.ts'
import { requireCloud } from '../cloud.ts'

/** Long, because a reasoning model may take minutes until its first byte. The agent has its own time limits. */
export const MODEL_IDLE_MS_MAX = 300_000

/** The host of the base address of Workers AI. Before each call it is replaced with the address of the connected account. */
export const ACCOUNT_BASE_URL = 'https://account.invalid'

const fetchOfHost = new Map<string, OutboundFetch>()

/** Returns a `fetch` for the provider's API. The API's address may be private, because the operator configured it. */
function providerFetch(api: string): OutboundFetch {
  const { origin } = new URL(api)
  const kept = fetchOfHost.get(origin)
  if (kept !== undefined) return kept
  const made = outboundFetch({ allow: [origin], idleTimeoutMs: MODEL_IDLE_MS_MAX })
  fetchOfHost.set(origin, made)
  return made
}

/**
 * Returns a `fetch` that calls the models of an organization's cloud account. It reads the account's token for each
 * call and renews a refused token, because a token may expire during a build.
 */
export function accountFetch(
  platform: PlatformPorts<'config' | 'keyring'>,
  orgId: string,
): typeof globalThis.fetch {
  return async (input, init) => {
    const account = await requireCloud(platform, platform.db, orgId).catch((error: unknown) => {
      throw error instanceof ApiError ? new ModelFailure(error.message, { cause: error }) : error
    })
    const { api } = account.endpoints
    const credential = account.credential()
    const asked = input instanceof Request ? input.url : String(input)
    const base = `${api}/accounts/${account.account_id}`
    const url = `${base}${asked.slice(ACCOUNT_BASE_URL.length)}`
    const send = (token: string) => {
      const headers = new Headers(init?.headers)
      headers.set('authorization', `Bearer ${token}`)
      return providerFetch(api)(url, { ...init, headers })
    }
    const token = await credential.token()
    const response = await send(token)
    if (response.status !== 401) return response
    const renewed = await credential.renew(token)
    if (renewed === null) return response
    await response.body?.cancel()
    return send(renewed)
  }
}
