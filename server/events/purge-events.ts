import { deleteStrays, deliveriesOf, hasDelivery } from '../webhooks/shared-sql.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { type DeletedRows, rowsOfOrganization } from '../db/purge.ts'
import type { ScheduledTask } from '../schedule/task.ts'

const RETENTION_MS = 7 * 86_400_000
/** Small enough that no request waits noticeably for the row locks of a batch. */
const EVENTS_PER_BATCH = 5000

/** Deletes the deliveries of deleted endpoints, then events older than a week that were delivered or dropped. */
export const purgeEvents: ScheduledTask = {
  name: 'purge-events',
  every: 'hour',
  async run({ db, clock }, signal) {
    await inBatches(db, signal, deleteStrays(EVENTS_PER_BATCH))
    const until = new Date(clock.now().getTime() - RETENTION_MS)
    await inBatches(db, signal, deleteOlder(until))
  },
}

const deleteOlder = (until: Date) => sql`
  delete from events where id = any(array(
    select e.id from events e
    where e.created_at <= ${until} and not ${sql.raw(hasDelivery('e.id'))}
    order by e.created_at limit ${EVENTS_PER_BATCH}))`

async function inBatches(db: Db, signal: AbortSignal, statement: RawBuilder<unknown>): Promise<void> {
  for (let removed = EVENTS_PER_BATCH; removed >= EVENTS_PER_BATCH;) {
    signal.throwIfAborted()
    removed = Number((await statement.execute(db)).numAffectedRows ?? 0n)
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
