import { type Context, Hono } from 'hono'
import { succeed } from '../kernel/worker/envelope.ts'
import { limitBody, readJson } from '../kernel/access/guard.ts'
import type { Mount } from '../kernel/worker/mount.ts'
import { sessionOf } from '../kernel/access/session.ts'
import { callPay } from './rpc-client.ts'
import { pay } from './server.ts'

const EVENT_BYTES_MAX = 256 * 1024
const WEBHOOK_PATH = '/webhook'

/**
 * The routes of `/_app/pay`: GET `/products` for everyone; POST `/checkout` and `/portal`, GET `/entitlements` and `/return` for people who
 * are signed in; POST `/webhook` for Stripe, which signs its requests.
 */
const payRoutes = new Hono()
  .get('/products', async () => succeed(await pay.products()))
  .post('/checkout', async (c) => {
    const { productId, code = null } = await readJson(c.req.raw)
    const session = sessionOf(c.req.raw) ?? ''
    const { origin } = new URL(c.req.url)
    return succeed(await callPay('checkout', { session, productId, code, origin }))
  })
  .post('/portal', async (c) => succeed(await pay.as(c.req.raw).portal()))
  .get('/entitlements', async (c) => succeed(await pay.as(c.req.raw).entitlements()))
  .get('/return', async (c) => {
    const session = sessionOf(c.req.raw)
    // Without a session the person's order cannot be found, so open the home page.
    const { path } =
      session === null ? { path: '/' } : await callPay('returned', { session, orderId: orderParam(c) })
    return c.redirect(path, 302)
  })
  .post(WEBHOOK_PATH, async (c) => {
    const request = await limitBody(c.req.raw, EVENT_BYTES_MAX)
    const signature = request.headers.get('stripe-signature') ?? ''
    await callPay('webhook', { signature, bytes: await request.arrayBuffer() })
    return succeed(null)
  })

const orderParam = (c: Context): string => c.req.query('order') ?? ''

export const mount: Mount = {
  routes: payRoutes,
  isStream: (_method, path) => path === `/_app/pay${WEBHOOK_PATH}`,
}
