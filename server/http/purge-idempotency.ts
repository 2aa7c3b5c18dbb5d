import { purge } from '../db/purge.ts'
import type { ScheduledTask } from '../schedule/task.ts'

/** Responses are repeated for 24 hours; then the key is free and its row is deleted. */
export const purgeIdempotency: ScheduledTask = {
  name: 'purge-idempotency',
  every: 'hour',
  async run({ db, clock }, signal) {
    await purge(db, { table: 'idempotency_keys', time: 'expires_at', until: clock.now() }, signal)
  },
}
