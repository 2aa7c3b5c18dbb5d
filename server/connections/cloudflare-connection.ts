import { listAccounts, readSubdomain } from '../cloudflare/accounts.ts'
import { CORE_SCOPES, type Tokens } from '../cloudflare/oauth.ts'
import { openAccount } from '../cloudflare/client.ts'
import type { Place } from '../crypto/keyring.ts'
import { transact } from '../db/database.ts'
import { recordActivity } from '../events/activity.ts'
import { newId } from '../lib/ids.ts'
import { ProviderError } from '../lib/provider-error.ts'
import type { Platform } from '../platform.ts'

/** Where a connection's sealed token belongs. */
export function tokenPlace(
  connection: { id: string; org_id: string },
  column: 'token' | 'refresh_token',
): Place {
  return { table: 'connections', id: connection.id, column, organizationId: connection.org_id }
}

/** Looks up the account behind fresh tokens and keeps both; an existing connection is replaced. */
export async function storeCloudflareConnection(
  platform: Platform,
  orgId: string,
  tokens: Tokens,
): Promise<void> {
  const account = await readAccount(platform, tokens)
  const now = platform.clock.now()
  const connection = { id: newId('con'), org_id: orgId }
  const sealed = {
    id: connection.id,
    profile: platform.config.cloudflare.name,
    account_id: account.id,
    account_name: account.name,
    subdomain: account.subdomain,
    token: platform.keyring.seal(tokens.accessToken, tokenPlace(connection, 'token')),
    refresh_token:
      tokens.refreshToken === null
        ? null
        : platform.keyring.seal(tokens.refreshToken, tokenPlace(connection, 'refresh_token')),
    // An answer without `scope` means: what was asked for (RFC 6749, 5.1).
    scopes: tokens.scopes.length > 0 ? tokens.scopes : CORE_SCOPES,
    status: 'connected' as const,
    expires_at: tokens.expiresAt,
    created_at: now,
  }
  await transact(platform.db, async (trx) => {
    await trx
      .insertInto('connections')
      .values({ org_id: orgId, provider: 'cloudflare', ...sealed })
      .onConflict((conflict) => conflict.columns(['org_id', 'provider']).doUpdateSet(sealed))
      .execute()
    await recordActivity(trx, {
      orgId,
      at: now,
      provider: 'cloudflare',
      actor: 'slipway',
      action: 'account.connected',
      target: account.name,
      status: 'ok',
    })
  })
}

async function readAccount(platform: Platform, tokens: Tokens) {
  const credential = {
    token: async () => tokens.accessToken,
    renew: async () => null,
    markDead: async () => {},
  }
  const base = { api: platform.config.cloudflare.api, subdomain: '', credential, record: async () => {} }
  const [account] = await listAccounts(openAccount({ ...base, accountId: '' }))
  if (account === undefined) throw new ProviderError('cloudflare', 'The sign-in reaches no cloud account.')
  const subdomain = await readSubdomain(openAccount({ ...base, accountId: account.id }))
  return { id: account.id, name: account.name, subdomain }
}
