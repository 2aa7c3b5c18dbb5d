import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { Stripe } from 'stripe'
import { HeldClock } from '../../testing/held-clock.ts'
import { testStripe, type TestStripe } from '../../testing/stripe.ts'

const START = Date.UTC(2027, 0, 15)
const seconds = (month: number, day: number) => Date.UTC(2027, month - 1, day) / 1000

describe('invoices of the payment provider', () => {
  let world: TestStripe
  let stripe: Stripe
  let customer: string
  beforeEach(async () => {
    world = testStripe(new HeldClock(START))
    stripe = world.client()
    customer = (await stripe.customers.create({ email: 'ada@example.test' })).id
  })
  afterEach(() => world.close())

  const subscribe = async (amount: number, quantity = 1, of = customer) => {
    const { id: product } = await stripe.products.create({ name: 'Club' })
    const recurring = { interval: 'month' } as const
    const { id: price } = await stripe.prices.create({
      product,
      unit_amount: amount,
      currency: 'eur',
      recurring,
    })
    return stripe.subscriptions.create({
      customer: of,
      items: [{ price, quantity }],
      metadata: { plan: 'a' },
    })
  }

  test('the first invoice of a subscription is paid, and names its payment, subscription and period', async () => {
    const subscription = await subscribe(500, 3)
    const { lastResponse: _response, ...invoice } = await stripe.invoices.retrieve(
      String(subscription.latest_invoice),
    )
    const [payment] = invoice.payments?.data ?? []
    const paid = await stripe.paymentIntents.retrieve(String(payment?.payment.payment_intent))
    assert.deepEqual(
      { ...invoice, payments: invoice.payments?.data.length },
      {
        id: invoice.id,
        object: 'invoice',
        amount_due: 1500,
        amount_paid: 1500,
        attempt_count: 1,
        billing_reason: 'subscription_create',
        created: seconds(1, 15),
        currency: 'eur',
        customer,
        livemode: false,
        metadata: {},
        number: 'LOCAL-0001',
        parent: {
          type: 'subscription_details',
          quote_details: null,
          subscription_details: { metadata: { plan: 'a' }, subscription: subscription.id },
        },
        payments: 1,
        period_end: seconds(2, 15),
        period_start: seconds(1, 15),
        status: 'paid',
        subtotal: 1500,
        total: 1500,
      },
    )
    assert.deepEqual(
      [payment?.invoice, payment?.amount_paid, paid.amount, paid.customer, paid.status],
      [invoice.id, 1500, 1500, customer, 'succeeded'],
    )
  })

  test('an invoice with the amount zero is paid without a payment or a charge', async () => {
    const { latest_invoice: id } = await subscribe(0)
    const { status, amount_paid: paid, payments } = await stripe.invoices.retrieve(String(id))
    assert.deepEqual([status, paid, payments?.data, (await stripe.charges.list()).data], ['paid', 0, [], []])
  })

  test("each renewal has an invoice with the next number and a charge with the customer's current email", async () => {
    const subscription = await subscribe(500)
    await stripe.customers.update(customer, { email: 'new@example.test' })
    world.clock.advance(Date.UTC(2027, 2, 16) - START)
    const { data } = await stripe.invoices.list({ subscription: subscription.id })
    const charges = (await stripe.charges.list({ customer })).data.map(({ receipt_email: email }) => email)
    assert.deepEqual(
      [data.map(({ number, billing_reason: reason, status }) => [number, reason, status]), charges],
      [
        [
          ['LOCAL-0003', 'subscription_cycle', 'paid'],
          ['LOCAL-0002', 'subscription_cycle', 'paid'],
          ['LOCAL-0001', 'subscription_create', 'paid'],
        ],
        ['new@example.test', 'new@example.test', 'ada@example.test'],
      ],
    )
  })

  test('an invoice whose payment failed is open, has no payment and keeps its amount due', async () => {
    const subscription = await subscribe(500)
    const { id: configuration } = await stripe.billingPortal.configurations.create({
      features: { payment_method_update: { enabled: true } },
    })
    const { url } = await stripe.billingPortal.sessions.create({ customer, configuration })
    await world.submit(url, ['do', 'card'], { card: '4000000000000002' })
    world.clock.advance(Date.UTC(2027, 1, 16) - START)
    const [last] = (await stripe.invoices.list({ subscription: subscription.id })).data
    assert.deepEqual(
      [last?.status, last?.amount_due, last?.amount_paid, last?.payments?.data],
      ['open', 500, 0, []],
    )
  })

  test('invoices are filtered by customer, subscription, state and time, and live mode does not list test invoices', async () => {
    const { id: other } = await stripe.customers.create()
    const first = await subscribe(100)
    world.clock.advance(1000)
    const second = await subscribe(200, 1, other)
    const list = async (params: Stripe.InvoiceListParams) =>
      (await stripe.invoices.list(params)).data.map(({ total }) => total)
    assert.deepEqual(
      [
        await list({}),
        await list({ customer }),
        await list({ subscription: second.id }),
        await list({ customer, subscription: second.id }),
        await list({ status: 'paid', customer }),
        await list({ status: 'open' }),
        await list({ status: 'void' }),
        await list({ created: { lte: first.created } }),
        (await world.client('sk_live_local_shop').invoices.list()).data,
      ],
      [[200, 100], [100], [200], [], [100], [], [], [100], []],
    )
    await assert.rejects(stripe.invoices.retrieve('in_none'), { code: 'resource_missing', statusCode: 404 })
  })
})
