import { findCode, redeem, discountRefusal, type Discount } from '../catalog/codes.ts'
import { secondsNow } from '../context.ts'
import { emitEvent } from '../events/emit.ts'
import { findObject, hiddenFieldsOf, loadObject, saveObject } from '../objects.ts'
import type { AccountScope } from '../protocol/operation.ts'
import type { CheckoutSession } from '../types.ts'
import { cardOf, DECLINED_MESSAGE } from './cards.ts'
import { createCustomer } from './customers.ts'
import { failPayment, settlePayment, startPayment } from './payments.ts'
import { sessionAmounts } from './sessions.ts'
import { startSubscription } from './subscriptions.ts'

export interface PaymentInput {
  email: string
  card: string
  /** The promotion code; empty when there is none. */
  code: string
}

/** Pays a checkout. Returns the session, or an error message for the page. Call it inside a transaction. */
export function paySession(scope: AccountScope, id: string, entered: PaymentInput): string | CheckoutSession {
  const { stripe, account } = scope
  const open = loadObject(stripe, account, 'checkout.session', id)
  if (open.status !== 'open' || open.expires_at <= secondsNow(stripe)) return 'This checkout is over.'
  if (open.customer !== null && findObject(stripe, account, 'customer', open.customer) === null)
    return 'The customer of this checkout was deleted.'
  const discount = discountOf(scope, open, entered.code)
  if (typeof discount === 'string') return discount
  const session = discount === null ? open : { ...open, ...sessionAmounts(open.amount_subtotal, discount) }
  const card = cardOf(entered.card)
  if (card === 'declined' && session.amount_total > 0) return DECLINED_MESSAGE
  const { lines, paymentMetadata, subscriptionMetadata, trialDays } = hiddenFieldsOf(
    stripe,
    account,
    'checkout.session',
    id,
  )
  if (discount !== null) redeem(stripe, account, discount)
  const { email } = entered
  const needsCustomer = session.mode === 'subscription' || session.customer_creation === 'always'
  const customer = session.customer ?? (needsCustomer ? createCustomer(stripe, account, { email }).id : null)
  const done: CheckoutSession = {
    ...session,
    customer,
    customer_details: { email, name: null },
    status: 'complete',
    url: null,
  }
  const [line] = lines
  if (session.mode === 'subscription' && customer !== null && line !== undefined) {
    const subscription = startSubscription(scope, {
      customer,
      line,
      metadata: subscriptionMetadata,
      trialDays,
      coupon: discount?.coupon ?? null,
      card: entered.card,
    })
    const payment_status = trialDays > 0 || session.amount_total === 0 ? 'no_payment_required' : 'paid'
    const { latest_invoice: invoice } = subscription
    return completeSession(scope, { ...done, subscription: subscription.id, invoice, payment_status })
  }
  if (session.amount_total === 0)
    return completeSession(scope, { ...done, payment_status: 'no_payment_required' })
  const { amount_total: amount, currency } = session
  const payment = startPayment(scope, { amount, currency, customer, email, metadata: paymentMetadata })
  if (card === 'slow') return completeSession(scope, { ...done, payment_intent: payment.id })
  settlePayment(scope, payment, email)
  return completeSession(scope, { ...done, payment_intent: payment.id, payment_status: 'paid' })
}

/**
 * Settles the delayed payment of a completed checkout, as paid or failed. Does nothing when the payment was
 * settled before.
 */
export function settleSession(scope: AccountScope, id: string, isPaid: boolean): void {
  const { stripe, account } = scope
  const session = loadObject(stripe, account, 'checkout.session', id)
  if (session.status !== 'complete' || session.payment_status !== 'unpaid') return
  const payment = loadObject(stripe, account, 'payment_intent', session.payment_intent ?? '')
  if (payment.status !== 'processing') return
  if (isPaid) settlePayment(scope, payment, session.customer_details?.email ?? null)
  else failPayment(scope, payment)
  const settled = isPaid
    ? saveObject<'checkout.session'>(stripe, account, { ...session, payment_status: 'paid' })
    : session
  emitEvent(scope, `checkout.session.async_payment_${isPaid ? 'succeeded' : 'failed'}`, settled)
}

function completeSession(scope: AccountScope, session: CheckoutSession): CheckoutSession {
  const saved = saveObject<'checkout.session'>(scope.stripe, scope.account, session)
  emitEvent(scope, 'checkout.session.completed', saved)
  return saved
}

/** Returns the session's discount, else the entered code's; null without a discount; an error message when the code is refused. */
function discountOf(
  { stripe, account }: AccountScope,
  session: CheckoutSession,
  code: string,
): string | Discount | null {
  const [given] = session.discounts
  const text = code.trim()
  if (given === undefined && text === '') return null
  const entered = () => (session.allow_promotion_codes === true ? findCode(stripe, account, text) : null)
  const promotionCode =
    given === undefined
      ? entered()
      : findObject(stripe, account, 'promotion_code', given.promotion_code ?? '')
  const coupon = findObject(stripe, account, 'coupon', promotionCode?.promotion.coupon ?? given?.coupon ?? '')
  if (coupon === null) return 'This code is invalid.'
  return discountRefusal(stripe, { coupon, promotionCode }, session) ?? { coupon, promotionCode }
}
