import { LRUCache } from 'lru-cache'
import type { UsableCloud } from '../account-port.ts'
import type { Credential } from '../cloudflare/client.ts'
import { signInToCloudflare } from '../cloudflare/oauth.ts'
import { ALL_SCOPES } from '../cloudflare/permissions.ts'
import type { Db, Trx } from '../db/database.ts'
import type { ProfileName } from '../db/tables/connections.ts'
import { conflict } from '../http/errors.ts'
import type { PlatformPorts } from '../platform.ts'
import { callbackUrl, cloudflareProfile } from './profiles.ts'

/**
 * Returns whether an account belongs to Cloudflare's local emulator (the stand-in). Only the stored profile shows
 * this, because the emulator has the same protocol as Cloudflare.
 */
export const isStandIn = (account: { profile: ProfileName }): boolean => account.profile === 'local'

/**
 * Access tokens of the emulator by its API address and the account's id. They are kept only in memory, because the
 * service can sign in at the emulator again without a person.
 */
const tokenCache = new LRUCache<string, Promise<string>>({ max: 500 })

/**
 * Opens an account of the emulator that the organization used before. Needs no stored credential, because the service
 * can sign in at the emulator without a consent page. Throws for an account of Cloudflare itself, which can be opened only
 * through its connection.
 */
export async function openStandIn(
  platform: PlatformPorts<'config'>,
  db: Db | Trx,
  orgId: string,
  accountId: string,
): Promise<UsableCloud> {
  const account = await db
    .selectFrom('cloud_accounts')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (account === undefined || !isStandIn(account) || account.subdomain === null)
    throw conflict(`It belongs to the cloud account ${accountId}, which is not the connected one.`)
  const endpoints = cloudflareProfile(platform.config, account.profile)
  if (endpoints === null)
    throw conflict(
      'The project lives in the local cloud, which is switched off. Start Slipway with SLIPWAY_LOCAL_WORLD=on until it has moved.',
    )
  const signIn = async (): Promise<string> => {
    const granted = await signInToCloudflare(endpoints, {
      redirectUri: callbackUrl(platform.config, 'cloudflare'),
      silent: {
        loginHint: orgId,
        accountName: account.name,
        account: { id: accountId, subdomain: account.subdomain },
      },
      scopes: ALL_SCOPES,
      now: platform.clock.now(),
    })
    return granted.accessToken
  }
  return {
    id: `stand-in ${accountId}`,
    account_id: accountId,
    subdomain: account.subdomain,
    endpoints,
    credential: () => credentialOf(`${endpoints.api} ${accountId}`, signIn),
  }
}

function credentialOf(place: string, signIn: () => Promise<string>): Credential {
  const begin = (): Promise<string> => {
    const going = signIn()
    tokenCache.set(place, going)
    going.catch(() => tokenCache.get(place) === going && tokenCache.delete(place))
    return going
  }
  const current = () => tokenCache.get(place) ?? begin()
  return {
    id: `stand-in ${place}`,
    method: 'oauth',
    token: current,
    renew: async (stale) => {
      const held = current()
      if ((await held) !== stale) return await held
      // Another call may have begun to renew the token meanwhile.
      return await (tokenCache.get(place) === held ? begin() : current())
    },
    // Removes the token, so that the next call signs in again.
    markDead: async () => void tokenCache.delete(place),
  }
}
