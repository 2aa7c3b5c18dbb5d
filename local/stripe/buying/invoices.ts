import * as z from 'zod'
import { secondsNow } from '../context.ts'
import { listObjects, findObject, insertObject, loadObject, newStripeId } from '../objects.ts'
import { listPage, Paging } from '../protocol/list.ts'
import { type StripeCall, type Operation, operation } from '../protocol/operation.ts'
import { CreatedRange, isWithin, Text } from '../protocol/params.ts'
import type { Invoice, Subscription } from '../types.ts'
import { settlePayment, startPayment } from './payments.ts'

interface NewInvoice {
  amount: number
  reason: Invoice['billing_reason']
  isPaid: boolean
}

/** Creates an invoice, with a payment when an amount is due. */
export function makeInvoice(
  scope: Pick<StripeCall<unknown>, 'stripe' | 'account' | 'request'>,
  subscription: Subscription,
  { amount, reason, isPaid }: NewInvoice,
): Invoice {
  const { stripe, account } = scope
  const { customer, currency, metadata, items } = subscription
  const id = newStripeId('in')
  const email = findObject(stripe, account, 'customer', customer)?.email ?? null
  const payment =
    isPaid && amount > 0
      ? settlePayment(scope, startPayment(scope, { amount, currency, customer, email, metadata: {} }), email)
      : null
  const [item] = items.data
  return insertObject<'invoice'>(stripe, account, {
    id,
    object: 'invoice',
    amount_due: amount,
    amount_paid: isPaid ? amount : 0,
    attempt_count: 1,
    billing_reason: reason,
    created: secondsNow(stripe),
    currency,
    customer,
    livemode: account.isLive,
    metadata: {},
    number: `LOCAL-${String(listObjects(stripe, account, 'invoice').length + 1).padStart(4, '0')}`,
    parent: {
      type: 'subscription_details',
      quote_details: null,
      subscription_details: { metadata, subscription: subscription.id },
    },
    payments: {
      object: 'list',
      data:
        payment === null
          ? []
          : [
              {
                id: newStripeId('inpay'),
                object: 'invoice_payment',
                amount_paid: amount,
                invoice: id,
                payment: { type: 'payment_intent', payment_intent: payment.id },
                status: 'paid',
              },
            ],
      has_more: false,
      url: `/v1/invoice_payments?invoice=${id}`,
    },
    period_end: item?.current_period_end ?? secondsNow(stripe),
    period_start: item?.current_period_start ?? secondsNow(stripe),
    status: isPaid ? 'paid' : 'open',
    subtotal: amount,
    total: amount,
  })
}

export const invoiceOperations: Operation[] = [
  operation({
    route: 'GET /invoices',
    resource: 'invoice',
    params: {
      ...Paging,
      created: CreatedRange,
      customer: Text.optional(),
      status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
      subscription: Text.optional(),
    },
    act: (call) => {
      const { created, customer, status, subscription } = call.params
      return listPage(
        call,
        'invoice',
        '/v1/invoices',
        (one) =>
          (customer === undefined || one.customer === customer) &&
          (status === undefined || one.status === status) &&
          (subscription === undefined || one.parent.subscription_details.subscription === subscription) &&
          isWithin(one.created, created),
      )
    },
  }),
  operation({
    route: 'GET /invoices/:id',
    resource: 'invoice',
    act: ({ stripe, account, id }) => loadObject(stripe, account, 'invoice', id),
  }),
]
