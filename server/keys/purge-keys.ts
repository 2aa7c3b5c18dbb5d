import { purge } from '../db/purge.ts'
import type { ScheduledTask } from '../scheduled-task.ts'
import { DAY_MS } from '@slipway/runtime/kernel/durations.ts'

const RETENTION_DAYS = 30

/** Deletes keys that expired more than 30 days ago, so that they no longer count against the organization's limit. */
export const purgeKeys: ScheduledTask = {
  name: 'purge-keys',
  every: 'night',
  async run({ db, clock }, signal) {
    const until = new Date(clock.now().getTime() - RETENTION_DAYS * DAY_MS)
    await purge(db, { table: 'api_keys', time: 'expires_at', until }, signal)
  },
}
