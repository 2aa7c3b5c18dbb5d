import { advance } from './buying/subscriptions.ts'
import { expireSession } from './buying/sessions.ts'
import { secondsNow, type Stripe } from './context.ts'
import { all, load, roomsWith } from './objects.ts'

const request = { id: '', idempotencyKey: null }

/** Processes what is due: renews and ends subscriptions, and expires unfinished checkouts. */
export function passTime(stripe: Stripe): void {
  for (const room of roomsWith(stripe, 'subscription')) {
    for (const { id } of all(stripe, room, 'subscription')) {
      const step = () =>
        stripe.store.transact(() =>
          advance({ stripe, room, request }, load(stripe, room, 'subscription', id)),
        )
      // Repeat, because the clock may have passed several periods.
      while (step());
    }
  }
  for (const room of roomsWith(stripe, 'checkout.session')) {
    for (const session of all(stripe, room, 'checkout.session')) {
      const isOver = session.status === 'open' && session.expires_at <= secondsNow(stripe)
      if (isOver) stripe.store.transact(() => expireSession({ stripe, room, request }, session))
    }
  }
  stripe.deliveries.check()
}
