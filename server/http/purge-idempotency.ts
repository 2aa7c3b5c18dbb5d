import type { Trx } from '../db/database.ts'
import { purge, rowsOfOrganization } from '../db/purge.ts'
import type { ScheduledTask } from '../scheduled-task.ts'

/** Stored responses are returned again for 24 hours. After that the key is free and its row is deleted. */
export const purgeIdempotency: ScheduledTask = {
  name: 'purge-idempotency',
  every: 'hour',
  async run({ db, clock }, signal) {
    await purge(db, { table: 'idempotency_keys', time: 'expires_at', until: clock.now() }, signal)
  },
}

export const RESPONSES_OF_ORGANIZATION = rowsOfOrganization('idempotency_keys')

/** Deletes a person's stored responses in every organization that they have been in. */
export async function deleteResponsesTo(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('idempotency_keys').where('user_id', '=', userId).execute()
}
