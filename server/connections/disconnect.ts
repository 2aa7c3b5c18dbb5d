import type { ConnectionRow } from '../account-port.ts'
import { revokeGrant } from '../cloudflare/oauth.ts'
import { UnreadableError } from '../crypto/keyring.ts'
import { transact, type Trx } from '../db/database.ts'
import type { ConnectedProvider } from '../db/tables/connections.ts'
import type { CallerContext, Context } from '../endpoint.ts'
import { recordCallerChange } from '../activity/log.ts'
import { revokeToken } from '../github/sign-in.ts'
import { notFound } from '../http/errors.ts'
import type { Ports } from '../platform.ts'
import { tokenPlace } from './cloudflare-connection.ts'
import { cloudflareProfile, githubProfile } from './profiles.ts'

const STOPPED_FEATURES: Record<ConnectedProvider, readonly string[]> = {
  cloudflare: [
    'Shipping, previews, rolling back, archiving and deleting projects',
    'Switching capabilities on, and reading their data and files',
    'Analytics, traffic and errors of live projects',
    'Attachments, and models of the connected account',
  ],
  github: ['Backing projects up to GitHub'],
}
const KEPT_AFTER_DISCONNECT: Record<ConnectedProvider, string> = {
  cloudflare: 'Deployed projects keep running in the account.',
  github: 'Repositories stay as they are.',
}

/**
 * Deletes a connection, then tries to revoke its grant at the provider. Allowed even while apps are deployed in
 * the account, because they keep running and the same account can be connected again.
 */
export async function disconnect(ctx: Context<'accounts'>, provider: ConnectedProvider) {
  const row = await deleteConnection(ctx, provider)
  const revoked = await ctx.accounts.revoke(row)
  // A failed revocation is only logged, because the connection is already deleted.
  if (!revoked)
    ctx.log.warn({ provider, requestId: ctx.requestId }, 'the grant was not taken back by the provider')
  return {
    provider,
    revoked,
    stops: [...STOPPED_FEATURES[provider]],
    goesOn: KEPT_AFTER_DISCONNECT[provider],
  }
}

function deleteConnection(
  ctx: CallerContext<'db' | 'clock'>,
  provider: ConnectedProvider,
): Promise<ConnectionRow> {
  const orgId = ctx.caller.organizationId
  return transact(ctx.db, async (trx) => {
    const row = await trx
      .deleteFrom('connections')
      .where('org_id', '=', orgId)
      .where('provider', '=', provider)
      .returningAll()
      .executeTakeFirst()
    if (row === undefined) throw notFound('connection')
    await recordCallerChange(ctx, trx, {
      provider,
      action: 'connection.disconnected',
      target: row.account_name ?? 'account not chosen yet',
    })
    return row
  })
}

/** Returns the deleted rows. The caller revokes their grants once the transaction is committed. */
export async function deleteConnections(trx: Trx, orgIds: readonly string[]): Promise<ConnectionRow[]> {
  if (orgIds.length === 0) return []
  return await trx.deleteFrom('connections').where('org_id', 'in', orgIds).returningAll().execute()
}

/** Implements `Accounts.revoke`. */
export async function revoke(ctx: Pick<Ports, 'config' | 'keyring'>, row: ConnectionRow): Promise<boolean> {
  if (row.method === 'token') return false
  if (row.provider === 'github') {
    const profile = githubProfile(ctx.config, row.profile)
    const token = openOrNull(ctx, row, 'token', row.token)
    return profile !== null && token !== null && (await revokeToken(profile, token))
  }
  const profile = cloudflareProfile(ctx.config, row.profile)
  const token =
    row.refresh_token === null
      ? openOrNull(ctx, row, 'token', row.token)
      : openOrNull(ctx, row, 'refresh_token', row.refresh_token)
  return profile !== null && token !== null && (await revokeGrant(profile, token))
}

/** Returns null for a token that no key decrypts. Its connection is already deleted, perhaps because the key was lost. */
function openOrNull(
  { keyring }: Pick<Ports, 'keyring'>,
  row: ConnectionRow,
  column: 'token' | 'refresh_token',
  sealed: string,
): string | null {
  try {
    return keyring.open(sealed, tokenPlace(row, column))
  } catch (error) {
    if (error instanceof UnreadableError) return null
    throw error
  }
}
