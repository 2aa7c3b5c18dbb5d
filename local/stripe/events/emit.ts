import { type StripeAccount, accountKey, secondsNow, type Stripe } from '../context.ts'
import { listObjects, insertObject, newStripeId } from '../objects.ts'
import type { StripeCall } from '../protocol/operation.ts'

export const API_VERSION = '2026-10-28.endive'

/** Stores an event, and a delivery to each endpoint that listens to its type. The deliveries are sent after the transaction. */
export function emitEvent(
  { stripe, account, request }: Pick<StripeCall<unknown>, 'stripe' | 'account' | 'request'>,
  type: string,
  object: object,
): void {
  const listening = listObjects(stripe, account, 'webhook_endpoint').filter(
    ({ status, enabled_events: events }) =>
      status === 'enabled' && (events.includes('*') || events.includes(type)),
  )
  const event = insertObject<'event'>(stripe, account, {
    id: newStripeId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: secondsNow(stripe),
    data: { object },
    livemode: account.isLive,
    pending_webhooks: listening.length,
    request: { id: request.id === '' ? null : request.id, idempotency_key: request.idempotencyKey },
    type,
  })
  for (const { id } of listening) queueDelivery(stripe, account, event.id, id)
}

/** Stores a delivery that is due now. */
export function queueDelivery(
  stripe: Stripe,
  account: StripeAccount,
  eventId: string,
  endpointId: string,
): void {
  const sql = 'INSERT INTO stripe_deliveries (room, event_id, endpoint_id, due_at) VALUES (?, ?, ?, ?)'
  stripe.store.run(sql, accountKey(account), eventId, endpointId, stripe.now())
}
