import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { apiKeyOf, type ApiKeyText } from '../crypto/api-key.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { transact, type Trx } from '../db/database.ts'
import { LOCK_CLASS } from '../db/locks.ts'
import type { DeviceGrantsTable } from '../db/tables/device.ts'
import type { RequestContext } from '../endpoint.ts'
import type { Scope } from '../http/scopes.ts'
import { ApiError } from '../http/errors.ts'
import { chooseScopes } from '../keys/keys.ts'
import { newUserCode, formatUserCode } from './user-code.ts'

const CODE_LIFETIME_SECONDS = 600
const POLL_INTERVAL_SECONDS = 5

/** The number of pending requests is limited, so that strangers cannot fill the table. */
export const LIVE_GRANTS_MAX = 10_000
const RETRY_WHEN_FULL_SECONDS = 60

/** Only the hash of a device code is stored. */
export const hashDeviceCode = (code: string): string => createHash('sha256').update(code).digest('hex')

/**
 * Derives the API key that belongs to a device code. The key is never stored: the approval stores only its hash, and
 * the key is derived again from the code with which the device collects it.
 */
export function keyOfDevice(keyring: Keyring, code: string, kid?: string): ApiKeyText & { kid: string } {
  const derived = keyring.derive('device-key', code, kid)
  return { kid: derived.kid, ...apiKeyOf(derived.bytes) }
}

/**
 * Starts a device sign-in. Returns one code for the device and one for the person who approves it. Throws when too
 * many sign-ins are pending.
 */
export async function requestDeviceCode(
  ctx: RequestContext<'config' | 'keyring'>,
  input: { name: string; scopes?: Scope[] | undefined },
) {
  const now = ctx.clock.now()
  const deviceCode = randomBytes(32).toString('base64url')
  const key = keyOfDevice(ctx.keyring, deviceCode)
  const userCode = await transact(ctx.db, async (trx) => {
    await requireWithinGrantLimit(trx, now)
    return await insertGrant(trx, {
      device_hash: hashDeviceCode(deviceCode),
      name: input.name,
      scopes: chooseScopes(input.scopes),
      status: 'pending',
      kid: key.kid,
      key_hash: key.hash,
      prefix: key.prefix,
      address: ctx.address,
      org_id: null,
      approved_by: null,
      api_key_id: null,
      interval_seconds: POLL_INTERVAL_SECONDS,
      last_polled_at: null,
      expires_at: new Date(now.getTime() + CODE_LIFETIME_SECONDS * 1000),
      created_at: now,
    })
  })
  const verificationUrl = `${ctx.config.baseUrl.replace(/\/$/, '')}/device`
  return {
    deviceCode,
    userCode: formatUserCode(userCode),
    verificationUrl,
    verificationUrlComplete: `${verificationUrl}?code=${formatUserCode(userCode)}`,
    expiresIn: CODE_LIFETIME_SECONDS,
    interval: POLL_INTERVAL_SECONDS,
  }
}

/** Throws when the maximum number of sign-ins is pending. Counts under a lock, so that simultaneous requests cannot exceed it. */
async function requireWithinGrantLimit(trx: Trx, now: Date): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK_CLASS.device}, 0)`.execute(trx)
  const { live } = await trx
    .selectFrom('device_grants')
    .select((eb) => eb.fn.countAll<number>().as('live'))
    .where('expires_at', '>', now)
    .where('status', 'in', ['pending', 'approved'])
    .executeTakeFirstOrThrow()
  if (live < LIVE_GRANTS_MAX) return
  throw new ApiError('rate_limited', 'Too many devices are waiting to be approved. Try again in a minute.', {
    retryAfterSeconds: RETRY_WHEN_FULL_SECONDS,
  })
}

async function insertGrant(trx: Trx, grant: Omit<DeviceGrantsTable, 'user_code'>): Promise<string> {
  // There are 2^40 codes. When another sign-in already has the generated code, another code is generated.
  for (;;) {
    const row = await trx
      .insertInto('device_grants')
      .values({ ...grant, user_code: newUserCode() })
      .onConflict((conflict) => conflict.column('user_code').doNothing())
      .returning('user_code')
      .executeTakeFirst()
    if (row !== undefined) return row.user_code
  }
}
