import { sql } from 'kysely'
import type { Trx } from '../../db/database.ts'
import type { ScheduledTask } from '../../scheduled-task.ts'
import { counterKey } from './counters.ts'

/** Deletes expired windows; without this, every address that ever sent a request would keep a row. */
export const purgeRateLimits: ScheduledTask = {
  name: 'purge-rate-limits',
  every: '10 minutes',
  async run({ db, clock }) {
    await db.deleteFrom('rate_limits').where('expire', '<', clock.now().getTime()).execute()
  },
}

/** Deletes the counters of these buckets, such as a person's id and e-mail address. */
export async function deleteCountersOf(trx: Trx, buckets: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('rate_limits')
    .where((eb) => eb.or(buckets.map((bucket) => sql<boolean>`strpos(key, ${counterKey(bucket)}) > 0`)))
    .execute()
}
