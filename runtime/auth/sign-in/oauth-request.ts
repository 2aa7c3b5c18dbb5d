import { sha256 } from '../../kernel/secrets.ts'
import { textIn } from '../context.ts'
import type { AuthorizationServer } from '../providers.ts'

/**
 * Returns the address of the provider's consent page: authorization code flow, with PKCE (RFC 7636) unless the provider
 * does not support it.
 */
export function authorizationUrl(
  { clientId, authorizeUrl, scopes, scopeMark, scopeName = 'scope', hasPkce }: AuthorizationServer,
  request: { redirectUri: string; state: string; verifier: string; more: Readonly<Record<string, string>> },
): string {
  const url = new URL(authorizeUrl)
  const query = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: request.redirectUri,
    [scopeName]: scopes.join(scopeMark ?? ' '),
    state: request.state,
    ...(hasPkce !== false && {
      code_challenge: sha256(request.verifier).toString('base64url'),
      code_challenge_method: 'S256',
    }),
    ...request.more,
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

/**
 * Returns the address to open after the provider's page: a page of the app, or an address that the operator listed. Any other address
 * becomes the home page.
 */
export function returnAddress(wanted: unknown, own: URL, redirectUris: readonly string[]): string {
  const home = new URL('/', own).href
  const text = textIn(wanted, 2000)
  if (redirectUris.includes(text)) return text
  // Browsers treat a backslash as a slash, so `/\host` would lead to another site.
  if (!text.startsWith('/') || !URL.canParse(text, own)) return home
  const url = new URL(text, own)
  return url.origin === own.origin ? url.href : home
}
