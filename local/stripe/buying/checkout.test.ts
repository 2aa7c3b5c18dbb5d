import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Stripe } from 'stripe'
import { testStripe } from '../../testing/stripe.ts'

const HOUR_MS = 3_600_000
const PAY: [string, string] = ['pay', 'yes']

describe('checkouts of the payment provider', () => {
  const world = testStripe()
  const stripe = world.client()
  after(() => world.close())

  const createPrice = async (amount = 1000, more: Partial<Stripe.PriceCreateParams> = {}) => {
    const { id: product } = await stripe.products.create({ name: 'Plant' })
    return (await stripe.prices.create({ product, unit_amount: amount, currency: 'usd', ...more })).id
  }
  const openSession = (prices: string[], more: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
    stripe.checkout.sessions.create({
      mode: 'payment',
      line_items: prices.map((id) => ({ price: id, quantity: 1 })),
      success_url: 'http://shop.test/thanks?session={CHECKOUT_SESSION_ID}',
      ...more,
    })
  const paySession = async ({ url }: Stripe.Checkout.Session, fields: Record<string, string> = {}) => {
    const answer = await world.submit(url ?? '', PAY, { email: 'ada@example.test', ...fields })
    return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() }
  }
  const readSession = (id: string) => stripe.checkout.sessions.retrieve(id)
  const nowSeconds = () => Math.floor(world.clock.now() / 1000)

  test('the amount of a checkout is the sum of its lines, which are listed with their prices', async () => {
    const [plant, pot] = [await createPrice(1200), await createPrice(250)]
    const session = await openSession([], {
      line_items: [
        { price: plant, quantity: 2 },
        { price: pot, quantity: 3 },
      ],
    })
    assert.deepEqual([session.amount_subtotal, session.amount_total], [3150, 3150])
    const { data } = await stripe.checkout.sessions.listLineItems(session.id)
    assert.deepEqual(
      data.map((line) => [line.price?.id, line.quantity, line.amount_subtotal]),
      [
        [plant, 2, 2400],
        [pot, 3, 750],
      ],
    )
  })

  test('a checkout with contradictory parameters is refused, and the error names the parameter', async () => {
    const once = await createPrice()
    const often = await createPrice(1000, { recurring: { interval: 'month' } })
    const euros = await createPrice(1000, { currency: 'eur' })
    const archived = await createPrice(1000, { active: false })
    for (const [prices, more, param] of [
      [[often], {}, 'mode'],
      [[once], { mode: 'subscription' }, 'mode'],
      [[once, euros], {}, 'line_items'],
      [[archived], {}, 'line_items[0][price]'],
      [['price_none'], {}, 'line_items[0][price]'],
      [[once], { subscription_data: { metadata: { a: 'b' } } }, 'subscription_data'],
      [
        [often],
        { mode: 'subscription', payment_intent_data: { metadata: { a: 'b' } } },
        'payment_intent_data',
      ],
      [[often], { mode: 'subscription', customer_creation: 'always' }, 'customer_creation'],
      [[once], { customer: 'cus_none' }, 'customer'],
      [[once], { success_url: 'shop' }, 'success_url'],
      [[once], { expires_at: nowSeconds() + 60 }, 'expires_at'],
      [[once], { expires_at: nowSeconds() + 25 * 3600 }, 'expires_at'],
      [[once], { discounts: [{ coupon: 'none' }] }, 'discounts[0][coupon]'],
    ] as [string[], Partial<Stripe.Checkout.SessionCreateParams>, string][])
      await assert.rejects(openSession(prices, more), { param }, param)
  })

  test('a checkout of a product that has been archived is refused', async () => {
    const id = await createPrice()
    const { product } = await stripe.prices.retrieve(id)
    await stripe.products.update(String(product), { active: false })
    await assert.rejects(openSession([id]), { param: 'line_items[0][price]', statusCode: 400 })
  })

  test('a checkout whose card was declined is not paid, and can be paid with another card', async () => {
    const session = await openSession([await createPrice()])
    const declined = await paySession(session, { card: '4000 0000 0000 0002' })
    assert.deepEqual([declined.status, (await readSession(session.id)).payment_status], [400, 'unpaid'])
    assert.match(declined.text, /Your card was declined/)
    const paid = await paySession(session)
    assert.deepEqual(paid.location, `http://shop.test/thanks?session=${session.id}`)
    const done = await readSession(session.id)
    assert.deepEqual([done.status, done.payment_status, done.url], ['complete', 'paid', null])
    const { data } = await stripe.charges.list({ payment_intent: String(done.payment_intent) })
    assert.equal(data.length, 1)
  })

  test('a checkout form without an email address is shown again, and a form that is submitted twice charges once', async () => {
    const session = await openSession([await createPrice(770)])
    const refused = await paySession(session, { email: 'ada' })
    assert.deepEqual([refused.status, /Enter an email address/.test(refused.text)], [400, true])
    const form = new URLSearchParams({ pay: 'yes', email: 'ada@example.test', card: '4242424242424242' })
    const clickPay = () => world.request(session.url ?? '', { method: 'POST', body: form })
    const clicks = await Promise.all([clickPay(), clickPay(), clickPay()])
    assert.deepEqual(
      clicks.map(({ status }) => status),
      [303, 303, 303],
    )
    const { data } = await stripe.charges.list({ limit: 100 })
    assert.equal(data.filter(({ amount }) => amount === 770).length, 1)
  })

  test('a checkout form that another site submits is refused, and the checkout stays unpaid', async () => {
    const session = await openSession([await createPrice()])
    const body = new URLSearchParams({ pay: 'yes', email: 'ada@example.test', card: '4242424242424242' })
    const headers = { 'sec-fetch-site': 'cross-site' }
    const answer = await world.request(session.url ?? '', { method: 'POST', body, headers })
    assert.deepEqual([answer.status, (await readSession(session.id)).status], [403, 'open'])
  })

  test('a checkout expires at its expiry time, and can then be neither paid nor expired again', async () => {
    const session = await openSession([await createPrice()], { expires_at: nowSeconds() + 1800 })
    const { url } = session
    world.clock.advance(HOUR_MS)
    assert.equal((await readSession(session.id)).status, 'expired')
    assert.match(await world.show(url ?? ''), /has expired/)
    const form = new URLSearchParams({ pay: 'yes', email: 'ada@example.test', card: '4242424242424242' })
    await world.request(url ?? '', { method: 'POST', body: form })
    assert.equal((await readSession(session.id)).payment_status, 'unpaid')
    await assert.rejects(stripe.checkout.sessions.expire(session.id), /can be expired/)
    const { data } = await stripe.events.list({ type: 'checkout.session.expired' })
    assert.deepEqual(
      data.map(({ data: { object } }) => (object as { id: string }).id),
      [session.id],
    )
  })

  test('a coupon larger than the amount makes a checkout free, without a payment', async () => {
    const { id: coupon } = await stripe.coupons.create({ amount_off: 5000, currency: 'usd' })
    const session = await openSession([await createPrice(1000)], { discounts: [{ coupon }] })
    assert.deepEqual([session.amount_total, session.total_details?.amount_discount], [0, 1000])
    await paySession(session, { card: '4000000000000002' })
    const done = await readSession(session.id)
    assert.deepEqual([done.payment_status, done.payment_intent], ['no_payment_required', null])
  })

  test('a coupon of another currency or past its date is refused', async () => {
    const plant = await createPrice()
    const euros = await stripe.coupons.create({ amount_off: 100, currency: 'eur' })
    const short = await stripe.coupons.create({ percent_off: 10, redeem_by: nowSeconds() + 60 })
    await assert.rejects(openSession([plant], { discounts: [{ coupon: euros.id }] }), /another currency/)
    await openSession([plant], { discounts: [{ coupon: short.id }] })
    world.clock.advance(61_000)
    await assert.rejects(openSession([plant], { discounts: [{ coupon: short.id }] }), { param: 'discounts' })
  })

  test('a promotion code is accepted only in checkouts that allow codes, and an unknown code is refused', async () => {
    const coupon = await stripe.coupons.create({ percent_off: 50 })
    const promotion = { type: 'coupon', coupon: coupon.id } as const
    await stripe.promotionCodes.create({ code: 'HALF', promotion })
    const plant = await createPrice(1000)
    const allowed = await openSession([plant], { allow_promotion_codes: true })
    const wrong = await paySession(allowed, { code: 'WHOLE' })
    assert.deepEqual([wrong.status, /This code is invalid/.test(wrong.text)], [400, true])
    assert.equal((await paySession(allowed, { code: 'half' })).status, 303)
    assert.equal((await readSession(allowed.id)).amount_total, 500)
    const without = await openSession([plant])
    assert.equal((await paySession(without, { code: 'HALF' })).status, 400)
    assert.equal((await readSession(without.id)).status, 'open')
  })

  test('a promotion code whose coupon was deleted is refused, and the checkout can be paid without the code', async () => {
    const coupon = await stripe.coupons.create({ percent_off: 50 })
    await stripe.promotionCodes.create({ code: 'GONE', promotion: { type: 'coupon', coupon: coupon.id } })
    const session = await openSession([await createPrice()], { allow_promotion_codes: true })
    await stripe.coupons.del(coupon.id)
    const refused = await paySession(session, { code: 'GONE' })
    assert.deepEqual([refused.status, /This code is invalid/.test(refused.text)], [400, true])
    assert.equal((await paySession(session)).status, 303)
  })

  test('partial refunds together never exceed the charge', async () => {
    const session = await openSession([await createPrice(1000)])
    await paySession(session)
    const payment_intent = String((await readSession(session.id)).payment_intent)
    const refundPayment = (amount?: number) =>
      stripe.refunds.create({ payment_intent, ...(amount === undefined ? {} : { amount }) })
    await refundPayment(400)
    await assert.rejects(refundPayment(700), { param: 'amount', statusCode: 400 })
    await assert.rejects(refundPayment(0), { param: 'amount', statusCode: 400 })
    assert.equal((await refundPayment()).amount, 600)
    await assert.rejects(refundPayment(), { code: 'charge_already_refunded' })
    await assert.rejects(stripe.refunds.create({ charge: 'ch_none' }), { code: 'resource_missing' })
    await assert.rejects(stripe.refunds.create({}), { param: 'charge', statusCode: 400 })
    const { data } = await stripe.charges.list({ payment_intent })
    assert.deepEqual([data[0]?.amount_refunded, data[0]?.refunded], [1000, true])
    assert.equal((await stripe.refunds.list({ payment_intent })).data.length, 2)
  })

  test('a delayed payment that fails leaves the checkout unpaid, and cannot succeed later', async () => {
    const session = await openSession([await createPrice()])
    await paySession(session, { card: '4000 0000 0000 0077' })
    const settleTransfer = (how: string) => world.submit(session.url ?? '', ['settle', how])
    assert.equal((await readSession(session.id)).payment_status, 'unpaid')
    await settleTransfer('failed')
    await settleTransfer('paid')
    const done = await readSession(session.id)
    assert.deepEqual([done.status, done.payment_status], ['complete', 'unpaid'])
    const payment = await stripe.paymentIntents.retrieve(String(done.payment_intent))
    assert.equal(payment.status, 'requires_payment_method')
    const { data } = await stripe.events.list({
      types: ['checkout.session.async_payment_failed', 'checkout.session.async_payment_succeeded'],
    })
    assert.deepEqual(
      data.map(({ type }) => type),
      ['checkout.session.async_payment_failed'],
    )
  })
})
