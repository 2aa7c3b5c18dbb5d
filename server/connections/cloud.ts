import { type Change, type Cloud, type Credential, openAccount } from '../cloudflare/client.ts'
import { GrantRefused, refreshTokens } from '../cloudflare/oauth.ts'
import { transact } from '../db/database.ts'
import { recordActivity } from '../events/activity.ts'
import type { Caller } from '../http/caller.ts'
import { conflict } from '../http/errors.ts'
import type { Platform } from '../platform.ts'
import { tokenPlace } from './cloudflare-connection.ts'
import { readConnection } from './connections.ts'

export interface CloudUse {
  orgId: string
  /** Who the activity log names. */
  actor: string
  project?: { id: string; name: string } | undefined
  signal?: AbortSignal | undefined
}

/** How the activity log names a caller: a person by address, a key by its id. */
export const actorOf = (caller: Caller): string => caller.email ?? caller.userName ?? caller.actorId

const NOT_CONNECTED = 'No cloud account is connected. Connect a Cloudflare account under Connections.'
// Renewed a little early, so that a call does not leave with a token that dies on the way.
const EARLY_MS = 30_000

/** Refuses with 409 when the organization has no usable cloud account; nothing is called. */
export async function requireCloud(platform: Platform, orgId: string) {
  const row = await readConnection(platform.db, orgId, 'cloudflare')
  if (row === null || row.account_id === null) throw conflict(NOT_CONNECTED)
  if (row.status === 'needs_reconnect')
    throw conflict('The connected Cloudflare account must be connected again under Connections.')
  if (row.subdomain === null)
    throw conflict(
      'The connected Cloudflare account has no workers.dev subdomain. Choose one in its dashboard.',
    )
  return { ...row, account_id: row.account_id, subdomain: row.subdomain }
}

/** Opens the organization's account: every change made through it lands in the activity log. */
export async function openCloud(platform: Platform, use: CloudUse): Promise<Cloud> {
  const connection = await requireCloud(platform, use.orgId)
  return openAccount({
    api: platform.config.cloudflare.api,
    accountId: connection.account_id,
    subdomain: connection.subdomain,
    credential: storedCredential(platform, connection),
    signal: use.signal,
    record: (change) => recordChange(platform, use, change),
  })
}

/** The account and its credential, for products that speak a protocol of their own. */
export async function openCredential(
  platform: Platform,
  orgId: string,
): Promise<{ accountId: string; credential: Credential }> {
  const connection = await requireCloud(platform, orgId)
  return { accountId: connection.account_id, credential: storedCredential(platform, connection) }
}

async function recordChange(
  platform: Platform,
  use: CloudUse,
  change: Change & { status: 'ok' | 'failed'; detail: string | null },
): Promise<void> {
  await recordActivity(platform.db, {
    orgId: use.orgId,
    at: platform.clock.now(),
    provider: 'cloudflare',
    actor: use.actor,
    action: change.action,
    target: change.target,
    status: change.status,
    ...(use.project === undefined ? {} : { projectId: use.project.id, projectName: use.project.name }),
    ...(change.detail === null ? {} : { detail: change.detail }),
  })
}

type Row = NonNullable<Awaited<ReturnType<typeof readConnection>>>

function storedCredential(platform: Platform, connection: Row): Credential {
  const { keyring, clock } = platform
  let token = keyring.open(connection.token, tokenPlace(connection, 'token'))
  const isDue =
    connection.expires_at !== null && connection.expires_at.getTime() < clock.now().getTime() + EARLY_MS
  let early = isDue
  const renew = async (stale: string) => {
    const renewed = await renewToken(platform, connection, stale)
    if (renewed !== null) token = renewed
    return renewed
  }
  return {
    token: async () => {
      if (!early) return token
      early = false
      return (await renew(token)) ?? token
    },
    renew,
    markDead: async () => {
      await markNeedsReconnect(platform, connection)
    },
  }
}

/**
 * Exchanges the refresh token once, however many processes ask: the row lock makes the others wait and then read
 * what the first one stored. A rotating token is committed before it is used.
 */
async function renewToken(platform: Platform, connection: Row, stale: string): Promise<string | null> {
  const { db, keyring, config, clock } = platform
  try {
    return await transact(db, async (trx) => {
      const row = await trx
        .selectFrom('connections')
        .selectAll()
        .where('org_id', '=', connection.org_id)
        .where('id', '=', connection.id)
        .forUpdate()
        .executeTakeFirst()
      if (row === undefined || row.status === 'needs_reconnect' || row.refresh_token === null) return null
      const stored = keyring.open(row.token, tokenPlace(row, 'token'))
      if (stored !== stale) return stored
      const now = clock.now()
      const refresh = keyring.open(row.refresh_token, tokenPlace(row, 'refresh_token'))
      const tokens = await refreshTokens(config.cloudflare, refresh, now)
      await trx
        .updateTable('connections')
        .set({
          token: keyring.seal(tokens.accessToken, tokenPlace(row, 'token')),
          refresh_token: keyring.seal(tokens.refreshToken ?? refresh, tokenPlace(row, 'refresh_token')),
          expires_at: tokens.expiresAt,
          ...(tokens.scopes.length > 0 ? { scopes: tokens.scopes } : {}),
        })
        .where('org_id', '=', row.org_id)
        .where('id', '=', row.id)
        .execute()
      return tokens.accessToken
    })
  } catch (error) {
    if (error instanceof GrantRefused) return null
    throw error
  }
}

async function markNeedsReconnect(platform: Platform, connection: Row): Promise<void> {
  await platform.db
    .updateTable('connections')
    .set({ status: 'needs_reconnect' })
    .where('org_id', '=', connection.org_id)
    .where('id', '=', connection.id)
    .execute()
}
