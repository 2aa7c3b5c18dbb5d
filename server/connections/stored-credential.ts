import { sql } from 'kysely'
import type { ConnectionRow } from '../account-port.ts'
import type { Credential } from '../cloudflare/client.ts'
import { GrantRefusedError, refreshTokens } from '../cloudflare/oauth.ts'
import { transact } from '../db/database.ts'
import type { PlatformPorts } from '../platform.ts'
import { tokenPlace } from './cloudflare-connection.ts'
import { markNeedsReconnect } from './needs-reconnect.ts'
import { cloudflareProfile } from './profiles.ts'

interface UnsealedToken {
  token: string
  sealed: string
}

// Tokens are renewed early, so that no token expires during a call.
const RENEW_BEFORE_EXPIRY_MS = 30_000
/**
 * How long to wait for the lock of the connection's row. It is longer than the timeout of the token exchange, during
 * which another process holds that lock. The statement timeout of the pool would end the wait earlier.
 */
const LOCK_WAIT_MS_MAX = 12_000

/** Returns the credential of a stored connection. `renew` and `markDead` update the connection's row. */
export function storedCredential(
  platform: PlatformPorts<'config' | 'keyring'>,
  connection: ConnectionRow,
): Credential {
  const { keyring, clock } = platform
  let held: UnsealedToken = {
    token: keyring.open(connection.token, tokenPlace(connection, 'token')),
    sealed: connection.token,
  }
  let isDue =
    connection.expires_at !== null &&
    connection.expires_at.getTime() < clock.now().getTime() + RENEW_BEFORE_EXPIRY_MS
  const renew = async (stale: string) => {
    const renewed = await renewToken(platform, connection, stale)
    if (renewed !== null) held = renewed
    return renewed?.token ?? null
  }
  return {
    id: `${connection.id} ${connection.profile}`,
    method: connection.method,
    token: async () => {
      if (!isDue) return held.token
      isDue = false
      return (await renew(held.token)) ?? held.token
    },
    renew,
    markDead: () => markNeedsReconnect(platform, connection, held.sealed),
  }
}

/**
 * Exchanges the refresh token for a new access token. Because of the lock on the connection's row only one process
 * exchanges it. Other processes wait and then use the stored token. New tokens are committed before they are used.
 */
async function renewToken(
  platform: PlatformPorts<'config' | 'keyring'>,
  connection: ConnectionRow,
  stale: string,
): Promise<UnsealedToken | null> {
  const { db, keyring, config, clock } = platform
  try {
    return await transact(db, async (trx) => {
      const wait = `${LOCK_WAIT_MS_MAX}ms`
      await sql`select set_config('lock_timeout', ${wait}, true), set_config('statement_timeout', ${wait}, true)`.execute(
        trx,
      )
      const row = await trx
        .selectFrom('connections')
        .selectAll()
        .where('org_id', '=', connection.org_id)
        .where('id', '=', connection.id)
        .forUpdate()
        .executeTakeFirst()
      if (row === undefined || row.status === 'needs_reconnect') return null
      // A token is sent only to the provider that issued it.
      if (row.profile !== connection.profile) return null
      const stored = keyring.open(row.token, tokenPlace(row, 'token'))
      if (stored !== stale) return { token: stored, sealed: row.token }
      const profile = cloudflareProfile(config, row.profile)
      if (row.refresh_token === null || profile === null) return null
      const refresh = keyring.open(row.refresh_token, tokenPlace(row, 'refresh_token'))
      const tokens = await refreshTokens(profile, refresh, clock.now())
      const sealed = keyring.seal(tokens.accessToken, tokenPlace(row, 'token'))
      await trx
        .updateTable('connections')
        .set({
          token: sealed,
          refresh_token: keyring.seal(tokens.refreshToken ?? refresh, tokenPlace(row, 'refresh_token')),
          expires_at: tokens.expiresAt,
          ...(tokens.scopes.length > 0 ? { scopes: tokens.scopes } : {}),
        })
        .where('org_id', '=', row.org_id)
        .where('id', '=', row.id)
        .execute()
      return { token: tokens.accessToken, sealed }
    })
  } catch (error) {
    if (error instanceof GrantRefusedError) return null
    throw error
  }
}
