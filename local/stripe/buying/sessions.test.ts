import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Stripe } from 'stripe'
import { testStripe } from '../../testing/stripe.ts'

type SessionParams = Partial<Stripe.Checkout.SessionCreateParams>

describe('checkout sessions of the payment provider', () => {
  const world = testStripe()
  const stripe = world.client()
  let once: string
  let monthly: string
  before(async () => {
    const { id: product } = await stripe.products.create({ name: 'Plant' })
    const createPrice = async (more: Partial<Stripe.PriceCreateParams> = {}) =>
      (await stripe.prices.create({ product, unit_amount: 1000, currency: 'usd', ...more })).id
    once = await createPrice()
    monthly = await createPrice({ recurring: { interval: 'month' } })
  })
  after(() => world.close())

  const nowSeconds = () => Math.floor(world.clock.now() / 1000)
  const open = (more: SessionParams = {}, client = stripe) =>
    client.checkout.sessions.create({
      mode: 'payment',
      line_items: [{ price: once }],
      success_url: 'http://shop.test/thanks',
      ...more,
    })
  const subscribe = (more: SessionParams = {}) =>
    open({ mode: 'subscription', line_items: [{ price: monthly }], ...more })
  const outcome = async (call: Promise<Stripe.Checkout.Session>) => {
    try {
      return (await call).status
    } catch (error) {
      return (error as Stripe.errors.StripeError).param
    }
  }

  test("a checkout session is returned as it was requested, with Stripe's defaults", async () => {
    const {
      id,
      lastResponse: _response,
      ...session
    } = await open({
      client_reference_id: 'u_1',
      customer_email: 'ada@example.test',
      cancel_url: 'http://shop.test/back',
      metadata: { order: '7' },
    })
    assert.match(id, /^cs_test_[A-Za-z0-9]{24}$/)
    assert.deepEqual(session, {
      object: 'checkout.session',
      allow_promotion_codes: null,
      amount_subtotal: 1000,
      amount_total: 1000,
      cancel_url: 'http://shop.test/back',
      client_reference_id: 'u_1',
      created: nowSeconds(),
      currency: 'usd',
      customer: null,
      customer_creation: 'if_required',
      customer_details: null,
      customer_email: 'ada@example.test',
      discounts: [],
      expires_at: nowSeconds() + 86_400,
      invoice: null,
      livemode: false,
      metadata: { order: '7' },
      mode: 'payment',
      payment_intent: null,
      payment_status: 'unpaid',
      status: 'open',
      subscription: null,
      success_url: 'http://shop.test/thanks',
      total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
      ui_mode: 'hosted_page',
      url: `http://stripe.test/stripe/checkout/${id}`,
    })
  })

  test('the quantity of a checkout line is from 1 to 999,999, so a negative quantity cannot make a checkout cheaper', async () => {
    const outcomes = []
    for (const quantity of [-1, 0, 1, 999_999, 1_000_000])
      outcomes.push(
        await outcome(
          open({
            line_items: [
              { price: once, quantity: 2 },
              { price: once, quantity },
            ],
          }),
        ),
      )
    const refused = 'line_items[1][quantity]'
    assert.deepEqual(outcomes, [refused, refused, 'open', 'open', refused])
  })

  test('a checkout session has between 1 and 100 lines, and the error for a wrong line names that line', async () => {
    const lines = (count: number) => Array.from({ length: count }, () => ({ price: once }))
    assert.deepEqual(
      [
        await outcome(open({ line_items: lines(100) })),
        await outcome(open({ line_items: lines(101) })),
        await outcome(open({ line_items: [] })),
        await outcome(open({ line_items: [{ price: once }, { price: 'price_none' }] })),
      ],
      ['open', 'line_items', 'line_items', 'line_items[1][price]'],
    )
  })

  test('a subscription checkout with more than one price is refused', async () => {
    assert.deepEqual(
      [
        await outcome(subscribe({ line_items: [{ price: monthly }, { price: monthly }] })),
        await outcome(subscribe({ line_items: [{ price: once }, { price: monthly }] })),
        await outcome(subscribe({ line_items: [{ price: monthly, quantity: 2 }] })),
      ],
      ['line_items', 'line_items', 'open'],
    )
  })

  test('the free trial of a subscription checkout lasts between one day and two years', async () => {
    const outcomes = []
    for (const days of [-1, 0, 1, 730, 731, 999_999_999_999])
      outcomes.push(await outcome(subscribe({ subscription_data: { trial_period_days: days } })))
    const refused = 'subscription_data[trial_period_days]'
    assert.deepEqual(outcomes, [refused, refused, 'open', 'open', refused, refused])
  })

  test("a checkout session's expiry time is between 30 minutes and 24 hours from now", async () => {
    const outcomes = []
    for (const seconds of [1799, 1800, 86_400, 86_461])
      outcomes.push(await outcome(open({ expires_at: nowSeconds() + seconds })))
    assert.deepEqual(outcomes, ['expires_at', 'open', 'open', 'expires_at'])
  })

  test('a checkout session with a customer_email that is not an email address is refused', async () => {
    const outcomes = []
    for (const email of ['ada', 'ada@', '@example.test', 'a b@example.test', 'ada@example.test'])
      outcomes.push(await outcome(open({ customer_email: email })))
    assert.deepEqual(outcomes, [...Array<string>(4).fill('customer_email'), 'open'])
  })

  test('a checkout session with both customer and customer_email, or with two sources of a discount, is refused', async () => {
    const { id: customer } = await stripe.customers.create()
    const { id: coupon } = await stripe.coupons.create({ percent_off: 10 })
    assert.deepEqual(
      [
        await outcome(open({ customer, customer_email: 'ada@example.test' })),
        await outcome(open({ discounts: [{ coupon }], allow_promotion_codes: true })),
        await outcome(open({ discounts: [{ coupon }, { coupon }] })),
      ],
      ['customer', 'allow_promotion_codes', 'discounts'],
    )
  })

  test('a checkout session cannot use a price or customer of another account or mode', async () => {
    const { id: customer } = await stripe.customers.create()
    for (const key of ['sk_test_local_other', 'sk_live_local_shop']) {
      const client = world.client(key)
      const { id: product } = await client.products.create({ name: 'Theirs' })
      const { id: price } = await client.prices.create({ product, unit_amount: 1, currency: 'usd' })
      assert.deepEqual(
        [
          await outcome(open({}, client)),
          await outcome(open({ line_items: [{ price }], customer }, client)),
          await outcome(open({ line_items: [{ price }] }, client)),
        ],
        ['line_items[0][price]', 'customer', 'open'],
      )
    }
  })

  test('the lines of a checkout session are listed in pages, and always have the same ids', async () => {
    const { id } = await open({
      line_items: [{ price: once }, { price: once, quantity: 2 }, { price: once, quantity: 3 }],
    })
    const list = async (params: Stripe.Checkout.SessionListLineItemsParams = {}) =>
      stripe.checkout.sessions.listLineItems(id, params)
    const all = await list()
    const [first, second, third] = all.data.map((line) => line.id)
    const pages = [
      await list({ limit: 2 }),
      await list({ limit: 2, starting_after: second ?? '' }),
      await list({ limit: 2, ending_before: third ?? '' }),
      await list({ limit: 1, ending_before: third ?? '' }),
    ].map(({ data, has_more: hasMore }) => [data.map((line) => line.id), hasMore])
    assert.deepEqual(
      [all.data.map(({ quantity }) => quantity), all.has_more, pages],
      [
        [1, 2, 3],
        false,
        [
          [[first, second], true],
          [[third], false],
          [[first, second], false],
          [[second], true],
        ],
      ],
    )
    await assert.rejects(list({ limit: 0 }), { param: 'limit', statusCode: 400 })
    await assert.rejects(list({ starting_after: 'li_none' }), { param: 'starting_after', statusCode: 400 })
  })

  test('the list of checkout sessions is filtered by status, customer, payment, subscription and creation time', async () => {
    const client = world.client('sk_test_local_lists')
    const { id: product } = await client.products.create({ name: 'Plant' })
    const { id: price } = await client.prices.create({ product, unit_amount: 100, currency: 'usd' })
    const { id: customer } = await client.customers.create()
    const line_items = [{ price }]
    const paid = await open({ line_items, customer }, client)
    const expired = await open({ line_items }, client)
    const left = await open({ line_items }, client)
    await world.submit(paid.url ?? '', ['pay', 'yes'], { email: 'ada@example.test' })
    await client.checkout.sessions.expire(expired.id)
    const { payment_intent: payment } = await client.checkout.sessions.retrieve(paid.id)
    const list = async (params: Stripe.Checkout.SessionListParams) =>
      (await client.checkout.sessions.list(params)).data.map(({ id }) => id)
    assert.deepEqual(
      [
        await list({}),
        await list({ status: 'open' }),
        await list({ status: 'complete' }),
        await list({ status: 'expired' }),
        await list({ customer }),
        await list({ payment_intent: String(payment) }),
        await list({ subscription: 'sub_none' }),
        await list({ created: { lt: left.created } }),
      ],
      [[left.id, expired.id, paid.id], [left.id], [paid.id], [expired.id], [paid.id], [paid.id], [], []],
    )
    await assert.rejects(client.checkout.sessions.expire(paid.id), { statusCode: 400 })
  })
})
