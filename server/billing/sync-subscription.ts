import { lockOrganizationRow } from '../auth/people.ts'
import * as z from 'zod'
import { readOrganizationSettings, saveSettings } from '../admin/settings.ts'
import { transact, type Trx } from '../db/database.ts'
import { recordActivity } from '../activity/log.ts'
import { defineJob } from '../jobs/jobs.ts'
import type { PlatformPorts, Ports } from '../platform.ts'
import { cancelSubscription, expireCheckouts, listSubscriptions } from '../stripe/subscriptions.ts'
import type { Customer } from './customers.ts'
import { openBilling, type PaidSubscription, pickSubscription } from './provider.ts'
import type { Plan } from '../billing-plans.ts'
import { DAY_MS } from '@slipway/runtime/kernel/durations.ts'

/** How long an organization keeps its plan when a payment is overdue (docs/limits.md#plans). */
export const GRACE_MS = 7 * DAY_MS

/**
 * Gives a customer's organization the plan of its subscription. Every job reads the subscription again, and the jobs
 * of one customer run one after another, so the order of events does not matter.
 */
export const syncSubscriptionJob = defineJob({
  name: 'follow-subscription',
  data: z.object({ customerId: z.string() }),
  policy: 'key_strict_fifo',
  key: ({ customerId }) => customerId,
  // The retries take about two hours together. After them the hourly task queues the job again.
  retryLimit: 8,
  firstPauseSeconds: 30,
  expireSeconds: 120,
  concurrency: 2,
  run: async (platform: PlatformPorts<'config'>, { data, signal }) => {
    const opened = openBilling(platform, signal)
    if (opened === null) return
    const { billing, access } = opened
    const { customerId } = data
    const { db, clock } = platform
    const subscriptions = await listSubscriptions(access, customerId)
    // Another process may have taken over this job and read a newer state.
    signal.throwIfAborted()
    const { paid, unknown } = pickSubscription(billing, subscriptions)
    const now = clock.now()
    const isDeleted = await transact(db, async (trx) => {
      const customer = await trx
        .selectFrom('billing_customers')
        .selectAll()
        .where('customer_id', '=', customerId)
        .forUpdate()
        .executeTakeFirst()
      if (customer === undefined) return false
      const organization = await lockOrganizationRow(trx, customer.org_id)
      if (organization === null) return true
      if (paid === null && unknown.length > 0) {
        // A subscription has a price that no setting names, so its plan is unknown. The current plan is kept,
        // because a paying customer must not lose a plan through a mistake in the settings.
        platform.log.error({ customerId, prices: unknown }, 'prices that no setting names')
        return false
      }
      await applyPlan(platform, trx, { customer, organization, paid, now })
      return false
    })
    if (!isDeleted) return
    // The customer's row is deleted last, because after that no job cancels a subscription. The subscriptions are
    // read after the open checkouts have expired, so that no checkout can be paid later.
    await expireCheckouts(access, customerId)
    for (const { id, status } of await listSubscriptions(access, customerId))
      if (!ENDED_STATUSES.includes(status)) await cancelSubscription(access, id)
    await db.deleteFrom('billing_customers').where('customer_id', '=', customerId).execute()
  },
})

const ENDED_STATUSES = ['canceled', 'incomplete_expired']

interface StripeReading {
  customer: Customer
  organization: { id: string; name: string }
  paid: PaidSubscription | null
  now: Date
}

async function applyPlan(
  { config }: Pick<Ports, 'config'>,
  trx: Trx,
  { customer, organization, paid, now }: StripeReading,
): Promise<void> {
  const orgId = organization.id
  const overdueSince = paid?.status === 'past_due' ? (customer.overdue_since ?? now) : null
  const recordPlan = (action: string, status: 'ok' | 'failed', detail: string) => {
    const what = { provider: 'stripe', actor: 'stripe', target: organization.name } as const
    return recordActivity(trx, { orgId, at: now, action, status, detail, ...what })
  }
  await trx
    .updateTable('billing_customers')
    .set({
      plan: paid?.plan ?? null,
      status: paid?.status ?? null,
      period_end: paid?.periodEnd ?? null,
      ends_with_period: paid?.endsWithPeriod ?? false,
      overdue_since: overdueSince,
      read_at: now,
    })
    .where('org_id', '=', orgId)
    .execute()
  if (overdueSince !== null && customer.overdue_since === null)
    await recordPlan('plan.payment_failed', 'failed', `kept until ${graceEnd(overdueSince).toISOString()}`)
  const before = (await readOrganizationSettings(trx, orgId))?.plan ?? config.defaultPlan
  const after = nextPlan({ before, customer, paid, overdueSince, now, defaultPlan: config.defaultPlan })
  if (after === before) return
  await saveSettings(trx, { now, defaultPlan: config.defaultPlan }, orgId, { plan: after })
  await recordPlan('plan.changed', 'ok', `${before} to ${after}`)
}

/** Returns the time at which an overdue payment ends the plan. */
export const graceEnd = (overdueSince: Date): Date => new Date(overdueSince.getTime() + GRACE_MS)

function nextPlan(at: {
  before: Plan
  customer: Customer
  paid: PaidSubscription | null
  overdueSince: Date | null
  now: Date
  defaultPlan: Plan
}): Plan {
  // `enterprise` is not sold: only the operator grants and removes it.
  if (at.before === 'enterprise') return at.before
  const isOver = at.overdueSince !== null && graceEnd(at.overdueSince) <= at.now
  if (at.paid !== null && !isOver) return at.paid.plan
  // The organization had no subscription before and has none now, so it keeps the plan that the operator set.
  return at.paid === null && at.customer.plan === null ? at.before : at.defaultPlan
}
