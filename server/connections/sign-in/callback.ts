import { GrantRefusedError, redeemCloudflareCode, revokeGrant } from '../../cloudflare/oauth.ts'
import type { ConnectedProvider } from '../../db/tables/connections.ts'
import { redeemGithubCode, SignInRefusedError } from '../../github/sign-in.ts'
import type { ApiError } from '../../http/errors.ts'
import { ProviderError } from '../../lib/provider-error.ts'
import { actorOf } from '../cloud.ts'
import type { Trx } from '../../db/database.ts'
import type { Context } from '../../endpoint.ts'
import type { Ports } from '../../platform.ts'
import { storeCloudflareConnection } from '../cloudflare-connection.ts'
import { storeGithubConnection } from '../github-connection.ts'
import { type PendingSignIn, endSignIn } from './oauth-state.ts'
import { callbackUrl, cloudflareProfile, githubProfile } from '../profiles.ts'
import { ConnectionRefusedError, type RefusalReason } from '../refused.ts'
import { resumeRebinds } from '../resume-rebinds.ts'
import { CONNECTIONS_PAGE } from './start.ts'

/**
 * Completes a sign-in after the provider has redirected the browser back. Returns the address to which the browser is
 * redirected next. This address is the page on which the sign-in began, with the query parameter `connected`, or
 * `error` with the reason for a failure. Does not throw when the sign-in fails, because the browser would then show a
 * JSON error to a person.
 */
export async function finishConnection(
  ctx: Context<'config' | 'pool' | 'keyring' | 'jobs'>,
  request: Request,
  provider: ConnectedProvider,
): Promise<string> {
  const returned = new URL(request.url).searchParams
  const begun = await endSignIn(ctx, request, { state: returned.get('state') ?? '', provider })
  const next = begun?.next ?? CONNECTIONS_PAGE
  try {
    const isChosen = await connectAccount(ctx, provider, begun, returned)
    return consolePage(ctx, next, { connected: provider, ...(!isChosen && { choose: 'account' }) })
  } catch (error) {
    const reason = refusalReason(error)
    // The console receives only the code of the reason. The details are in the operator's log.
    const level = reason === 'failed' ? 'error' : 'warn'
    ctx.log[level]({ err: error, requestId: ctx.requestId, provider, reason }, 'a sign-in was not connected')
    return consolePage(ctx, next, { provider, error: reason })
  }
}

/**
 * Returns the address to which a browser is redirected when it could not complete the sign-in: its session has
 * ended, the person may not connect accounts, or the service failed.
 */
export function refusedSignIn(ctx: Pick<Ports, 'config'>, error: ApiError, provider: string): string {
  return consolePage(ctx, CONNECTIONS_PAGE, { provider, error: accessRefusal(error) })
}

function accessRefusal({ code, status }: ApiError): RefusalReason {
  if (code === 'unauthorized') return 'signed_out'
  return status === 403 ? 'not_allowed' : 'failed'
}

function consolePage({ config }: Pick<Ports, 'config'>, next: string, told: Record<string, string>): string {
  const url = new URL(next, config.baseUrl)
  for (const [name, value] of Object.entries(told)) url.searchParams.set(name, value)
  return url.href
}

/**
 * Stores the connection and returns whether it has an account. If not, a person has to choose one. Throws when the
 * connection cannot be stored.
 */
async function connectAccount(
  ctx: Context<'config' | 'keyring' | 'jobs'>,
  provider: ConnectedProvider,
  begun: (PendingSignIn & { isLate: boolean }) | null,
  returned: URLSearchParams,
): Promise<boolean> {
  if (begun === null) throw new ConnectionRefusedError('state', 'No such sign-in has begun in this session.')
  if (begun.isLate) throw new ConnectionRefusedError('expired', 'The sign-in took longer than ten minutes.')
  const refusal = returned.get('error')
  const code = returned.get('code')
  if (refusal === 'access_denied') throw new ConnectionRefusedError('denied', 'Access was denied.')
  if (refusal !== null || code === null || code === '')
    throw new ConnectionRefusedError(
      'code',
      `The provider sent no code: ${refusal?.slice(0, 100) ?? 'nothing'}.`,
    )
  const by = { orgId: ctx.caller.organizationId, actor: actorOf(ctx.caller) }
  const grant = { code, verifier: begun.verifier, redirectUri: callbackUrl(ctx.config, provider) }
  if (provider === 'github') {
    const profile = requireProfile(githubProfile(ctx.config, begun.profile))
    const { token, scopes } = await redeemGithubCode(profile, grant)
    await storeGithubConnection(ctx, by, { profile, token, scopes })
    return true
  }
  const profile = requireProfile(cloudflareProfile(ctx.config, begun.profile))
  const { scopes } = begun
  const tokens = await redeemCloudflareCode(profile, { ...grant, scopes, now: ctx.clock.now() })
  try {
    const granted = { profile, method: 'oauth' as const, tokens }
    const resume = (trx: Trx) => resumeRebinds(ctx, trx, by)
    return (await storeCloudflareConnection(ctx, by, granted, resume)) !== null
  } catch (error) {
    // No row records that the grant exists, so nothing else would ever revoke the grant.
    await revokeGrant(profile, tokens.refreshToken ?? tokens.accessToken)
    throw error
  }
}

function requireProfile<T>(profile: T | null): T {
  if (profile === null)
    throw new ConnectionRefusedError('failed', 'The local world was switched off meanwhile.')
  return profile
}

function refusalReason(error: unknown): RefusalReason {
  if (error instanceof ConnectionRefusedError) return error.reason
  if (error instanceof GrantRefusedError || error instanceof SignInRefusedError) return 'code'
  return error instanceof ProviderError && error.retryable ? 'unreachable' : 'failed'
}
