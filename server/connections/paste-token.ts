import type { CloudflareProfile } from '../config.ts'
import type { ProfileName } from '../db/tables/connections.ts'
import { tokenState } from '../cloudflare/verify.ts'
import type { Context, RequestContext } from '../endpoint.ts'
import { ApiError, conflict, invalid } from '../http/errors.ts'
import type { LiveDataChoice } from '../moves/moves.ts'
import type { Ports } from '../platform.ts'
import { actorOf } from './cloud.ts'
import { storeCloudflareConnection } from './cloudflare-connection.ts'
import { describeConnections } from './connections.ts'
import { cloudflareProfile } from './profiles.ts'
import { resumeRebinds } from './resume-rebinds.ts'

export interface PastedToken {
  token: string
  accountId?: string | undefined
  profile?: ProfileName | undefined
  liveData?: LiveDataChoice | undefined
}

/** The prefix of every API token that the local emulator of Cloudflare creates. */
const LOCAL_PREFIX = 'local_'

/**
 * Connects an account with an API token after Cloudflare has confirmed the token. Throws `invalid_request` naming
 * `token` when Cloudflare refuses it, and `upstream_error` when Cloudflare cannot be reached.
 */
export async function connectWithToken(
  ctx: Context<'config' | 'keyring' | 'jobs'>,
  { token, accountId, profile, liveData }: PastedToken,
) {
  const endpoints = profileFor(ctx, token, profile)
  await requireActiveToken(ctx, endpoints, token, accountId ?? '')
  const by = { orgId: ctx.caller.organizationId, actor: actorOf(ctx.caller) }
  await storeCloudflareConnection(
    ctx,
    by,
    {
      profile: endpoints,
      method: 'token',
      tokens: { accessToken: token, refreshToken: null, expiresAt: null, scopes: [] },
      accountId,
      liveData,
    },
    (trx) => resumeRebinds(ctx, trx, by),
  )
  return describeConnections(ctx)
}

function profileFor(
  ctx: Pick<Ports, 'config'>,
  token: string,
  named: ProfileName | undefined,
): CloudflareProfile {
  const name = named ?? (token.startsWith(LOCAL_PREFIX) ? 'local' : 'real')
  const profile = cloudflareProfile(ctx.config, name)
  if (profile === null) throw conflict('The local world is switched off, so its tokens open nothing.')
  return profile
}

async function requireActiveToken(
  ctx: RequestContext,
  profile: CloudflareProfile,
  token: string,
  accountId: string,
): Promise<void> {
  const asked = { api: profile.api, accountId, credential: { method: 'token' as const }, signal: ctx.signal }
  const state = await tokenState(asked, token)
  if (state === 'unknown')
    throw new ApiError('upstream_error', 'Cloudflare cannot be asked about the token right now. Try again.')
  if (state === 'dead')
    throw invalid(
      'token',
      'Cloudflare does not accept it. It may be mistyped, expired or switched off; for a token of an account, send accountId too',
    )
}
