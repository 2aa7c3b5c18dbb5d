import { sql } from 'kysely'
import type { ScheduledTask } from '../scheduled-task.ts'
import { DAY_MS } from '@slipway/runtime/kernel/durations.ts'

/** The number of rows that one transaction deletes. It is so small that no request waits noticeably for the row locks. */
const IDEAS_PER_BATCH = 5000

/**
 * How long an operator has to find a failed idea in the log and fix the cause. An idea that failed to become a ticket
 * exists only in its row of the table `ideas`.
 */
const FAILED_KEPT_MS = 30 * DAY_MS

/**
 * Deletes the rows of removed sources: the ids of ideas that became tickets, and ideas that failed 30 days ago. A
 * source may have a million such rows, so they are not deleted when the source is removed.
 */
export const purgeIdeas: ScheduledTask = {
  name: 'forget-ideas',
  every: 'night',
  async run({ db, clock }, signal) {
    const failedUntil = new Date(clock.now().getTime() - FAILED_KEPT_MS)
    for (let forgotten = IDEAS_PER_BATCH; forgotten === IDEAS_PER_BATCH;) {
      signal.throwIfAborted()
      const { numAffectedRows = 0n } = await sql`
        delete from ideas where ticket_id in (
          select i.ticket_id from ideas i
          where (i.state = 'captured' or (i.state = 'failed' and i.next_at <= ${failedUntil}))
            and not exists (select from ingest_sources s where s.id = i.source_id)
          limit ${IDEAS_PER_BATCH})`.execute(db)
      forgotten = Number(numAffectedRows)
    }
  },
}
