import { transact, type Trx } from '../db/database.ts'
import type { DeviceGrantsTable } from '../db/tables/device.ts'
import { knownScopes } from '../http/scopes.ts'
import { conflict, notFound } from '../http/errors.ts'
import { rateLimitedError } from '../http/limits/limits.ts'
import { hashDeviceCode, keyOfDevice } from './request-code.ts'
import { findKey } from '../keys/keys.ts'
import type { PlatformPorts, Ports } from '../platform.ts'

/** Seconds that are added to the poll interval each time a device polls too early (RFC 8628, slow_down). */
const SLOWER_BY_SECONDS = 5
const POLL_INTERVAL_SECONDS_MAX = 60

/**
 * Returns the state of a device's sign-in request, and its API key once the request is approved. A row lock ensures
 * that only one poll gets the key; later polls get a 409.
 */
export async function pollDeviceToken(ctx: PlatformPorts<'keyring'>, deviceCode: string) {
  const now = ctx.clock.now()
  const result = await transact(ctx.db, async (trx) => {
    const grant = await lockGrant(trx, hashDeviceCode(deviceCode))
    if (grant === undefined) throw notFound('device code')
    if (grant.status === 'collected') throw conflict('The key of this device code was already collected.')
    if (grant.status === 'denied') return { status: 'denied' as const }
    if (grant.expires_at <= now) return { status: 'expired' as const }
    if (grant.status === 'pending') return await recordPoll(trx, grant, now)
    return await collectGrantedKey(ctx, trx, grant, deviceCode)
  })
  // Throws after the transaction and not in it, because the longer poll interval must be committed.
  if ('waitMs' in result) throw rateLimitedError(result.waitMs)
  return result
}

function lockGrant(trx: Trx, deviceHash: string): Promise<DeviceGrantsTable | undefined> {
  return trx
    .selectFrom('device_grants')
    .selectAll()
    .where('device_hash', '=', deviceHash)
    .forUpdate()
    .executeTakeFirst()
}

async function recordPoll(trx: Trx, grant: DeviceGrantsTable, now: Date) {
  const sinceMs = grant.last_polled_at === null ? Infinity : now.getTime() - grant.last_polled_at.getTime()
  const isEarly = sinceMs < grant.interval_seconds * 1000
  const interval = isEarly
    ? Math.min(grant.interval_seconds + SLOWER_BY_SECONDS, POLL_INTERVAL_SECONDS_MAX)
    : grant.interval_seconds
  await trx
    .updateTable('device_grants')
    .set({ interval_seconds: interval, last_polled_at: now })
    .where('device_hash', '=', grant.device_hash)
    .execute()
  return isEarly ? { waitMs: interval * 1000 } : { status: 'pending' as const, interval }
}

async function collectGrantedKey(
  ctx: Pick<Ports, 'keyring'>,
  trx: Trx,
  grant: DeviceGrantsTable,
  deviceCode: string,
) {
  const key = await findKey(trx, grant.org_id ?? '', grant.api_key_id ?? '')
  // The key was revoked after the approval and before this poll.
  if (key === null) return { status: 'denied' as const }
  await trx
    .updateTable('device_grants')
    .set({ status: 'collected' })
    .where('device_hash', '=', grant.device_hash)
    .execute()
  return {
    status: 'approved' as const,
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    key: keyOfDevice(ctx.keyring, deviceCode, grant.kid).text,
    scopes: knownScopes(key.scopes),
    expiresAt: key.expires_at?.toISOString() ?? null,
  }
}
