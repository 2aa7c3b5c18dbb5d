import type { Billing } from '../config.ts'
import { ApiError } from '../http/errors.ts'
import type { Platform } from '../platform.ts'
import { modeOfKey, stripeBase, type StripeAccess } from '../stripe/client.ts'
import { StripeError } from '../stripe/errors.ts'
import type { StripeSubscription } from '../stripe/subscriptions.ts'
import { SOLD_PLANS, type SoldPlan } from '../billing-plans.ts'

/** Returns the billing settings and the access to Stripe; null when this installation does not sell plans. */
export function openBilling(
  { config, log }: Pick<Platform, 'config' | 'log'>,
  signal?: AbortSignal,
): { billing: Billing; access: StripeAccess } | null {
  const { billing } = config
  const base = billing === null ? null : stripeBase(config, billing.key)
  if (billing === null || base === null) return null
  const access: StripeAccess = {
    base,
    key: billing.key,
    mode: modeOfKey(billing.key),
    signal,
    // Only logged: the account is the operator's, so its changes are not in the activity logs of organizations.
    record: async ({ status, action, detail }) => {
      if (status === 'failed') log.warn({ action, detail }, 'a call to the billing account failed')
    },
  }
  return { billing, access }
}

/** Returns the plan of a price, or null for a price of another installation. An old price still counts for its plan. */
export function planOfPrice({ prices }: Billing, priceId: string): SoldPlan | null {
  return SOLD_PLANS.find((plan) => prices[plan].includes(priceId)) ?? null
}

/** A subscription that has not ended and whose price belongs to a plan of this installation. */
export interface PaidSubscription {
  id: string
  itemId: string
  plan: SoldPlan
  status: 'active' | 'trialing' | 'past_due'
  periodEnd: Date
  endsWithPeriod: boolean
}

const ACTIVE_STATUSES = ['active', 'trialing', 'past_due'] as const

/**
 * Returns the subscription with the largest plan, which determines the organization's plan. Of several such
 * subscriptions, prefers one without an overdue payment. `unknown` has the ids of paid prices that the settings do not
 * name.
 */
export function pickSubscription(
  billing: Billing,
  subscriptions: readonly StripeSubscription[],
): { paid: PaidSubscription | null; unknown: string[] } {
  const unknown: string[] = []
  const found: PaidSubscription[] = []
  for (const { id, status: said, items, cancel_at, cancel_at_period_end } of subscriptions) {
    const status = ACTIVE_STATUSES.find((living) => living === said)
    const [item] = items.data
    if (status === undefined || item === undefined) continue
    const plan = planOfPrice(billing, item.price.id)
    if (plan === null) unknown.push(item.price.id)
    else
      found.push({
        id,
        itemId: item.id,
        plan,
        status,
        periodEnd: new Date(item.current_period_end * 1000),
        endsWithPeriod: cancel_at_period_end || cancel_at !== null,
      })
  }
  const rankOf = ({ plan, status }: PaidSubscription) =>
    SOLD_PLANS.indexOf(plan) * 2 + (status === 'past_due' ? 0 : 1)
  const [paid = null] = found.toSorted((a, b) => rankOf(b) - rankOf(a))
  return { paid, unknown }
}

/**
 * Runs calls to Stripe for a request of a member. When Stripe refuses, throws an error without Stripe's
 * reason, which only the operator of the service can act on.
 */
export async function hideStripeReason<T>(calls: () => Promise<T>): Promise<T> {
  try {
    return await calls()
  } catch (error) {
    if (!(error instanceof StripeError) || error.retryable) throw error
    throw new ApiError(
      'upstream_error',
      'Stripe refused the call. The operator of this service finds the reason in its log.',
      { cause: error },
    )
  }
}
