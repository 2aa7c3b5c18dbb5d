import { cloudflareAuthorizeUrl as cloudflarePage, type SilentSignIn } from '../../cloudflare/oauth.ts'
import { challengeOf } from '../../crypto/pkce.ts'
import { ALL_SCOPES } from '../../cloudflare/permissions.ts'
import type { ConnectedProvider, ProfileName } from '../../db/tables/connections.ts'
import type { CallerContext, Context } from '../../endpoint.ts'
import { githubAuthorizeUrl as githubPage, GITHUB_SCOPES } from '../../github/sign-in.ts'
import { conflict, invalid } from '../../http/errors.ts'
import { isOwnPath } from '../../lib/own-path.ts'
import { readConnection } from '../connections.ts'
import { formerLocalAccount } from './local-account.ts'
import { beginSignIn } from './oauth-state.ts'
import { callbackUrl, cloudflareProfile, githubProfile, signInChoices } from '../profiles.ts'
import { neededScopes } from '../scopes.ts'

export const CONNECTIONS_PAGE = '/settings/connections'

export interface StartRequest {
  profile?: ProfileName | undefined
  next?: string | undefined
  /** With `consent` the local emulator shows its consent page. Without `consent` the emulator grants access at once. */
  prompt?: 'consent' | undefined
}

/**
 * Begins a sign-in. Returns the address of the provider's page, which redirects the browser back to the callback.
 * Requests the scopes that the organization needs now and the scopes granted before.
 */
export async function startConnection(
  ctx: Context<'config' | 'pool' | 'keyring'>,
  request: Request,
  provider: ConnectedProvider,
  wish: StartRequest,
): Promise<{ url: string }> {
  const next = ownPath(ctx.config.baseUrl, wish.next ?? CONNECTIONS_PAGE)
  const profile = wish.profile ?? signInChoices(ctx.config, provider)[0] ?? ctx.config[provider].name
  const isSilent = profile === 'local' && wish.prompt !== 'consent'
  const begin = async (scopes: string[]) => {
    const begun = await beginSignIn(ctx, request, { provider, profile, scopes, next })
    return { ...begun, scopes, redirectUri: callbackUrl(ctx.config, provider) }
  }
  const { organizationId: orgId, organizationName: accountName } = ctx.caller
  const hints: SilentSignIn = { loginHint: orgId, accountName }
  const suggest = profile === 'local' ? hints : null
  if (provider === 'github') {
    const client = requireClient(githubProfile(ctx.config, profile), 'GitHub', 'GITHUB')
    const { state, verifier, scopes, redirectUri } = await begin([...GITHUB_SCOPES])
    const challenge = challengeOf(verifier)
    return { url: githubPage(client, { redirectUri, scopes, state, challenge, suggest, isSilent }) }
  }
  const client = requireClient(cloudflareProfile(ctx.config, profile), 'Cloudflare', 'CLOUDFLARE')
  const account = profile === 'local' ? await formerLocalAccount(ctx.db, orgId) : null
  const { state, verifier, scopes, redirectUri } = await begin(await wantedScopes(ctx, profile))
  const silent = isSilent ? { ...hints, account } : null
  const challenge = challengeOf(verifier)
  return { url: cloudflarePage(client, { redirectUri, scopes, state, challenge, silent, suggest }) }
}

async function wantedScopes(ctx: CallerContext<'db'>, profile: ProfileName): Promise<string[]> {
  // The OAuth client of the local emulator may request every scope, so no further sign-in is needed when more scopes
  // are needed later.
  if (profile === 'local') return [...ALL_SCOPES]
  const needed = await neededScopes(ctx.db, ctx.caller.organizationId)
  const before = await readConnection(ctx.db, ctx.caller.organizationId, 'cloudflare')
  const held = before?.profile === profile ? before.scopes.filter((scope) => ALL_SCOPES.includes(scope)) : []
  return [...new Set([...needed, ...held])]
}

function requireClient<T extends { clientId: string | null }>(
  profile: T | null,
  product: string,
  variable: string,
): T & { clientId: string } {
  if (profile === null)
    throw conflict('The local world is switched off, so there is no account to sign in to.')
  if (profile.clientId === null)
    throw conflict(
      `This installation has no OAuth client for ${product}. Its operator sets SLIPWAY_${variable}_CLIENT_ID and _SECRET${product === 'Cloudflare' ? '; an API token can be pasted without one' : ''}.`,
    )
  return { ...profile, clientId: profile.clientId }
}

/**
 * Returns the path and query of `next` when it is a path of the console and not of the API. Throws otherwise, because a sign-in must not
 * redirect to another site.
 */
function ownPath(baseUrl: string, next: string): string {
  const url = isOwnPath(next) ? URL.parse(next, baseUrl) : null
  // The path of `/.//evil.test` is `//evil.test`, which leads to another site when the browser is redirected there.
  const isOfConsole = url !== null && isOwnPath(url.pathname) && !url.pathname.startsWith('/api/')
  if (!isOfConsole) throw invalid('next', 'must be a path of the console, such as /settings/connections')
  return url.pathname + url.search
}
