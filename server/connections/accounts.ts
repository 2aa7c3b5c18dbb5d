import { listAccounts } from '../cloudflare/accounts.ts'
import { probeScopes } from '../cloudflare/probe-scopes.ts'
import { transact } from '../db/database.ts'
import { lockOrganization } from '../db/locks.ts'
import type { Context } from '../endpoint.ts'
import { recordActivity } from '../activity/log.ts'
import { conflict, invalid } from '../http/errors.ts'
import { recordMoves } from '../moves/moves.ts'
import { lockedAccount, requireUnlocked } from './account-lock.ts'
import { actorOf } from './cloud.ts'
import { openUnstoredAccount, readAccountDetails, storeAccount } from './cloudflare-connection.ts'
import { describeConnections } from './connections.ts'
import { resumeRebinds } from './resume-rebinds.ts'

/** Requests the list of accounts from the provider at each call, so that an account that was just created is included. */
export async function listCloudAccounts(ctx: Context<'accounts'>) {
  const { organizationId } = ctx.caller
  const { cloud } = await ctx.accounts.openConnection(organizationId)
  const [accounts, locked] = await Promise.all([listAccounts(cloud), lockedAccount(ctx.db, organizationId)])
  return {
    accounts: accounts.map(({ id, name }) => ({ id, name })),
    chosen: cloud.accountId === '' ? null : cloud.accountId,
    locked: locked?.id ?? null,
  }
}

/** Switches the connection to another account of its credential. Throws `conflict` while projects are deployed in the current account. */
export async function chooseCloudAccount(ctx: Context<'accounts' | 'config' | 'jobs'>, accountId: string) {
  const orgId = ctx.caller.organizationId
  const { row, profile, credential, cloud } = await ctx.accounts.openConnection(orgId)
  requireUnlocked(await lockedAccount(ctx.db, orgId), accountId)
  const accounts = await listAccounts(cloud)
  const named = accounts.find(({ id }) => id === accountId)
  if (named === undefined) throw invalid('accountId', 'is not an account this connection reaches')
  const accessToken = await credential.token()
  const tokens = { accessToken, refreshToken: null, expiresAt: null, scopes: row.scopes }
  const grant = { profile, method: row.method, tokens }
  const account = await readAccountDetails(grant, named)
  const scopes = row.method === 'token' ? await probeScopes(openUnstoredAccount(grant, accountId)) : null
  const now = ctx.clock.now()
  await transact(ctx.db, async (trx) => {
    await lockOrganization(trx, orgId)
    requireUnlocked(await lockedAccount(trx, orgId), accountId)
    const { numUpdatedRows } = await trx
      .updateTable('connections')
      .set({
        account_id: account.id,
        account_name: account.name,
        subdomain: account.subdomain,
        ...(scopes !== null && { scopes }),
      })
      .where('org_id', '=', orgId)
      .where('id', '=', row.id)
      .where('profile', '=', row.profile)
      .where('method', '=', row.method)
      .executeTakeFirst()
    if (numUpdatedRows === 0n)
      throw conflict('The Cloudflare connection was changed meanwhile. Look at it and choose again.')
    await storeAccount(trx, orgId, { ...account, profile: row.profile, at: now })
    const moved = { orgId, accountId: account.id, before: row.account_id }
    await recordMoves(trx, { ...moved, liveData: 'copy', at: now })
    await resumeRebinds(ctx, trx, { orgId, actor: actorOf(ctx.caller) })
    await recordActivity(trx, {
      orgId,
      at: now,
      provider: 'cloudflare',
      actor: actorOf(ctx.caller),
      action: 'connection.account_chosen',
      target: account.name,
      status: 'ok',
      detail: row.account_name === null ? null : `was ${row.account_name}`,
    })
  })
  return describeConnections(ctx)
}
