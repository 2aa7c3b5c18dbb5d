import { env } from 'cloudflare:workers'
import { createHmac } from 'node:crypto'
import type { PersonApp } from './person.ts'
import { clock } from './clock.ts'

export interface TestProduct {
  id: string
  name?: string
  /** The amount in the smallest unit of the currency; 1000 by default. */
  amount?: number
  currency?: string
  /** Makes the product a subscription. */
  interval?: 'day' | 'week' | 'month' | 'year'
}

/** Payments in an app's tests: they send signed Stripe events instead of opening pages of Stripe. */
export interface TestPay {
  sell(product: TestProduct): Promise<void>
  /** Opens a checkout as this person and pays it. Runs `server/jobs/paid.ts`. */
  buy(person: PersonApp, productId: string): Promise<void>
  /** Refunds everything, or cancels the subscription. */
  refund(person: PersonApp, productId: string): Promise<void>
}

interface Shop {
  product(product: object): Promise<void>
  subscription(subscription: object): Promise<void>
}
interface Sale {
  product: TestProduct
  order: string
}
interface Operator {
  orders(tier: 'production', limit: number): Promise<{ ok: true; value: { items: Row[] } } | { ok: false }>
}
interface Row {
  id: string
  userId: string | null
  productId: string
  status: string
}

const products = new Map<string, TestProduct>()
let events = 0

const fakeShop = () => env['SHOP'] as Shop
const payProject = () => env['PAY_PROJECT']

async function sendEvent(person: PersonApp, type: string, object: object): Promise<void> {
  const text = JSON.stringify({ id: `evt_${++events}`, type, data: { object } })
  const seconds = Math.floor(Date.now() / 1000)
  const v1 = createHmac('sha256', String(env['STRIPE_TEST_WEBHOOK_SECRET']))
    .update(`${seconds}.${text}`)
    .digest('hex')
  const headers = { 'stripe-signature': `t=${seconds},v1=${v1}` }
  const answer = await person.fetch('/_app/pay/webhook', { method: 'POST', headers, body: text })
  if (!answer.ok) throw new Error(await answer.text())
  // Setting the clock runs the alarms of the Durable Objects. The alarm for payments runs `server/jobs/paid.ts`.
  await clock.advance({})
}

/** Returns the person's purchase. Throws when they have not bought the product. */
async function saleOf({ user }: PersonApp, productId: string): Promise<Sale> {
  const product = products.get(productId)
  const answer = await (env['OPERATOR'] as Operator).orders('production', 1000)
  const order = answer.ok
    ? answer.value.items.find((one) => one.userId === user.id && one.productId === productId)
    : undefined
  if (product === undefined || order === undefined)
    throw new Error(`${user.name} has not bought ${productId}`)
  return { product, order: order.id }
}

const checkoutMetadata = ({ product, order }: Sale) => ({
  metadata: { project: payProject(), tier: 'production', product: product.id, order },
})

export const pay: TestPay = {
  async sell(product) {
    const { id, name = id, amount = 1000, currency = 'usd', interval } = product
    products.set(id, { ...product, amount, currency })
    const recurring = interval === undefined ? null : { interval }
    const default_price = { id: `price_${id}`, unit_amount: amount, currency, recurring }
    await fakeShop().product({ id, name, active: true, metadata: { project: payProject() }, default_price })
  },
  async buy(person, productId) {
    const { status, body } = await person.post('/_app/pay/checkout', { productId })
    if (status !== 200) throw new Error(`the checkout was refused: ${JSON.stringify(body)}`)
    const sale = await saleOf(person, productId)
    const { amount, currency, interval } = sale.product
    const subscription = interval === undefined ? null : `sub_${sale.order}`
    if (subscription !== null) await fakeShop().subscription({ id: subscription, status: 'active' })
    await sendEvent(person, 'checkout.session.completed', {
      id: `cs_${sale.order}`,
      mode: subscription === null ? 'payment' : 'subscription',
      payment_status: 'paid',
      amount_total: amount,
      currency,
      customer: `cus_${person.user.id}`,
      payment_intent: subscription === null ? `pi_${sale.order}` : null,
      subscription,
      client_reference_id: person.user.id,
      ...checkoutMetadata(sale),
    })
  },
  async refund(person, productId) {
    const sale = await saleOf(person, productId)
    if (sale.product.interval === undefined)
      return sendEvent(person, 'charge.refunded', {
        payment_intent: `pi_${sale.order}`,
        amount_refunded: sale.product.amount,
        refunded: true,
        ...checkoutMetadata(sale),
      })
    const id = `sub_${sale.order}`
    await fakeShop().subscription({ id, status: 'canceled' })
    await sendEvent(person, 'customer.subscription.deleted', { id, ...checkoutMetadata(sale) })
  },
}
