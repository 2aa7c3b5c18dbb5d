import { type Room, roomKey, secondsNow, type Stripe } from '../context.ts'
import { listOfKind, insert, newStripeId } from '../objects.ts'
import type { StripeCall } from '../protocol/operation.ts'

export const API_VERSION = '2026-10-28.endive'

/** Stores an event, and a delivery to each endpoint that listens to its type. The deliveries are sent after the transaction. */
export function emit(
  { stripe, room, request }: Pick<StripeCall<unknown>, 'stripe' | 'room' | 'request'>,
  type: string,
  object: object,
): void {
  const listening = listOfKind(stripe, room, 'webhook_endpoint').filter(
    ({ status, enabled_events: events }) =>
      status === 'enabled' && (events.includes('*') || events.includes(type)),
  )
  const event = insert<'event'>(stripe, room, {
    id: newStripeId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: secondsNow(stripe),
    data: { object },
    livemode: room.isLive,
    pending_webhooks: listening.length,
    request: { id: request.id === '' ? null : request.id, idempotency_key: request.idempotencyKey },
    type,
  })
  for (const { id } of listening) queueDelivery(stripe, room, event.id, id)
}

/** Stores a delivery that is due now. */
export function queueDelivery(stripe: Stripe, room: Room, eventId: string, endpointId: string): void {
  const sql = 'INSERT INTO stripe_deliveries (room, event_id, endpoint_id, due_at) VALUES (?, ?, ?, ?)'
  stripe.store.run(sql, roomKey(room), eventId, endpointId, stripe.now())
}
