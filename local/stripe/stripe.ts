import type { WorldClock } from '../world/clock.ts'
import { passTime } from './clock.ts'
import type { Stripe } from './context.ts'
import { Deliveries } from './events/deliveries.ts'

/** The host at which an app calls the provider. The egress worker passes calls with a key of this stand-in to it. */
export const STRIPE_HOST = 'api.stripe.com'

/** The interval at which renewals and expiries are checked. */
const TICK_MS = 60_000

interface Options extends Omit<Stripe, 'deliveries' | 'now'> {
  clock: WorldClock
  /** Factor on simulated delays; below 1 is faster. */
  timeScale: number
}

/** Opens the payment provider. Call `start` once the address of the hosted pages is known. */
export function openStripe({
  clock,
  timeScale,
  ...given
}: Options): Stripe & { start(): void; close(): Promise<void> } {
  const deliveries = new Deliveries({ store: given.store, now: clock.now, timeScale })
  const stripe = { ...given, now: clock.now, deliveries }
  let timer: NodeJS.Timeout | null = null
  return {
    ...stripe,
    start: () => {
      clock.onAdvance(() => passTime(stripe))
      timer = setInterval(() => passTime(stripe), TICK_MS).unref()
      passTime(stripe)
    },
    close: async () => {
      if (timer !== null) clearInterval(timer)
      await deliveries.close()
    },
  }
}
