import * as z from 'zod'
import { invalidParameterError, secondsNow, StripeFailure } from '../context.ts'
import { emitEvent } from '../events/emit.ts'
import { insertObject, newStripeId, loadObject, saveObject } from '../objects.ts'
import { listPage, Paging } from '../protocol/list.ts'
import { type Operation, operation, type AccountScope } from '../protocol/operation.ts'
import { CreatedRange, Int, isWithin, NewMetadata, Text } from '../protocol/params.ts'
import type { Metadata, PaymentIntent } from '../types.ts'

interface NewPayment {
  amount: number
  currency: string
  customer: string | null
  email: string | null
  metadata: Metadata
}

/** Creates a payment that is not settled yet. */
export function startPayment({ stripe, account }: AccountScope, payment: NewPayment): PaymentIntent {
  return insertObject<'payment_intent'>(stripe, account, {
    id: newStripeId('pi'),
    object: 'payment_intent',
    amount: payment.amount,
    amount_received: 0,
    created: secondsNow(stripe),
    currency: payment.currency,
    customer: payment.customer,
    latest_charge: null,
    livemode: account.isLive,
    metadata: payment.metadata,
    status: 'processing',
  })
}

/** Settles a payment as paid. As at the provider, the charge gets the payment's metadata. */
export function settlePayment(
  scope: AccountScope,
  payment: PaymentIntent,
  email: string | null,
): PaymentIntent {
  const { stripe, account } = scope
  const charge = insertObject<'charge'>(stripe, account, {
    id: newStripeId('ch'),
    object: 'charge',
    amount: payment.amount,
    amount_refunded: 0,
    created: secondsNow(stripe),
    currency: payment.currency,
    customer: payment.customer,
    livemode: account.isLive,
    metadata: payment.metadata,
    paid: true,
    payment_intent: payment.id,
    receipt_email: email,
    refunded: false,
    status: 'succeeded',
  })
  const paid = saveObject<'payment_intent'>(stripe, account, {
    ...payment,
    amount_received: payment.amount,
    latest_charge: charge.id,
    status: 'succeeded',
  })
  emitEvent(scope, 'charge.succeeded', charge)
  emitEvent(scope, 'payment_intent.succeeded', paid)
  return paid
}

export function failPayment(scope: AccountScope, payment: PaymentIntent): void {
  const failed = saveObject<'payment_intent'>(scope.stripe, scope.account, {
    ...payment,
    status: 'requires_payment_method',
  })
  emitEvent(scope, 'payment_intent.payment_failed', failed)
}

export const paymentOperations: Operation[] = [
  operation({
    route: 'GET /payment_intents',
    resource: 'payment_intent',
    params: { ...Paging, created: CreatedRange, customer: Text.optional() },
    act: (call) =>
      listPage(
        call,
        'payment_intent',
        '/v1/payment_intents',
        ({ customer, created }) =>
          (call.params.customer === undefined || customer === call.params.customer) &&
          isWithin(created, call.params.created),
      ),
  }),
  operation({
    route: 'GET /payment_intents/:id',
    resource: 'payment_intent',
    act: ({ stripe, account, id }) => loadObject(stripe, account, 'payment_intent', id),
  }),
  operation({
    route: 'GET /charges',
    resource: 'charge',
    params: { ...Paging, created: CreatedRange, customer: Text.optional(), payment_intent: Text.optional() },
    act: (call) => {
      const { customer, payment_intent: payment, created } = call.params
      return listPage(
        call,
        'charge',
        '/v1/charges',
        (charge) =>
          (customer === undefined || charge.customer === customer) &&
          (payment === undefined || charge.payment_intent === payment) &&
          isWithin(charge.created, created),
      )
    },
  }),
  operation({
    route: 'GET /charges/:id',
    resource: 'charge',
    act: ({ stripe, account, id }) => loadObject(stripe, account, 'charge', id),
  }),
  operation({
    route: 'POST /refunds',
    resource: 'charge',
    params: {
      amount: Int.optional(),
      charge: Text.optional(),
      metadata: NewMetadata.optional(),
      payment_intent: Text.optional(),
      reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
    },
    act: (call) => refund(call, call.params),
  }),
  operation({
    route: 'GET /refunds',
    resource: 'charge',
    params: { ...Paging, charge: Text.optional(), created: CreatedRange, payment_intent: Text.optional() },
    act: (call) => {
      const { charge, created, payment_intent: payment } = call.params
      return listPage(
        call,
        'refund',
        '/v1/refunds',
        (one) =>
          (charge === undefined || one.charge === charge) &&
          (payment === undefined || one.payment_intent === payment) &&
          isWithin(one.created, created),
      )
    },
  }),
  operation({
    route: 'GET /refunds/:id',
    resource: 'charge',
    act: ({ stripe, account, id }) => loadObject(stripe, account, 'refund', id),
  }),
]

interface RefundParams {
  amount?: number | undefined
  charge?: string | undefined
  metadata?: Metadata | null | undefined
  payment_intent?: string | undefined
  reason?: string | undefined
}

/** Refunds a charge, in part or completely. */
export function refund(scope: AccountScope, params: RefundParams): object {
  const { stripe, account } = scope
  const paymentId = params.payment_intent
  const payment =
    paymentId === undefined
      ? null
      : loadObject(stripe, account, 'payment_intent', paymentId, 'payment_intent')
  const chargeId = params.charge ?? payment?.latest_charge
  if (chargeId === undefined)
    throw invalidParameterError(
      'One of the following params should be provided: payment_intent or charge.',
      'charge',
    )
  if (chargeId === null)
    throw invalidParameterError(
      `This PaymentIntent (${paymentId}) does not have a successful charge to refund.`,
      'payment_intent',
    )
  const charge = loadObject(stripe, account, 'charge', chargeId, 'charge')
  if (paymentId !== undefined && charge.payment_intent !== paymentId)
    throw invalidParameterError(
      `The charge ${charge.id} does not belong to the payment ${paymentId}.`,
      'charge',
    )
  if (charge.refunded)
    throw new StripeFailure(400, `Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
    })
  const { amount = charge.amount - charge.amount_refunded } = params
  if (amount <= 0 || amount > charge.amount - charge.amount_refunded)
    throw invalidParameterError('Refund amount is greater than unrefunded amount on charge.', 'amount')
  const made = insertObject<'refund'>(stripe, account, {
    id: newStripeId('re'),
    object: 'refund',
    amount,
    charge: charge.id,
    created: secondsNow(stripe),
    currency: charge.currency,
    livemode: account.isLive,
    metadata: params.metadata ?? {},
    payment_intent: charge.payment_intent,
    reason: params.reason ?? null,
    status: 'succeeded',
  })
  const refunded = charge.amount_refunded + amount
  const changed = saveObject<'charge'>(stripe, account, {
    ...charge,
    amount_refunded: refunded,
    refunded: refunded === charge.amount,
  })
  emitEvent(scope, 'refund.created', made)
  emitEvent(scope, 'charge.refunded', changed)
  return made
}
