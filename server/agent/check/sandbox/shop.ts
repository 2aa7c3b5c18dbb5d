/**
 * A stand-in for Stripe, for an app in a check. Returns the products that the app's tests have set to the live worker. The
 * tests send the payment events themselves, signed with the secret that they share with the live worker.
 */
export const SHOP_SOURCE = `import { WorkerEntrypoint } from 'cloudflare:workers'
const products = new Map()
const subscriptions = new Map()
let sessions = 0
const respondMissing = () => Response.json({ error: { code: 'resource_missing', message: 'There is none.' } }, { status: 404 })
function stripeResponse(method, path) {
  if (path === '/v1/checkout/sessions' && method === 'POST') {
    const name = 'cs_' + ++sessions
    return { id: name, url: 'https://checkout.stripe.test/' + name }
  }
  if (path === '/v1/billing_portal/sessions') return { url: 'https://billing.stripe.test/' }
  if (path === '/v1/products') return { data: [...products.values()], has_more: false }
  if (path.startsWith('/v1/products/')) return products.get(path.slice('/v1/products/'.length))
  if (path === '/v1/promotion_codes') return { data: [] }
  if (path.startsWith('/v1/subscriptions/')) return subscriptions.get(path.slice('/v1/subscriptions/'.length))
}
export class Shop extends WorkerEntrypoint {
  product(product) { products.set(product.id, product) }
  subscription(subscription) { subscriptions.set(subscription.id, subscription) }
}
export default {
  async fetch(request) {
    const { hostname, pathname } = new URL(request.url)
    if (hostname !== 'api.stripe.com') return fetch(request)
    const found = stripeResponse(request.method, pathname)
    return found === undefined ? respondMissing() : Response.json(found)
  },
}
`

export const SHOP_WORKER = 'shop'

/** The keys of the app's live worker. They are valid only inside a check. */
export const SHOP_VARIABLES = {
  STRIPE_TEST_KEY: 'sk_test_of_a_check',
  STRIPE_TEST_WEBHOOK_SECRET: 'whsec_of_a_check',
  PAY_PROJECT: 'check',
}

export const textBindings = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { type: 'text' as const, value }]))
