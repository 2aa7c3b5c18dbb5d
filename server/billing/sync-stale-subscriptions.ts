import { sql } from 'kysely'
import { isDeletedOrganization } from '../auth/people.ts'
import { transact } from '../db/database.ts'
import { purge } from '../db/purge.ts'
import type { PlatformPorts } from '../platform.ts'
import type { ScheduledTask } from '../scheduled-task.ts'
import { syncSubscriptionJob, GRACE_MS } from './sync-subscription.ts'
import { DAY_MS } from '@slipway/runtime/kernel/durations.ts'

const READ_AGAIN_MS = DAY_MS
/** How long the ids of received events are stored, to recognise repeated ones. Stripe repeats an event for three days. */
const EVENTS_KEPT_MS = 30 * DAY_MS
const SUBSCRIPTIONS_AT_ONCE = 500

/**
 * Reads subscriptions again whose state or effect can change without an event from Stripe: when the grace
 * period of an overdue payment has ended, when the organization was deleted, and once a day, because an event
 * may have been lost.
 */
export const syncStaleSubscriptions: ScheduledTask<PlatformPorts<'config' | 'jobs'>> = {
  name: 'follow-subscriptions',
  every: 'hour',
  async run({ db, clock, config, jobs }, signal) {
    if (config.billing === null) return
    const now = clock.now().getTime()
    const rows = await db
      .selectFrom('billing_customers as c')
      .select('c.customer_id as customerId')
      .where((eb) =>
        eb.or([
          eb('c.read_at', '<=', new Date(now - READ_AGAIN_MS)),
          eb('c.overdue_since', '<=', new Date(now - GRACE_MS)),
          isDeletedOrganization(eb.ref('c.org_id')),
        ]),
      )
      // Without this condition, jobs of a subscription that cannot be read would be stored faster than they end.
      .where(
        sql<boolean>`not exists (select from pgboss.job j
          where j.name = ${syncSubscriptionJob.name} and j.singleton_key = c.customer_id and j.state < 'active')`,
      )
      // In random order, because subscriptions that cannot be read stay due. In a fixed order, a full batch of such
      // subscriptions could be selected each time, and never another row.
      .orderBy(sql`random()`)
      .limit(SUBSCRIPTIONS_AT_ONCE)
      .execute()
    signal.throwIfAborted()
    await transact(db, async (trx) => {
      for (const { customerId } of rows) await jobs.send(trx, syncSubscriptionJob, { customerId })
    })
    await purge(
      db,
      { table: 'billing_events', time: 'created_at', until: new Date(now - EVENTS_KEPT_MS) },
      signal,
    )
  },
}
