import { purge } from '../db/purge.ts'
import type { ScheduledTask } from '../scheduled-task.ts'

/** Deletes expired sessions and codes. The auth library deletes an expired row only when a request uses it. */
export const purgeSessions: ScheduledTask = {
  name: 'purge-sessions',
  every: 'night',
  async run({ db, clock }, signal) {
    const until = clock.now()
    await purge(db, { table: 'session', time: 'expiresAt', until }, signal)
    await purge(db, { table: 'verification', time: 'expiresAt', until }, signal)
  },
}
