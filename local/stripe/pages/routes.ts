import { Hono } from 'hono'
import { rejectCrossSiteForms } from '../../world/page.ts'
import { type Stripe, StripeFailure } from '../context.ts'
import { postCheckout, showCheckout } from './checkout.ts'
import { postEvents, showEvents } from './events.ts'
import { postKeys, showKeys } from './keys.ts'
import { postPortal, showPortal } from './portal.ts'

/** Pages that a browser opens, mounted at /stripe. */
export function stripePages(stripe: Stripe): Hono {
  const app = new Hono()
    .get('/checkout/:id', (c) => showCheckout(stripe, c, c.req.param('id')))
    .post('/checkout/:id', rejectCrossSiteForms, (c) => postCheckout(stripe, c, c.req.param('id')))
    .get('/portal/:id', (c) => showPortal(stripe, c, c.req.param('id')))
    .post('/portal/:id', rejectCrossSiteForms, (c) => postPortal(stripe, c, c.req.param('id')))
    .get('/keys', (c) => showKeys(stripe, c))
    .post('/keys', rejectCrossSiteForms, (c) => postKeys(stripe, c))
    .get('/events', (c) => showEvents(stripe, c))
    .post('/events', rejectCrossSiteForms, (c) => postEvents(stripe, c))
  app.onError((error, c) => {
    if (error instanceof StripeFailure) return c.text(error.message, error.status as 400)
    throw error
  })
  return app
}
