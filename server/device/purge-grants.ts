import type { Trx } from '../db/database.ts'
import type { ScheduledTask } from '../schedule/task.ts'

const KEPT_MS = 3_600_000

/**
 * Deletes device sign-ins an hour after they expired; until then the device can still read what became of its
 * own.
 */
export const purgeDeviceGrants: ScheduledTask = {
  name: 'purge-device-grants',
  every: '10 minutes',
  run: async ({ db, clock }) => {
    await db
      .deleteFrom('device_grants')
      .where('expires_at', '<=', new Date(clock.now().getTime() - KEPT_MS))
      .execute()
  },
}

/** Without the key they began with, the API key of a device cannot be derived any more. */
export async function deleteGrantsOfOtherKeys(trx: Trx, keyId: string): Promise<void> {
  await trx.deleteFrom('device_grants').where('kid', '<>', keyId).execute()
}
