import type { Trx } from '../db/database.ts'
import type { ScheduledTask } from '../scheduled-task.ts'

const RETENTION_MS = 3_600_000

/** Deletes device sign-ins an hour after they expired. Until then the device can still read the state of its own. */
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

/** The API key of a device is derived with the encryption key of its request; without that key the request is useless. */
export async function deleteGrantsOfOtherKeys(trx: Trx, keyId: string): Promise<void> {
  await trx.deleteFrom('device_grants').where('kid', '<>', keyId).execute()
}
