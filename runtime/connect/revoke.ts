import { revocation } from '../auth/oauth-exchange.ts'
import { logError } from '../kernel/log.ts'
import type { Credential } from './calls.ts'
import type { ConnectProvider } from './settings.ts'

const TIMEOUT_MS = 5000

/** Tells a provider that a grant is over (RFC 7009), where it has an address for that. A failure is only logged. */
export async function revoke(provider: ConnectProvider, { token, refreshToken }: Credential): Promise<void> {
  const { id, revokeUrl } = provider
  if (revokeUrl === undefined) return
  try {
    const answer = await fetch(revokeUrl, {
      ...revocation(provider, { token, refreshToken }),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await answer.body?.cancel()
    if (!answer.ok) throw new Error(`it answered ${answer.status}`)
  } catch {
    // The cause may name the address with what was sent.
    logError(new Error(`${id}: the access could not be revoked`), { route: 'connect' })
  }
}
