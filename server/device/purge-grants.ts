import type { Trx } from '../db/database.ts'
import type { ScheduledTask } from '../scheduled-task.ts'
import { HOUR_MS } from '@slipway/runtime/kernel/durations.ts'

const RETENTION_MS = HOUR_MS

/**
 * Deletes device sign-ins an hour after they expired. Until then the response to a device that polls says that its
 * sign-in has expired.
 */
export const purgeDeviceGrants: ScheduledTask = {
  name: 'purge-device-grants',
  every: '10 minutes',
  run: async ({ db, clock }) => {
    await db
      .deleteFrom('device_grants')
      .where('expires_at', '<=', new Date(clock.now().getTime() - RETENTION_MS))
      .execute()
  },
}

/**
 * Deletes device sign-ins that were started with another encryption key than `keyId`. A key rotation removes that
 * key, without which the API key of the device cannot be derived.
 */
export async function deleteGrantsOfOtherKeys(trx: Trx, keyId: string): Promise<void> {
  await trx.deleteFrom('device_grants').where('kid', '<>', keyId).execute()
}
