import { tokenRequest } from '../auth/sign-in/oauth-exchange.ts'
import type { Credential } from './calls.ts'
import type { ConnectProvider } from './settings.ts'

const TIMEOUT_MS = 5000

/** Revokes a grant at a service. Returns whether the service confirmed it; null when revoking is not possible, as for an API key. */
export async function revoke(provider: ConnectProvider, credential: Credential): Promise<boolean | null> {
  const { kind, clientId, revokeUrl } = provider
  if (revokeUrl === undefined || kind === 'apiKey') return null
  try {
    const init = revocationRequest(provider, credential)
    const answer = await fetch(revokeUrl.replace('*', encodeURIComponent(clientId)), {
      ...init,
      // GitHub rejects requests without a user agent, Notion rejects requests without `notion-version`.
      headers: { ...init.headers, 'user-agent': 'Slipway app', 'notion-version': '2025-09-03' },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    // Slack sends errors with status 200.
    return answer.ok && !/"ok": *false/.test(await answer.text())
  } catch {
    return false
  }
}

function revocationRequest(
  provider: ConnectProvider,
  { token, refreshToken }: Credential,
): ReturnType<typeof tokenRequest> {
  const { revokeForm: form, tokenForm } = provider
  if (form === 'bearer') return { method: 'POST', headers: { authorization: `Bearer ${token}` } }
  if (form !== undefined)
    return {
      ...tokenRequest({ ...provider, tokenForm: 'json' }, { [form]: token }),
      method: form === 'token' ? 'POST' : 'DELETE',
    }
  // RFC 7009 requires a form, even from services whose token requests are JSON.
  return tokenRequest(
    { ...provider, tokenForm: tokenForm && 'basic' },
    {
      token: refreshToken ?? token,
      token_type_hint: refreshToken === null ? 'access_token' : 'refresh_token',
    },
  )
}
