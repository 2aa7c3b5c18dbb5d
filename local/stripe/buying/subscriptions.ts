import * as z from 'zod'
import { discountAmount } from '../catalog/codes.ts'
import { invalidParameterError, noSuchObjectError, secondsNow } from '../context.ts'
import { emitEvent } from '../events/emit.ts'
import {
  findObject,
  hiddenFieldsOf,
  storeHiddenFields,
  insertObject,
  loadObject,
  newStripeId,
  saveObject,
} from '../objects.ts'
import { listPage, Paging } from '../protocol/list.ts'
import { type Operation, operation, type AccountScope } from '../protocol/operation.ts'
import {
  CreatedRange,
  Flag,
  isWithin,
  mergeMetadata,
  MetadataIn,
  NewMetadata,
  Quantity,
  Text,
  TrialDays,
} from '../protocol/params.ts'
import type { Coupon, Interval, LineItem, Metadata, Price, Subscription } from '../types.ts'
import { cardOf, GOOD_CARD } from './cards.ts'
import { makeInvoice } from './invoices.ts'
import { requireSellable } from './sessions.ts'

const RESOURCE_TYPE = 'subscription' as const
const DAY_S = 86_400
/** The number of failed renewals after which a subscription ends. */
const FAILURES_MAX = 3
/** The time between a failed renewal and the next attempt, in seconds. */
const RETRY_S = 3 * DAY_S

interface NewSubscription {
  customer: string
  line: LineItem
  metadata: Metadata
  trialDays: number
  coupon: Coupon | null
  card: string
}

/** Creates a subscription whose first invoice is paid. */
export function startSubscription(scope: AccountScope, given: NewSubscription): Subscription {
  const { stripe, account } = scope
  const now = secondsNow(stripe)
  const price = loadObject(stripe, account, 'price', given.line.price)
  const trialEnd = given.trialDays === 0 ? null : now + given.trialDays * DAY_S
  const id = newStripeId('sub')
  const subscription = insertObject<'subscription'>(
    stripe,
    account,
    {
      id,
      object: 'subscription',
      billing_cycle_anchor: trialEnd ?? now,
      cancel_at: null,
      cancel_at_period_end: false,
      canceled_at: null,
      collection_method: 'charge_automatically',
      created: now,
      currency: price.currency,
      customer: given.customer,
      default_payment_method: newStripeId('pm'),
      discounts: given.coupon === null ? [] : [newStripeId('di')],
      ended_at: null,
      items: {
        object: 'list',
        data: [
          {
            id: newStripeId('si'),
            object: 'subscription_item',
            created: now,
            current_period_end: trialEnd ?? nextPeriod(now, price, now),
            current_period_start: now,
            metadata: {},
            price,
            quantity: given.line.quantity,
            subscription: id,
          },
        ],
        has_more: false,
        url: `/v1/subscription_items?subscription=${id}`,
      },
      latest_invoice: null,
      livemode: account.isLive,
      metadata: given.metadata,
      start_date: now,
      status: trialEnd === null ? 'active' : 'trialing',
      trial_end: trialEnd,
      trial_start: trialEnd === null ? null : now,
    },
    {
      card: given.card,
      // A coupon for one use applies to the first invoice. With a trial the first invoice is free, so keep the coupon for the next invoice.
      coupon: given.coupon?.duration === 'once' && trialEnd === null ? null : (given.coupon?.id ?? null),
      failures: 0,
    },
  )
  const amount =
    trialEnd === null ? amountOf(subscription) - discountAmount(given.coupon, amountOf(subscription)) : 0
  const invoice = makeInvoice(scope, subscription, { amount, reason: 'subscription_create', isPaid: true })
  const started = saveObject<'subscription'>(stripe, account, { ...subscription, latest_invoice: invoice.id })
  emitEvent(scope, 'customer.subscription.created', started)
  emitEvent(scope, 'invoice.paid', invoice)
  return started
}

/** Handles the end of a subscription's period: renews it, ends it, or records a failed renewal. Returns whether anything was due. */
export function endPeriodIfDue(scope: AccountScope, subscription: Subscription): boolean {
  const { stripe, account } = scope
  const now = secondsNow(stripe)
  const [item] = subscription.items.data
  if (item === undefined || subscription.status === 'canceled' || item.current_period_end > now) return false
  if (subscription.cancel_at_period_end) {
    endSubscription(scope, subscription)
    return true
  }
  const plan = hiddenFieldsOf(stripe, account, 'subscription', subscription.id)
  const found = plan.coupon === null ? null : findObject(stripe, account, 'coupon', plan.coupon)
  // Each failed attempt moved `current_period_end` to the time of the next attempt. Subtract the delays to
  // get the original end of the period, from which the renewal counts.
  const dueAt = item.current_period_end - plan.failures * RETRY_S
  const coupon = found === null || isCouponOver(found, subscription, dueAt) ? null : found
  // Only the first payment of a `slow` card is delayed: a renewal succeeds immediately with a `good` or `slow` card, and fails with any
  // other card.
  const isPaid = ['good', 'slow'].includes(cardOf(plan.card))
  const amount = amountOf(subscription) - discountAmount(coupon, amountOf(subscription))
  const invoice = makeInvoice(scope, subscription, { amount, reason: 'subscription_cycle', isPaid })
  const failures = isPaid ? 0 : plan.failures + 1
  const isCouponUsed = coupon?.duration === 'once' && isPaid
  storeHiddenFields(stripe, account, {
    kind: 'subscription',
    id: subscription.id,
    hidden: { ...plan, coupon: isCouponUsed ? null : plan.coupon, failures },
  })
  const period = isPaid
    ? {
        current_period_start: dueAt,
        current_period_end: nextPeriod(dueAt, item.price, subscription.billing_cycle_anchor),
      }
    : { current_period_end: item.current_period_end + RETRY_S }
  const changed = saveObject<'subscription'>(stripe, account, {
    ...subscription,
    items: { ...subscription.items, data: [{ ...item, ...period }] },
    latest_invoice: invoice.id,
    status: isPaid ? 'active' : 'past_due',
  })
  emitEvent(scope, isPaid ? 'invoice.paid' : 'invoice.payment_failed', invoice)
  if (failures >= FAILURES_MAX) endSubscription(scope, changed)
  else emitEvent(scope, 'customer.subscription.updated', changed)
  return true
}

export function endSubscription(scope: AccountScope, subscription: Subscription): Subscription {
  const now = secondsNow(scope.stripe)
  const ended = saveObject<'subscription'>(scope.stripe, scope.account, {
    ...subscription,
    canceled_at: subscription.canceled_at ?? now,
    ended_at: now,
    status: 'canceled',
  })
  emitEvent(scope, 'customer.subscription.deleted', ended)
  return ended
}

/** Schedules the cancellation of a subscription at the end of its period, or revokes the scheduled cancellation. */
export function setCancelAtEnd(
  scope: AccountScope,
  subscription: Subscription,
  isEnding: boolean,
): Subscription {
  const end = subscription.items.data[0]?.current_period_end ?? null
  const changed = saveObject<'subscription'>(scope.stripe, scope.account, {
    ...subscription,
    cancel_at: isEnding ? end : null,
    cancel_at_period_end: isEnding,
    canceled_at: isEnding ? secondsNow(scope.stripe) : null,
  })
  emitEvent(scope, 'customer.subscription.updated', changed)
  return changed
}

/**
 * Changes price and quantity immediately, but charges the new price only from the next period on: this stand-in does not charge the
 * difference for the rest of the current period. Without `quantity`, the quantity stays.
 */
export function changeItem(
  scope: AccountScope,
  subscription: Subscription,
  { price: priceId, quantity }: { price: string; quantity?: number | undefined },
): Subscription {
  const { stripe, account } = scope
  const price = loadObject(stripe, account, 'price', priceId)
  const data = subscription.items.data.map((item) => ({
    ...item,
    price,
    quantity: quantity ?? item.quantity,
  }))
  const items = { ...subscription.items, data }
  const changed = saveObject<'subscription'>(stripe, account, { ...subscription, items })
  emitEvent(scope, 'customer.subscription.updated', changed)
  return changed
}

const amountOf = ({ items }: Subscription): number =>
  items.data.reduce((sum, { price, quantity }) => sum + price.unit_amount * quantity, 0)

function nextPeriod(from: number, { recurring }: Price, anchor: number): number {
  const count = recurring?.interval_count ?? 1
  const steps: Record<Interval, () => number> = {
    day: () => from + count * DAY_S,
    week: () => from + 7 * count * DAY_S,
    month: () => addMonths(from, count, anchor),
    year: () => addMonths(from, 12 * count, anchor),
  }
  return steps[recurring?.interval ?? 'month']()
}

/** Returns the same day of a later month, or the last day of a month that is too short. */
function addMonths(from: number, count: number, anchor: number): number {
  const date = new Date(from * 1000)
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + count)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(lastDay, new Date(anchor * 1000).getUTCDate()))
  return Math.floor(date.getTime() / 1000)
}

/** Returns whether a coupon for some months no longer applies at the time `at`. */
function isCouponOver(coupon: Coupon, { billing_cycle_anchor: anchor }: Subscription, at: number): boolean {
  if (coupon.duration !== 'repeating') return false
  return at >= addMonths(anchor, coupon.duration_in_months ?? 0, anchor)
}

/** Subscriptions of this stand-in are never in one of the states of the second line. */
const Status = z.enum([
  ...(['active', 'trialing', 'past_due', 'canceled', 'ended', 'all'] as const),
  ...(['incomplete', 'incomplete_expired', 'unpaid', 'paused'] as const),
])
type Status = z.output<typeof Status>

/**
 * Returns whether a list with the filter `status` includes the subscription. As at the provider, a list without a status omits canceled
 * subscriptions.
 */
function isListed({ status: own }: Subscription, status: Status | undefined): boolean {
  if (status === undefined) return own !== 'canceled'
  return status === 'all' || own === (status === 'ended' ? 'canceled' : status)
}

export const subscriptionOperations: Operation[] = [
  operation({
    route: 'GET /subscriptions',
    resource: RESOURCE_TYPE,
    params: {
      ...Paging,
      created: CreatedRange,
      customer: Text.optional(),
      price: Text.optional(),
      status: Status.optional(),
    },
    act: (call) => {
      const { created, customer, price, status } = call.params
      return listPage(
        call,
        'subscription',
        '/v1/subscriptions',
        (one) =>
          (customer === undefined || one.customer === customer) &&
          (price === undefined || one.items.data.some((item) => item.price.id === price)) &&
          isListed(one, status) &&
          isWithin(one.created, created),
      )
    },
  }),
  operation({
    route: 'POST /subscriptions',
    resource: RESOURCE_TYPE,
    params: {
      customer: Text,
      items: z.array(z.strictObject({ price: Text, quantity: Quantity.optional() })).length(1),
      metadata: NewMetadata.optional(),
      trial_period_days: TrialDays.optional(),
    },
    act: (call) => {
      const { customer, items, trial_period_days: trialDays = 0 } = call.params
      const metadata = call.params.metadata ?? {}
      loadObject(call.stripe, call.account, 'customer', customer, 'customer')
      const [{ price, quantity = 1 } = { price: '' }] = items
      if (requireSellable(call.stripe, call.account, price, 'items[0][price]').recurring === null)
        throw invalidParameterError(
          'This field only accepts prices with `type=recurring`.',
          'items[0][price]',
        )
      const line = { price, quantity }
      return startSubscription(call, { customer, line, metadata, trialDays, coupon: null, card: GOOD_CARD })
    },
  }),
  operation({
    route: 'GET /subscriptions/:id',
    resource: RESOURCE_TYPE,
    act: ({ stripe, account, id }) => loadObject(stripe, account, 'subscription', id),
  }),
  operation({
    route: 'POST /subscriptions/:id',
    resource: RESOURCE_TYPE,
    params: { cancel_at_period_end: Flag.optional(), metadata: MetadataIn.optional() },
    act: (call) => {
      const { stripe, account, id, params } = call
      const found = loadObject(stripe, account, 'subscription', id)
      const subscription = saveObject<'subscription'>(stripe, account, {
        ...found,
        metadata: mergeMetadata(found.metadata, params.metadata),
      })
      const { cancel_at_period_end: isEnding } = params
      return isEnding === undefined ? subscription : setCancelAtEnd(call, subscription, isEnding)
    },
  }),
  operation({
    route: 'DELETE /subscriptions/:id',
    resource: RESOURCE_TYPE,
    params: { invoice_now: Flag.optional(), prorate: Flag.optional() },
    act: (call) => {
      const subscription = loadObject(call.stripe, call.account, 'subscription', call.id)
      // As at the provider, an ended subscription is not found.
      if (subscription.status === 'canceled') throw noSuchObjectError('subscription', call.id)
      return endSubscription(call, subscription)
    },
  }),
]
