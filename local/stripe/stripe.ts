import type { WorldClock } from '../world/clock.ts'
import { expireSession } from './buying/sessions.ts'
import { endPeriodIfDue } from './buying/subscriptions.ts'
import { secondsNow, type Stripe } from './context.ts'
import { EventDeliveries } from './events/deliveries.ts'
import { listObjects, loadObject, accountsWith } from './objects.ts'

/**
 * The host to which apps send requests to Stripe. The egress worker forwards requests with API keys of this stand-in to the stand-in, and
 * all other requests to the real Stripe.
 */
export const STRIPE_HOST = 'api.stripe.com'

const NO_REQUEST = { id: '', idempotencyKey: null }
/** The interval at which renewals and expiries are checked. */
const TICK_MS = 60_000

interface StripeOptions extends Omit<Stripe, 'deliveries' | 'now'> {
  clock: WorldClock
  /** Factor on simulated delays; below 1 is faster. */
  timeScale: number
}

/** Opens the payment provider. Call `start` once the address of the hosted pages is known. */
export function openStripe({
  clock,
  timeScale,
  ...given
}: StripeOptions): Stripe & { start(): void; close(): Promise<void> } {
  const deliveries = new EventDeliveries({ store: given.store, now: clock.now, timeScale })
  const stripe = { ...given, now: clock.now, deliveries }
  let timer: NodeJS.Timeout | null = null
  return {
    ...stripe,
    start: () => {
      clock.onAdvance(() => {
        if (timer !== null) processDue(stripe)
      })
      timer = setInterval(() => processDue(stripe), TICK_MS).unref()
      processDue(stripe)
    },
    close: async () => {
      if (timer !== null) clearInterval(timer)
      timer = null
      await deliveries.close()
    },
  }
}

/** Processes what is due: renews and ends subscriptions, and expires unfinished checkouts. */
function processDue(stripe: Stripe): void {
  for (const account of accountsWith(stripe, 'subscription')) {
    for (const { id } of listObjects(stripe, account, 'subscription')) {
      const advanceOnce = () =>
        stripe.store.transact(() =>
          endPeriodIfDue(
            { stripe, account, request: NO_REQUEST },
            loadObject(stripe, account, 'subscription', id),
          ),
        )
      // Repeat, because the clock may have passed several periods.
      while (advanceOnce());
    }
  }
  for (const account of accountsWith(stripe, 'checkout.session')) {
    for (const session of listObjects(stripe, account, 'checkout.session')) {
      const isOver = session.status === 'open' && session.expires_at <= secondsNow(stripe)
      if (isOver)
        stripe.store.transact(() => expireSession({ stripe, account, request: NO_REQUEST }, session))
    }
  }
  stripe.deliveries.check()
}
