import { countStarts } from '../builds/run/allowance.ts'
import { type Db, transact, type Trx } from '../db/database.ts'
import type { CallerContext, Context } from '../endpoint.ts'
import { recordCallerChange } from '../activity/log.ts'
import { ApiError, conflict } from '../http/errors.ts'
import type { Billing } from '../config.ts'
import type { Platform } from '../platform.ts'
import { countProjects } from '../projects/projects.ts'
import { countLiveProjects } from '../deployments/store.ts'
import type { StripeAccess } from '../stripe/client.ts'
import { openPortal } from '../stripe/portal.ts'
import { listSubscriptions, openCheckout } from '../stripe/subscriptions.ts'
import { ensureCustomer, findCustomer, lockCustomer } from './customers.ts'
import { graceEnd } from './sync-subscription.ts'
import { type Plan, PLAN_CAPS, SOLD_PLANS, type SoldPlan } from '../billing-plans.ts'
import { hideStripeReason, openBilling, pickSubscription } from './provider.ts'

/** Returns the limit for JSON, which has no Infinity: null when there is no limit. */
const limitOrNull = (cap: number): number | null => (cap === Infinity ? null : cap)

/** Returns the plan, its limits and the subscription. Without a subscription the operator determines the plan. */
export async function describeBilling(
  { db, clock, config }: Pick<Platform, 'db' | 'clock' | 'config'>,
  orgId: string,
  plan: Plan,
) {
  const [projects, liveProjects, builds, customer] = await Promise.all([
    countProjects(db, orgId),
    countLiveProjects(db, { orgId }),
    countStarts(db, orgId, clock.now()),
    findCustomer(db, orgId),
  ])
  const caps = PLAN_CAPS[plan]
  const isPaid = customer !== null && customer.plan !== null
  const ends = isPaid && customer.ends_with_period
  return {
    plan,
    managed: config.billing !== null,
    projects: { used: projects, limit: limitOrNull(caps.projects) },
    liveProjects: { used: liveProjects, limit: limitOrNull(caps.liveProjects) },
    builds: { used: builds, limit: limitOrNull(caps.buildsPerHour) },
    buildsPerHour: limitOrNull(caps.buildsPerHour),
    plans: config.billing === null ? [] : SOLD_PLANS.map((sold) => ({ plan: sold, ...PLAN_CAPS[sold] })),
    renewsAt: isPaid && !ends ? (customer.period_end?.toISOString() ?? null) : null,
    subscription:
      customer === null || customer.plan === null
        ? null
        : {
            plan: customer.plan,
            endsAt: ends ? (customer.period_end?.toISOString() ?? null) : null,
            overdue:
              customer.overdue_since === null
                ? null
                : { keptUntil: graceEnd(customer.overdue_since).toISOString() },
          },
  }
}

const BILLING_PAGE = '/settings/billing'

/**
 * Returns the address of Stripe's page for paying for a plan. An organization with a subscription gets the customer
 * portal's page for changing it, because a second subscription would be charged in addition.
 */
export function startCheckout(ctx: Context<'config'>, plan: SoldPlan): Promise<{ url: string }> {
  if (ctx.caller.plan === 'enterprise')
    throw conflict('The organization is on the Enterprise plan, which the operator of this service manages.')
  return openStripePage(ctx, async ({ billing, access, customerId, back }) => {
    const { paid } = pickSubscription(billing, await listSubscriptions(access, customerId))
    const [priceId = ''] = billing.prices[plan]
    if (paid === null) {
      const wish = {
        customerId,
        priceId,
        metadata: { organization: ctx.caller.organizationId },
        successUrl: `${back}?checkout=${plan}`,
        cancelUrl: `${back}?checkout=cancelled`,
      }
      return await transact(ctx.db, async (trx) => {
        // Without the lock, simultaneous requests would end the same earlier checkouts and then each open a new one.
        await lockCustomer(trx, ctx.caller.organizationId)
        const url = await openCheckout(access, wish)
        await recordBilling(ctx, trx, 'plan.checkout_opened', plan)
        return url
      })
    }
    if (paid.status === 'past_due')
      throw conflict('The last payment failed. Pay it in the portal first, then change the plan.')
    if (paid.plan === plan)
      throw conflict(`The organization pays for the ${plan} plan already. The portal changes or ends it.`)
    const change = { subscriptionId: paid.id, itemId: paid.itemId, priceId }
    const returnUrl = `${back}?checkout=${plan}`
    const url = await openPortal(access, { customerId, returnUrl, priceIds: soldPrices(billing), change })
    await recordBilling(ctx, ctx.db, 'plan.checkout_opened', plan)
    return url
  })
}

/** Returns the address of the portal. Throws `conflict` for an organization that has never paid, because its portal would be empty. */
export async function startPortal(ctx: Context<'config'>): Promise<{ url: string }> {
  const { organizationId: orgId } = ctx.caller
  if (ctx.config.billing !== null && (await findCustomer(ctx.db, orgId)) === null)
    throw conflict('The organization has not paid for a plan yet, so the portal has nothing to show.')
  return await openStripePage(ctx, async ({ billing, access, customerId, back }) => {
    const url = await openPortal(access, { customerId, returnUrl: back, priceIds: soldPrices(billing) })
    await recordBilling(ctx, ctx.db, 'plan.portal_opened', null)
    return url
  })
}

interface StripeCustomerContext {
  billing: Billing
  access: StripeAccess
  customerId: string
  back: string
}

async function openStripePage(
  ctx: Context<'config'>,
  open: (at: StripeCustomerContext) => Promise<string>,
): Promise<{ url: string }> {
  const opened = openBilling(ctx, ctx.signal)
  if (opened === null)
    throw new ApiError('not_enabled', 'Plans are not sold here: the operator of this service sets them.')
  return await hideStripeReason(async () => {
    const customerId = await ensureCustomer(ctx, opened.access)
    return { url: await open({ ...opened, customerId, back: `${ctx.config.baseUrl}${BILLING_PAGE}` }) }
  })
}

/** The prices that the portal offers: the current price of each plan. */
const soldPrices = ({ prices }: StripeCustomerContext['billing']): string[] =>
  [prices.starter[0], prices.pro[0]].filter((id) => id !== undefined)

const recordBilling = (
  ctx: CallerContext<'clock'>,
  db: Db | Trx,
  action: string,
  detail: string | null,
): Promise<void> =>
  recordCallerChange(ctx, db, { provider: 'stripe', action, target: ctx.caller.organizationName, detail })
