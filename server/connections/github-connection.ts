import type { GithubProfile } from '../config.ts'
import { transact } from '../db/database.ts'
import { lockOrganization } from '../db/locks.ts'
import { recordActivity } from '../activity/log.ts'
import { readUser } from '../github/repositories.ts'
import { type GithubGrant, revokeToken } from '../github/sign-in.ts'
import { newId } from '../lib/ids.ts'
import type { PlatformPorts } from '../platform.ts'
import { tokenPlace } from './cloudflare-connection.ts'
import { readConnection } from './connections.ts'

type ProfiledGrant = GithubGrant & { profile: GithubProfile }

/**
 * Stores a connection to the code host. An existing connection keeps its id. Throws when the host refuses the token or
 * the connection cannot be stored, and then revokes the token, because no row records that the token exists.
 */
export async function storeGithubConnection(
  platform: PlatformPorts<'keyring'>,
  by: { orgId: string; actor: string },
  grant: ProfiledGrant,
): Promise<void> {
  try {
    await storeGrant(platform, by, grant)
  } catch (error) {
    await revokeToken(grant.profile, grant.token)
    throw error
  }
}

async function storeGrant(
  platform: PlatformPorts<'keyring'>,
  by: { orgId: string; actor: string },
  { profile, token, scopes }: ProfiledGrant,
): Promise<void> {
  const user = await readUser({ profile, token })
  const now = platform.clock.now()
  await transact(platform.db, async (trx) => {
    await lockOrganization(trx, by.orgId)
    const before = await readConnection(trx, by.orgId, 'github')
    const connection = { id: before?.id ?? newId('con'), org_id: by.orgId }
    const values = {
      profile: profile.name,
      account_id: user.id,
      account_name: user.login,
      subdomain: null,
      token: platform.keyring.seal(token, tokenPlace(connection, 'token')),
      // Tokens of an OAuth app do not expire.
      refresh_token: null,
      expires_at: null,
      scopes,
      status: 'connected' as const,
    }
    await trx
      .insertInto('connections')
      .values({ ...connection, provider: 'github', ...values, created_at: now })
      .onConflict((conflict) => conflict.columns(['org_id', 'provider']).doUpdateSet(values))
      .execute()
    await recordActivity(trx, {
      orgId: by.orgId,
      at: now,
      provider: 'github',
      actor: by.actor,
      action: before === null ? 'connection.connected' : 'connection.reconnected',
      target: user.login,
      status: 'ok',
    })
  })
}
