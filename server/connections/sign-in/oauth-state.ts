import { createHash, randomBytes } from 'node:crypto'
import { newVerifier } from '../../crypto/pkce.ts'
import type { SealedPlace } from '../../crypto/keyring.ts'
import type { ConnectedProvider, ProfileName } from '../../db/tables/connections.ts'
import type { Context } from '../../endpoint.ts'
import { chooseSession } from '../../http/identify/session.ts'
import { sessionCookies } from '../../http/identify/session-cookie.ts'
import type { PlatformPorts } from '../../platform.ts'
import type { ScheduledTask } from '../../scheduled-task.ts'
import { HOUR_MS } from '@slipway/runtime/kernel/durations.ts'

const STATE_LIFETIME_MS = 10 * 60_000

export interface PendingSignIn {
  profile: ProfileName
  verifier: string
  scopes: string[]
  /** The path in the console to return to. It was checked when the sign-in began. */
  next: string
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const verifierPlace = (stateHash: string, orgId: string): SealedPlace => ({
  table: 'oauth_states',
  id: stateHash,
  column: 'verifier',
  organizationId: orgId,
})

/** Returns a hash of the session's token, so that the stored row does not contain the token. */
async function sessionHash(
  ctx: PlatformPorts<'config' | 'pool' | 'keyring'>,
  request: Request,
): Promise<string> {
  const { config, keyring } = ctx
  const cookies = sessionCookies(request.headers.get('cookie'), config.baseUrl, keyring.authSecrets)
  return sha256((await chooseSession(ctx, cookies))?.token ?? '')
}

/**
 * Stores a started sign-in until the browser returns. The returned `state` is valid once, and only for this session,
 * person and organization.
 */
export async function beginSignIn(
  ctx: Context<'config' | 'pool' | 'keyring'>,
  request: Request,
  begun: Omit<PendingSignIn, 'verifier'> & { provider: ConnectedProvider },
): Promise<{ state: string; verifier: string }> {
  const { caller, clock, keyring } = ctx
  const now = clock.now()
  const state = randomBytes(32).toString('base64url')
  const hash = sha256(state)
  const verifier = newVerifier()
  await ctx.db
    .insertInto('oauth_states')
    .values({
      state_hash: hash,
      org_id: caller.organizationId,
      user_id: caller.actorId,
      session_hash: await sessionHash(ctx, request),
      provider: begun.provider,
      profile: begun.profile,
      verifier: keyring.seal(verifier, verifierPlace(hash, caller.organizationId)),
      scopes: begun.scopes,
      next: begun.next,
      expires_at: new Date(now.getTime() + STATE_LIFETIME_MS),
      created_at: now,
    })
    .execute()
  return { state, verifier }
}

/**
 * Returns the sign-in that began with this state, and makes the state invalid. Returns null for a state that is
 * unknown or was used, or that belongs to another session, person, organization or provider; such a state remains
 * valid.
 */
export async function endSignIn(
  ctx: Context<'config' | 'pool' | 'keyring'>,
  request: Request,
  returned: { state: string; provider: ConnectedProvider },
): Promise<(PendingSignIn & { isLate: boolean }) | null> {
  const { caller, clock, keyring } = ctx
  const row = await ctx.db
    .deleteFrom('oauth_states')
    .where('state_hash', '=', sha256(returned.state))
    .where('org_id', '=', caller.organizationId)
    .where('user_id', '=', caller.actorId)
    .where('session_hash', '=', await sessionHash(ctx, request))
    .where('provider', '=', returned.provider)
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    profile: row.profile,
    verifier: keyring.open(row.verifier, verifierPlace(row.state_hash, row.org_id)),
    scopes: row.scopes,
    next: row.next,
    isLate: row.expires_at <= clock.now(),
  }
}

/**
 * Deletes sign-ins that were not completed. Each is kept for an hour after its expiry, so that a late callback gets
 * the error `expired` and not the error for an unknown state.
 */
export const purgeSignIns: ScheduledTask = {
  name: 'purge-sign-ins',
  every: '10 minutes',
  run: async ({ db, clock }) => {
    await db
      .deleteFrom('oauth_states')
      .where('expires_at', '<=', new Date(clock.now().getTime() - HOUR_MS))
      .execute()
  },
}
