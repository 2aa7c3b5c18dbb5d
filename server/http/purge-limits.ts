import type { ScheduledTask } from '../schedule/task.ts'

/** Deletes expired windows; otherwise every address that ever called would keep a row. */
export const purgeRateLimits: ScheduledTask = {
  name: 'purge-rate-limits',
  every: '10 minutes',
  async run({ db, clock }) {
    await db.deleteFrom('rate_limits').where('expire', '<', clock.now().getTime()).execute()
  },
}
