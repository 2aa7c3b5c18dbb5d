import { transact, type Db, type Trx } from '../db/database.ts'
import { lockOrganization } from '../db/locks.ts'
import type { DeviceGrantsTable } from '../db/tables/device.ts'
import type { CallerContext } from '../endpoint.ts'
import { knownScopes } from '../http/scopes.ts'
import { conflict, notFound } from '../http/errors.ts'
import { DAY_MS } from '@slipway/runtime/kernel/durations.ts'
import { storeKey } from '../keys/keys.ts'
import type { Core } from '../platform.ts'
import { readUserCode, formatUserCode } from './user-code.ts'

const KEY_DAYS = 90
// The minimum time that a device has to collect its key, even after an approval in the last second.
const COLLECT_WITHIN_MS = 60_000

/** Returns the name of the device and the scopes that it requests, for the person who approves or denies the request. */
export async function readGrant(ctx: Core, code: string) {
  const grant = await findGrant(ctx.db, code, ctx.clock.now())
  return {
    code: formatUserCode(grant.user_code),
    name: grant.name,
    scopes: knownScopes(grant.scopes),
    address: grant.address,
    expiresAt: grant.expires_at.toISOString(),
  }
}

/**
 * Approves the request of a device: creates its API key in the organization of the person's session. The key counts
 * against the organization's limit of API keys from now on.
 */
export function approveGrant(ctx: CallerContext<'db' | 'clock'>, code: string) {
  const now = ctx.clock.now()
  return transact(ctx.db, async (trx) => {
    await lockOrganization(trx, ctx.caller.organizationId)
    const grant = await findGrant(trx, code, now, 'for update')
    const scopes = knownScopes(grant.scopes)
    const expiresAt = new Date(now.getTime() + KEY_DAYS * DAY_MS)
    const { name, prefix } = grant
    const id = await storeKey(ctx, trx, {
      name,
      prefix,
      hash: grant.key_hash,
      scopes,
      source: 'device',
      expiresAt,
    })
    await trx
      .updateTable('device_grants')
      .set({
        status: 'approved',
        org_id: ctx.caller.organizationId,
        approved_by: ctx.caller.userId,
        api_key_id: id,
        expires_at: new Date(Math.max(grant.expires_at.getTime(), now.getTime() + COLLECT_WITHIN_MS)),
      })
      .where('device_hash', '=', grant.device_hash)
      .execute()
    return { id, name, prefix, scopes, expiresAt: expiresAt.toISOString() }
  })
}

/** Denies the request of a device, whose next poll returns `denied`. */
export function denyGrant(ctx: Core, code: string): Promise<{ denied: true }> {
  return transact(ctx.db, async (trx) => {
    const grant = await findGrant(trx, code, ctx.clock.now(), 'for update')
    await trx
      .updateTable('device_grants')
      .set({ status: 'denied' })
      .where('device_hash', '=', grant.device_hash)
      .execute()
    return { denied: true as const }
  })
}

/**
 * Finds the pending request of a code. The request belongs to no organization yet, so every signed-in person
 * with the code may decide it.
 */
async function findGrant(
  db: Db | Trx,
  code: string,
  now: Date,
  lock?: 'for update',
): Promise<DeviceGrantsTable> {
  const select = db.selectFrom('device_grants').selectAll().where('user_code', '=', readUserCode(code))
  const grant = await (lock === undefined ? select : select.forUpdate()).executeTakeFirst()
  if (grant !== undefined && grant.status !== 'pending') throw conflict('This code was already used.')
  if (grant === undefined || grant.expires_at <= now) throw notFound('device code, or it has expired')
  return grant
}
