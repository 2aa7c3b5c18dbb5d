import { transact } from '../db/database.ts'
import { recordActivity } from '../events/activity.ts'
import { readUser } from '../github/repositories.ts'
import { newId } from '../lib/ids.ts'
import type { Platform } from '../platform.ts'
import { tokenPlace } from './cloudflare-connection.ts'

/** Asks whose token this is and keeps both; an existing connection is replaced. */
export async function storeGithubConnection(
  platform: Platform,
  orgId: string,
  grant: { token: string; scopes: string[] },
): Promise<void> {
  const profile = platform.config.github
  const user = await readUser({ profile, token: grant.token })
  const now = platform.clock.now()
  const connection = { id: newId('con'), org_id: orgId }
  const sealed = {
    id: connection.id,
    profile: profile.name,
    account_id: user.id,
    account_name: user.login,
    subdomain: null,
    token: platform.keyring.seal(grant.token, tokenPlace(connection, 'token')),
    // Tokens of an OAuth app live until somebody revokes them.
    refresh_token: null,
    expires_at: null,
    scopes: grant.scopes,
    status: 'connected' as const,
    created_at: now,
  }
  await transact(platform.db, async (trx) => {
    await trx
      .insertInto('connections')
      .values({ org_id: orgId, provider: 'github', ...sealed })
      .onConflict((conflict) => conflict.columns(['org_id', 'provider']).doUpdateSet(sealed))
      .execute()
    await recordActivity(trx, {
      orgId,
      at: now,
      provider: 'github',
      actor: 'slipway',
      action: 'account.connected',
      target: user.login,
      status: 'ok',
    })
  })
}
