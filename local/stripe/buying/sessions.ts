import * as z from 'zod'
import { discountAmount, type Discount, discountRefusal } from '../catalog/codes.ts'
import {
  invalidParameterError,
  type StripeAccount,
  secondsNow,
  type Stripe,
  StripeFailure,
} from '../context.ts'
import { emitEvent } from '../events/emit.ts'
import { sha256 } from '../../world/ids.ts'
import { hiddenFieldsOf, insertObject, loadObject, newStripeId, saveObject } from '../objects.ts'
import { listPage, pageOf, Paging } from '../protocol/list.ts'
import { type StripeCall, type Operation, operation } from '../protocol/operation.ts'
import {
  CreatedRange,
  Email,
  Flag,
  Int,
  isWithin,
  NewMetadata,
  Quantity,
  Text,
  TrialDays,
  Url,
} from '../protocol/params.ts'
import type { Price, CheckoutSession } from '../types.ts'

const RESOURCE_TYPE = 'checkout_session' as const
const SESSION_LIFETIME_S = 24 * 3600
const SESSION_LIFETIME_MIN_S = 30 * 60

const LineIn = z.strictObject({ price: Text, quantity: Quantity.optional() })
const DiscountIn = z.strictObject({ coupon: Text.optional(), promotion_code: Text.optional() })

const NewSession = {
  allow_promotion_codes: Flag.optional(),
  automatic_tax: z.strictObject({ enabled: Flag }).optional(),
  billing_address_collection: z.enum(['auto', 'required']).optional(),
  cancel_url: Url.optional(),
  client_reference_id: z.string().max(200).optional(),
  customer: Text.optional(),
  customer_creation: z.enum(['always', 'if_required']).optional(),
  customer_email: Email.optional(),
  discounts: z.array(DiscountIn).max(1).optional(),
  expires_at: Int.optional(),
  invoice_creation: z.strictObject({ enabled: Flag }).optional(),
  line_items: z.array(LineIn).min(1).max(100),
  locale: Text.optional(),
  metadata: NewMetadata.optional(),
  mode: z.enum(['payment', 'subscription']),
  payment_intent_data: z
    .strictObject({
      metadata: NewMetadata.optional(),
      description: Text.optional(),
      receipt_email: Text.optional(),
    })
    .optional(),
  payment_method_collection: z.enum(['always', 'if_required']).optional(),
  submit_type: Text.optional(),
  subscription_data: z
    .strictObject({
      metadata: NewMetadata.optional(),
      trial_period_days: TrialDays.optional(),
      description: Text.optional(),
    })
    .optional(),
  success_url: Url,
  ui_mode: z.literal('hosted_page').optional(),
}
type NewSession = z.output<z.ZodObject<typeof NewSession>>

export const sessionOperations: Operation[] = [
  operation({
    route: 'POST /checkout/sessions',
    resource: RESOURCE_TYPE,
    params: NewSession,
    act: createSession,
  }),
  operation({
    route: 'GET /checkout/sessions',
    resource: RESOURCE_TYPE,
    params: {
      ...Paging,
      created: CreatedRange,
      customer: Text.optional(),
      payment_intent: Text.optional(),
      status: z.enum(['open', 'complete', 'expired']).optional(),
      subscription: Text.optional(),
    },
    act: (call) => {
      const { created, customer, payment_intent: payment, status, subscription } = call.params
      return listPage(
        call,
        'checkout.session',
        '/v1/checkout/sessions',
        (one) =>
          (customer === undefined || one.customer === customer) &&
          (payment === undefined || one.payment_intent === payment) &&
          (status === undefined || one.status === status) &&
          (subscription === undefined || one.subscription === subscription) &&
          isWithin(one.created, created),
      )
    },
  }),
  operation({
    route: 'GET /checkout/sessions/:id',
    resource: RESOURCE_TYPE,
    act: ({ stripe, account, id }) => loadObject(stripe, account, 'checkout.session', id),
  }),
  operation({
    route: 'GET /checkout/sessions/:id/line_items',
    resource: RESOURCE_TYPE,
    params: Paging,
    act: ({ stripe, account, id, params }) => {
      loadObject(stripe, account, 'checkout.session', id)
      const { lines } = hiddenFieldsOf(stripe, account, 'checkout.session', id)
      const items = lines.map(({ price: priceId, quantity }, at) => {
        const price = loadObject(stripe, account, 'price', priceId)
        const amount = price.unit_amount * quantity
        const { currency } = price
        const lineId = `li_${sha256(`${id} ${at}`).slice(0, 24)}`
        return { id: lineId, object: 'item', amount_subtotal: amount, currency, price, quantity }
      })
      return pageOf(items, { kind: 'item', url: `/v1/checkout/sessions/${id}/line_items`, params })
    },
  }),
  operation({
    route: 'POST /checkout/sessions/:id/expire',
    resource: RESOURCE_TYPE,
    act: (call) => {
      const session = loadObject(call.stripe, call.account, 'checkout.session', call.id)
      if (session.status !== 'open')
        throw new StripeFailure(400, 'Only Checkout Sessions with a status in ["open"] can be expired.')
      return expireSession(call, session)
    },
  }),
]

function createSession(call: StripeCall<NewSession>): CheckoutSession {
  const { stripe, account, params } = call
  const lines = params.line_items.map(({ price, quantity = 1 }) => ({ price, quantity }))
  const prices = lines.map(({ price }, at) =>
    requireSellable(stripe, account, price, `line_items[${at}][price]`),
  )
  requirePricesOfMode(params, prices)
  if (params.customer !== undefined) loadObject(stripe, account, 'customer', params.customer, 'customer')
  const now = secondsNow(stripe)
  const { expires_at: expiresAt = now + SESSION_LIFETIME_S } = params
  if (expiresAt < now + SESSION_LIFETIME_MIN_S || expiresAt > now + SESSION_LIFETIME_S + 60)
    throw invalidParameterError(
      'The `expires_at` timestamp must be 30 minutes to 24 hours from now.',
      'expires_at',
    )
  const subtotal = prices.reduce(
    (sum, { unit_amount }, at) => sum + unit_amount * (lines[at]?.quantity ?? 1),
    0,
  )
  const [currency = ''] = prices.map((price) => price.currency)
  const [given] = params.discounts ?? []
  const discount =
    given === undefined
      ? null
      : requireDiscount(stripe, account, given, { currency, customer: params.customer ?? null })
  const id = newStripeId(account.isLive ? 'cs_live' : 'cs_test')
  return insertObject<'checkout.session'>(
    stripe,
    account,
    {
      id,
      object: 'checkout.session',
      allow_promotion_codes: params.allow_promotion_codes ?? null,
      ...sessionAmounts(subtotal, discount),
      cancel_url: params.cancel_url ?? null,
      client_reference_id: params.client_reference_id ?? null,
      created: now,
      currency,
      customer: params.customer ?? null,
      customer_creation: params.mode === 'payment' ? (params.customer_creation ?? 'if_required') : null,
      customer_details: null,
      customer_email: params.customer_email ?? null,
      expires_at: expiresAt,
      invoice: null,
      livemode: account.isLive,
      metadata: params.metadata ?? {},
      mode: params.mode,
      payment_intent: null,
      payment_status: 'unpaid',
      status: 'open',
      subscription: null,
      success_url: params.success_url,
      ui_mode: 'hosted_page',
      url: `${stripe.pagesUrl()}/checkout/${id}`,
    },
    {
      lines,
      paymentMetadata: params.payment_intent_data?.metadata ?? {},
      subscriptionMetadata: params.subscription_data?.metadata ?? {},
      trialDays: params.subscription_data?.trial_period_days ?? 0,
    },
  )
}

/** Returns the amounts of a checkout, in the smallest unit of the currency. */
export function sessionAmounts(
  subtotal: number,
  discount: Discount | null,
): Pick<CheckoutSession, 'amount_subtotal' | 'amount_total' | 'discounts' | 'total_details'> {
  const off = discountAmount(discount?.coupon ?? null, subtotal)
  return {
    amount_subtotal: subtotal,
    amount_total: subtotal - off,
    discounts:
      discount === null
        ? []
        : [
            discount.promotionCode === null
              ? { coupon: discount.coupon.id, promotion_code: null }
              : { coupon: null, promotion_code: discount.promotionCode.id },
          ],
    total_details: { amount_discount: off, amount_shipping: 0, amount_tax: 0 },
  }
}

export function expireSession(
  scope: Pick<StripeCall<unknown>, 'stripe' | 'account' | 'request'>,
  session: CheckoutSession,
): CheckoutSession {
  const expired = saveObject<'checkout.session'>(scope.stripe, scope.account, {
    ...session,
    status: 'expired',
    url: null,
  })
  emitEvent(scope, 'checkout.session.expired', expired)
  return expired
}

/** Returns the price. Throws the provider's error unless the price and its product are on sale. */
export function requireSellable(
  stripe: Stripe,
  account: StripeAccount,
  priceId: string,
  param: string,
): Price {
  const price = loadObject(stripe, account, 'price', priceId, param)
  if (!price.active)
    throw invalidParameterError(
      `The price specified is inactive. This field only accepts active prices.`,
      param,
    )
  if (!loadObject(stripe, account, 'product', price.product).active)
    throw invalidParameterError(
      `Price \`${priceId}\` is not available to be purchased because its product is not active.`,
      param,
    )
  return price
}

function requirePricesOfMode(params: NewSession, prices: Price[]): void {
  const isRecurring = prices.some(({ type }) => type === 'recurring')
  if (params.mode === 'payment' && isRecurring)
    throw invalidParameterError(
      'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
      'mode',
    )
  if (params.mode === 'subscription' && !isRecurring)
    throw invalidParameterError(
      'You must provide at least one recurring price in `subscription` mode when using prices.',
      'mode',
    )
  // The provider bills several prices together. This stand-in cannot, so it refuses them instead of charging only the first.
  if (params.mode === 'subscription' && prices.length > 1)
    throw invalidParameterError('The local stand-in sells one price per subscription.', 'line_items')
  if (params.mode === 'payment' && params.subscription_data !== undefined)
    throw invalidParameterError(
      'You can not pass `subscription_data` in `payment` mode.',
      'subscription_data',
    )
  if (params.mode === 'subscription' && params.payment_intent_data !== undefined)
    throw invalidParameterError(
      'You can not pass `payment_intent_data` in `subscription` mode.',
      'payment_intent_data',
    )
  if (params.mode === 'subscription' && params.customer_creation !== undefined)
    throw invalidParameterError(
      '`customer_creation` can only be used in `payment` and `setup` modes.',
      'customer_creation',
    )
  if (params.customer !== undefined && params.customer_email !== undefined)
    throw invalidParameterError(
      'You may only specify one of these parameters: customer, customer_email.',
      'customer',
    )
  if (params.discounts !== undefined && params.allow_promotion_codes !== undefined)
    throw invalidParameterError(
      'You may only specify one of these parameters: allow_promotion_codes, discounts.',
      'allow_promotion_codes',
    )
  if (new Set(prices.map(({ currency }) => currency)).size > 1)
    throw invalidParameterError('All prices on a Checkout Session must have the same currency.', 'line_items')
}

/** Throws the provider's error when the discount cannot be redeemed. */
function requireDiscount(
  stripe: Stripe,
  account: StripeAccount,
  given: z.output<typeof DiscountIn>,
  purchase: { currency: string; customer: string | null },
): Discount {
  const promotionCode =
    given.promotion_code === undefined
      ? null
      : loadObject(stripe, account, 'promotion_code', given.promotion_code, 'discounts[0][promotion_code]')
  const couponId = promotionCode?.promotion.coupon ?? given.coupon ?? ''
  const coupon = loadObject(stripe, account, 'coupon', couponId, 'discounts[0][coupon]')
  const refusal = discountRefusal(stripe, { coupon, promotionCode }, purchase)
  if (refusal !== null) throw invalidParameterError(refusal, 'discounts')
  return { coupon, promotionCode }
}
