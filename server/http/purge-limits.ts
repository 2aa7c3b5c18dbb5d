import { sql } from 'kysely'
import type { Trx } from '../db/database.ts'
import type { ScheduledTask } from '../schedule/task.ts'

/** Deletes expired windows; without this, every address that ever sent a request would keep a row. */
export const purgeRateLimits: ScheduledTask = {
  name: 'purge-rate-limits',
  every: '10 minutes',
  async run({ db, clock }) {
    await db.deleteFrom('rate_limits').where('expire', '<', clock.now().getTime()).execute()
  },
}

/** Deletes the counters whose key contains one of these texts, such as a person's id or e-mail address. */
export async function deleteCountersOf(trx: Trx, words: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('rate_limits')
    .where((eb) => eb.or(words.map((word) => sql<boolean>`strpos(key, ${word}) > 0`)))
    .execute()
}
