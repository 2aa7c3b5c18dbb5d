import { randomUUID } from 'node:crypto'
import { type CloudAccount, listAccounts, readSubdomain } from '../cloudflare/accounts.ts'
import { openAccount } from '../cloudflare/client.ts'
import { CloudflareError } from '../cloudflare/errors.ts'
import type { Tokens } from '../cloudflare/oauth.ts'
import { probeScopes } from '../cloudflare/probe-scopes.ts'
import type { CloudflareProfile } from '../config.ts'
import type { SealedPlace } from '../crypto/keyring.ts'
import { transact, type Trx } from '../db/database.ts'
import { lockOrganization } from '../db/locks.ts'
import { recordActivity } from '../activity/log.ts'
import { invalid } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'
import { type LiveDataChoice, recordMoves } from '../moves/moves.ts'
import type { Core, PlatformPorts } from '../platform.ts'
import { lockedAccount, requireUnlocked } from './account-lock.ts'
import { readConnection } from './connections.ts'
import { ConnectionRefusedError } from './refused.ts'

/** A token can be decrypted only in the row and the column for which it was encrypted. */
export function tokenPlace(
  connection: { id: string; org_id: string },
  column: 'token' | 'refresh_token',
): SealedPlace {
  return { table: 'connections', id: connection.id, column, organizationId: connection.org_id }
}

export interface CloudGrant {
  profile: CloudflareProfile
  method: 'oauth' | 'token'
  tokens: Tokens
  /** The account that the person chose. Without this account, `chooseAccount` decides. */
  accountId?: string | undefined
  /**
   * Whether the records and files of live apps are copied when projects are moved from the local emulator to this
   * account. Defaults to `copy`.
   */
  liveData?: LiveDataChoice | undefined
}

export interface ConnectedAccount extends Pick<CloudAccount, 'id' | 'name'> {
  subdomain: string | null
}

/**
 * Looks up the accounts that new tokens can access, chooses one and stores it with the tokens. The first of these that
 * exists is chosen: the account in `grant`, the account with deployed projects, the account that was connected before,
 * the only account. Otherwise no account is chosen yet. An existing connection keeps its id, so that running jobs
 * continue with the new tokens. `also` runs in the same transaction.
 */
export async function storeCloudflareConnection(
  platform: PlatformPorts<'keyring'>,
  by: { orgId: string; actor: string },
  grant: CloudGrant,
  also?: (trx: Trx) => Promise<void>,
): Promise<ConnectedAccount | null> {
  const chosen = await chooseAccount(platform, by.orgId, grant)
  const account = chosen === null ? null : await readAccountDetails(grant, chosen)
  const scopes =
    grant.method === 'token' && account !== null
      ? await probeScopes(openUnstoredAccount(grant, account.id))
      : grant.tokens.scopes
  await transact(platform.db, async (trx) => {
    await lockOrganization(trx, by.orgId)
    // Checked again in the transaction, because the first project may have gone live in the meantime.
    requireUnlocked(await lockedAccount(trx, by.orgId), account?.id ?? null)
    await storeConnection(platform, trx, by, { ...grant, tokens: { ...grant.tokens, scopes } }, account)
    await also?.(trx)
  })
  return account
}

async function chooseAccount(
  platform: Core,
  orgId: string,
  grant: CloudGrant,
): Promise<Pick<CloudAccount, 'id' | 'name'> | null> {
  const accounts = await reachableAccounts(grant)
  const locked = await lockedAccount(platform.db, orgId)
  if (grant.accountId !== undefined) {
    const named = accounts.find(({ id }) => id === grant.accountId)
    if (named === undefined) throw invalid('accountId', 'is not an account this token reaches')
    requireUnlocked(locked, named.id)
    return named
  }
  if (accounts.length === 0)
    throw new ConnectionRefusedError('no_account', 'The sign-in reaches no Cloudflare account.')
  if (locked !== null) {
    const same = accounts.find(({ id }) => id === locked.id)
    requireUnlocked(locked, same?.id ?? null)
    return same ?? null
  }
  const before = await readConnection(platform.db, orgId, 'cloudflare')
  const kept = accounts.find(({ id }) => id === before?.account_id)
  return kept ?? (accounts.length === 1 ? (accounts[0] ?? null) : null)
}

async function reachableAccounts(grant: CloudGrant): Promise<Pick<CloudAccount, 'id' | 'name'>[]> {
  try {
    const accounts = await listAccounts(openUnstoredAccount(grant, ''))
    const isUnlisted = grant.accountId !== undefined && accounts.length === 0
    return isUnlisted ? namedAccount(grant) : accounts
  } catch (error) {
    const mayNotList = error instanceof CloudflareError && error.fault === 'missing_scope'
    if (mayNotList && grant.accountId !== undefined) return namedAccount(grant)
    throw error
  }
}

/**
 * Returns the account that the person entered. Used when the token is not allowed to list accounts, because the token
 * may still be valid for this account.
 */
const namedAccount = ({ accountId }: CloudGrant) =>
  accountId === undefined ? [] : [{ id: accountId, name: accountId }]

/** Returns the details of an account. The subdomain is null when the token may not read it. */
export async function readAccountDetails(
  grant: Pick<CloudGrant, 'profile' | 'method' | 'tokens'>,
  account: Pick<CloudAccount, 'id' | 'name'>,
): Promise<ConnectedAccount> {
  const { id, name } = account
  try {
    return { id, name, subdomain: await readSubdomain(openUnstoredAccount(grant, id)) }
  } catch (error) {
    if (error instanceof CloudflareError && error.fault === 'missing_scope')
      return { id, name, subdomain: null }
    throw error
  }
}

/** Opens an account with tokens that belong to no stored connection yet, so they cannot be renewed. */
export function openUnstoredAccount(
  grant: Pick<CloudGrant, 'profile' | 'method' | 'tokens'>,
  accountId: string,
) {
  const { profile, method, tokens } = grant
  return openAccount({
    api: profile.api,
    accountId,
    subdomain: '',
    appUrl: profile.appUrl,
    credential: {
      id: randomUUID(),
      method,
      token: async () => tokens.accessToken,
      renew: async () => null,
      markDead: async () => {},
    },
    record: async () => {},
  })
}

async function storeConnection(
  platform: PlatformPorts<'keyring'>,
  trx: Trx,
  by: { orgId: string; actor: string },
  { profile, method, tokens, liveData = 'copy' }: CloudGrant,
  account: ConnectedAccount | null,
): Promise<void> {
  const { keyring, clock } = platform
  const now = clock.now()
  const before = await readConnection(trx, by.orgId, 'cloudflare')
  const connection = { id: before?.id ?? newId('con'), org_id: by.orgId }
  const { accessToken, refreshToken } = tokens
  const values = {
    profile: profile.name,
    method,
    account_id: account?.id ?? null,
    account_name: account?.name ?? null,
    subdomain: account?.subdomain ?? null,
    token: keyring.seal(accessToken, tokenPlace(connection, 'token')),
    refresh_token:
      refreshToken === null ? null : keyring.seal(refreshToken, tokenPlace(connection, 'refresh_token')),
    scopes: tokens.scopes,
    status: 'connected' as const,
    expires_at: tokens.expiresAt,
  }
  await trx
    .insertInto('connections')
    .values({ ...connection, provider: 'cloudflare', ...values, created_at: now })
    .onConflict((conflict) => conflict.columns(['org_id', 'provider']).doUpdateSet(values))
    .execute()
  if (account !== null) {
    await storeAccount(trx, by.orgId, { ...account, profile: profile.name, at: now })
    const moved = { orgId: by.orgId, accountId: account.id, before: before?.account_id ?? null }
    await recordMoves(trx, { ...moved, liveData, at: now })
  }
  await recordActivity(trx, {
    orgId: by.orgId,
    at: now,
    provider: 'cloudflare',
    actor: by.actor,
    action: before === null ? 'connection.connected' : 'connection.reconnected',
    target: account?.name ?? 'account not chosen yet',
    status: 'ok',
    detail: method === 'token' ? 'with an API token' : null,
  })
}

/**
 * Stores the name and the subdomain of an account, because projects may still be deployed in this account after
 * another account was connected.
 */
export async function storeAccount(
  trx: Trx,
  orgId: string,
  account: ConnectedAccount & { profile: CloudflareProfile['name']; at: Date },
): Promise<void> {
  const { name, subdomain, profile, at } = account
  const known = { name, subdomain, profile, connected_at: at }
  await trx
    .insertInto('cloud_accounts')
    .values({ org_id: orgId, account_id: account.id, ...known, created_at: account.at })
    .onConflict((conflict) => conflict.columns(['org_id', 'account_id']).doUpdateSet(known))
    .execute()
}
