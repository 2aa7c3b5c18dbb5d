import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { type DeletedRows, rowsOfOrganization } from '../db/purge.ts'
import type { ScheduledTask } from '../scheduled-task.ts'
import { deleteOrphanedDeliveries } from '../statements/webhooks/delete-orphaned-deliveries.ts'
import { deliveriesOf, hasDelivery } from '../sql/webhooks.ts'
import { DAY_MS } from '@slipway/runtime/kernel/durations.ts'

const RETENTION_MS = 7 * DAY_MS
/** The number of events that one transaction deletes. It is so small that no request waits noticeably for the locks on these events. */
const EVENTS_PER_BATCH = 5000

/**
 * Deletes the deliveries of deleted webhook endpoints, then the events that are older than a week and have no pending
 * delivery.
 */
export const purgeEvents: ScheduledTask = {
  name: 'purge-events',
  every: 'hour',
  async run({ db, clock }, signal) {
    await inBatches(signal, () => deleteOrphanedDeliveries(db, EVENTS_PER_BATCH))
    const until = new Date(clock.now().getTime() - RETENTION_MS)
    await inBatches(signal, () => deleteOlder(db, until))
  },
}

async function deleteOlder(db: Db, until: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from events where id = any(array(
      select e.id from events e
      where e.created_at <= ${until} and not ${sql.raw(hasDelivery('e.id'))}
      order by e.created_at limit ${EVENTS_PER_BATCH}))`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

async function inBatches(signal: AbortSignal, deleteBatch: () => Promise<number>): Promise<void> {
  for (let removed = EVENTS_PER_BATCH; removed >= EVENTS_PER_BATCH;) {
    signal.throwIfAborted()
    removed = await deleteBatch()
  }
}

/** Deliveries are deleted before the events that they refer to; `$1` is the organization. */
export const EVENTS_OF_ORGANIZATION: readonly DeletedRows[] = [
  {
    table: 'deliveries',
    rows: deliveriesOf('select id from events where org_id = $1'),
  },
  rowsOfOrganization('events'),
]
