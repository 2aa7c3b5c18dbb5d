import type { Tier } from '../kernel/objects/objects.ts'
import type { OrderChange } from './calls.ts'
import { GRACE_MS } from './grants.ts'
import { idOf, listOf, textOrNull } from './stripe.ts'
import { countOf, type UnvalidatedFields, fieldsOf } from '../kernel/fields.ts'

/** Stripe's states in which a subscription grants access: paid, in its trial period, or with an overdue renewal. */
const GRANTING_STATUSES = ['active', 'trialing', 'past_due']

/** The fields that are read from a Stripe event to change orders. */
export interface PaymentEvent {
  id: string
  /** Null when the event does not contain it. The order is then found by its payment. */
  project: string | null
  tier: string | null
  changes: OrderChange[]
  /** A subscription to read from Stripe after this event, because its state in the event may be outdated. */
  subscription: { order: string; id: string } | null
  /** A paid invoice. Its payment is read from Stripe, so that a refund can find the order by the payment. */
  bill: Omit<Extract<OrderChange, { what: 'billed' }>, 'what' | 'payment'> | null
  /** The payment of a charge, which matches a charge without an order id to its order. */
  payment: string | null
}

export const isTier = (text: string | null): text is Tier => text === 'production' || text === 'preview'

/** Parses a Stripe event whose signature was verified. Returns null for a type of event that changes no order. */
export function readEvent(event: UnvalidatedFields): PaymentEvent | null {
  const object = fieldsOf(fieldsOf(event['data'])['object'])
  const type = textOrNull(event['type']) ?? ''
  const read = Object.hasOwn(EVENT_READERS, type) ? EVENT_READERS[type] : undefined
  const id = textOrNull(event['id'])
  if (read === undefined || id === null) return null
  const about = type.startsWith('invoice.') ? subscriptionOf(object).metadata : fieldsOf(object['metadata'])
  const {
    changes = [],
    subscription = null,
    bill = null,
    payment = null,
  } = read(object, textOrNull(about['order']), about)
  return {
    id,
    project: textOrNull(about['project']),
    tier: textOrNull(about['tier']),
    changes,
    subscription,
    bill,
    payment,
  }
}

type EventReader = (
  object: UnvalidatedFields,
  order: string | null,
  metadata: UnvalidatedFields,
) => Partial<PaymentEvent>

const readPaidCheckout: EventReader = (session, order, metadata) => {
  const [id, product] = [textOrNull(session['id']), textOrNull(metadata['product'])]
  // The event `async_payment_succeeded` follows once the session is paid.
  if (order === null || id === null || product === null || session['payment_status'] === 'unpaid') return {}
  const subscription = idOf(session['subscription'])
  return {
    changes: [
      {
        what: 'paid',
        order,
        user: textOrNull(session['client_reference_id']),
        product,
        kind: session['mode'] === 'subscription' ? 'subscription' : 'once',
        amount: countOf(session['amount_total']),
        currency: textOrNull(session['currency']) ?? '',
        customer: idOf(session['customer']),
        payment: idOf(session['payment_intent']),
        subscription,
        session: id,
      },
    ],
    subscription: subscription === null ? null : { order, id: subscription },
  }
}

const readFailedPayment: EventReader = (_, order) =>
  order === null ? {} : { changes: [{ what: 'failed', order }] }

const readSubscription: EventReader = (object, order) => {
  const id = textOrNull(object['id'])
  return order === null || id === null ? {} : { subscription: { order, id } }
}

const readInvoice: EventReader = (invoice, order) => {
  const { id } = subscriptionOf(invoice)
  return order === null || id === null ? {} : { subscription: { order, id } }
}

const EVENT_READERS: Readonly<Record<string, EventReader>> = {
  'checkout.session.completed': readPaidCheckout,
  'checkout.session.async_payment_succeeded': readPaidCheckout,
  'checkout.session.async_payment_failed': readFailedPayment,
  'checkout.session.expired': readFailedPayment,
  'customer.subscription.created': readSubscription,
  'customer.subscription.updated': readSubscription,
  'customer.subscription.deleted': readSubscription,
  'customer.subscription.paused': readSubscription,
  'customer.subscription.resumed': readSubscription,
  'invoice.payment_failed': readInvoice,
  'invoice.paid': (invoice, order, metadata) => {
    const id = textOrNull(invoice['id'])
    const amount = countOf(invoice['amount_paid'])
    const isRenewal = invoice['billing_reason'] === 'subscription_cycle'
    const isKnown = isRenewal || invoice['billing_reason'] === 'subscription_create'
    const begun = readInvoice(invoice, order, metadata)
    if (order === null || id === null || !isKnown || amount === 0) return begun
    const bill = { order, invoice: id, isRenewal, amount, currency: textOrNull(invoice['currency']) ?? '' }
    return { ...begun, bill }
  },
  'charge.refunded': (charge, order) => {
    const payment = idOf(charge['payment_intent'])
    if (payment === null) return {}
    const [amount, isFull] = [countOf(charge['amount_refunded']), charge['refunded'] === true]
    return { changes: [{ what: 'refunded', order, payment, amount, isFull }], payment }
  },
  // A lost dispute: the bank has returned the payment to the buyer. Stripe sends no refund for it.
  'charge.dispute.closed': (dispute, order) => {
    const payment = idOf(dispute['payment_intent'])
    if (payment === null || dispute['status'] !== 'lost') return {}
    const amount = countOf(dispute['amount'])
    return { changes: [{ what: 'refunded', order, payment, amount, isFull: true }], payment }
  },
}

/** Stripe copies the subscription's metadata into the invoice. */
function subscriptionOf(invoice: UnvalidatedFields): { id: string | null; metadata: UnvalidatedFields } {
  const details = fieldsOf(fieldsOf(invoice['parent'])['subscription_details'])
  return { id: idOf(details['subscription']), metadata: fieldsOf(details['metadata']) }
}

/**
 * Returns what a subscription grants in its current state. Access ends a week after the paid period, because the event of a renewal may be
 * late. Access ends at once when Stripe reports the subscription as ended.
 */
export function grantOf(subscription: UnvalidatedFields): {
  status: string
  isGranted: boolean
  untilAt: string | null
} {
  const status = textOrNull(subscription['status']) ?? ''
  const [item] = listOf(subscription['items'])
  const periodEnd = countOf(item?.['current_period_end'])
  const isEnding = subscription['cancel_at_period_end'] === true
  const endsAt = countOf(subscription['cancel_at']) || (isEnding ? periodEnd : 0)
  const untilMs = endsAt > 0 ? endsAt * 1000 : periodEnd > 0 ? periodEnd * 1000 + GRACE_MS : 0
  const untilAt = untilMs > 0 ? new Date(untilMs).toISOString() : null
  return { status, isGranted: GRANTING_STATUSES.includes(status), untilAt }
}

/** `invoice` must have been read with its payments expanded. */
export const paymentOf = (invoice: UnvalidatedFields): string | null =>
  idOf(fieldsOf(listOf(invoice['payments'])[0]?.['payment'])['payment_intent'])
