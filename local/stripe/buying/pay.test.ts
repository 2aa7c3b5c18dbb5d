import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { Stripe } from 'stripe'
import { testStripe, type TestStripe } from '../../testing/stripe.ts'

type SessionParams = Partial<Stripe.Checkout.SessionCreateParams>
const PROBLEM = /<p role="alert">([^<]*)<\/p>/

describe('paying a checkout of the payment provider', () => {
  let world: TestStripe
  let stripe: Stripe
  let once: string
  let monthly: string
  beforeEach(async () => {
    world = testStripe()
    stripe = world.client()
    const { id: product } = await stripe.products.create({ name: 'Plant' })
    const createPrice = async (more: Partial<Stripe.PriceCreateParams> = {}) =>
      (await stripe.prices.create({ product, unit_amount: 1000, currency: 'usd', ...more })).id
    once = await createPrice()
    monthly = await createPrice({ recurring: { interval: 'month' } })
  })
  afterEach(() => world.close())

  const open = (more: SessionParams = {}) =>
    stripe.checkout.sessions.create({
      mode: 'payment',
      line_items: [{ price: once }],
      success_url: 'http://shop.test/{CHECKOUT_SESSION_ID}',
      ...more,
    })
  const subscribe = (more: SessionParams = {}) =>
    open({ mode: 'subscription', line_items: [{ price: monthly }], ...more })
  /** Submits the page of a session. Returns the problem that the page shows, or the address to which it redirects. */
  const pay = async ({ url }: Stripe.Checkout.Session, fields: Record<string, string> = {}) => {
    const answer = await world.submit(url ?? '', ['pay', 'yes'], { email: 'ada@example.test', ...fields })
    const text = await answer.text()
    return answer.headers.get('location') ?? PROBLEM.exec(text)?.[1] ?? `${answer.status}: ${text}`
  }
  const read = async ({ id }: Stripe.Checkout.Session) => {
    const { status, payment_status: paid, amount_total: total } = await stripe.checkout.sessions.retrieve(id)
    return [status, paid, total]
  }
  /** The types of all events, oldest first. */
  const eventTypes = async () =>
    (await stripe.events.list({ limit: 100 })).data.map(({ type }) => type).toReversed()

  test("a payment creates a charge with the payment's metadata, and events in Stripe's order", async () => {
    const session = await open({ payment_intent_data: { metadata: { order: '7' } }, metadata: { cart: '1' } })
    assert.equal(await pay(session), `http://shop.test/${session.id}`)
    const done = await stripe.checkout.sessions.retrieve(session.id, {
      expand: ['payment_intent.latest_charge'],
    })
    const payment = done.payment_intent as Stripe.PaymentIntent
    const charge = payment.latest_charge as Stripe.Charge
    assert.deepEqual(
      [
        [done.metadata, done.customer, done.customer_details],
        [payment.amount, payment.amount_received, payment.status, payment.metadata],
        [charge.amount, charge.metadata, charge.receipt_email, charge.paid, charge.payment_intent],
        await eventTypes(),
      ],
      [
        [{ cart: '1' }, null, { email: 'ada@example.test', name: null }],
        [1000, 1000, 'succeeded', { order: '7' }],
        [1000, { order: '7' }, 'ada@example.test', true, payment.id],
        ['charge.succeeded', 'payment_intent.succeeded', 'checkout.session.completed'],
      ],
    )
  })

  test('paying a checkout creates a customer if the session requests one, or uses the customer that it names', async () => {
    const always = await open({ customer_creation: 'always' })
    const { id: known } = await stripe.customers.create({ email: 'known@example.test' })
    const own = await open({ customer: known })
    await pay(always)
    await pay(own)
    const made = await stripe.checkout.sessions.retrieve(always.id)
    const customers = (await stripe.customers.list()).data.map(({ id, email }) => [id, email])
    assert.deepEqual(
      [customers, (await stripe.checkout.sessions.retrieve(own.id)).customer],
      [
        [
          [made.customer, 'ada@example.test'],
          [known, 'known@example.test'],
        ],
        known,
      ],
    )
  })

  test('a checkout whose customer was deleted cannot be paid, so no subscription without a customer is charged', async () => {
    const { id: customer } = await stripe.customers.create()
    const session = await subscribe({ customer })
    await stripe.customers.del(customer)
    assert.deepEqual(
      [await pay(session), await read(session), (await stripe.subscriptions.list({ status: 'all' })).data],
      ['The customer of this checkout was deleted.', ['open', 'unpaid', 1000], []],
    )
  })

  test('paying a checkout starts a subscription and pays the first invoice, which is zero with a trial', async () => {
    const paid = await subscribe({ subscription_data: { metadata: { plan: 'a' } } })
    const trial = await subscribe({ subscription_data: { trial_period_days: 7 } })
    await pay(paid)
    await pay(trial)
    const subscriptionOf = async ({ id }: Stripe.Checkout.Session) => {
      const done = await stripe.checkout.sessions.retrieve(id, { expand: ['subscription', 'invoice'] })
      const { status, metadata, customer } = done.subscription as Stripe.Subscription
      const { amount_due: due, status: invoiceStatus } = done.invoice as Stripe.Invoice
      return [done.payment_status, status, metadata, customer === done.customer, due, invoiceStatus]
    }
    assert.deepEqual(
      [await subscriptionOf(paid), await subscriptionOf(trial)],
      [
        ['paid', 'active', { plan: 'a' }, true, 1000, 'paid'],
        ['no_payment_required', 'trialing', {}, true, 0, 'paid'],
      ],
    )
  })

  test('a promotion code that is restricted to a customer is accepted only in a checkout of this customer', async () => {
    const [{ id: ada }, { id: bob }] = [await stripe.customers.create(), await stripe.customers.create()]
    const { id: coupon } = await stripe.coupons.create({ percent_off: 50 })
    const code = await stripe.promotionCodes.create({
      code: 'ADA',
      customer: ada,
      promotion: { type: 'coupon', coupon },
    })
    const openWith = (customer?: string) =>
      open({ allow_promotion_codes: true, ...(customer && { customer }) })
    const [own, other, anonymous] = [await openWith(ada), await openWith(bob), await openWith()]
    const discounts = [{ promotion_code: code.id }]
    await assert.rejects(open({ customer: bob, discounts }), { param: 'discounts', statusCode: 400 })
    await assert.rejects(open({ discounts }), { param: 'discounts', statusCode: 400 })
    assert.equal((await open({ customer: ada, discounts })).amount_total, 500)
    const foreign = 'This code is for another customer.'
    assert.deepEqual(
      [
        await pay(other, { code: 'ADA' }),
        await pay(anonymous, { code: 'ADA' }),
        await pay(own, { code: 'ada' }),
        await read(own),
      ],
      [foreign, foreign, `http://shop.test/${own.id}`, ['complete', 'paid', 500]],
    )
  })

  test("the checkout page refuses a promotion code or coupon that became invalid after the session's creation", async () => {
    const { id: coupon } = await stripe.coupons.create({ percent_off: 50 })
    const code = await stripe.promotionCodes.create({ code: 'SOON', promotion: { type: 'coupon', coupon } })
    const typed = await open({ allow_promotion_codes: true })
    const fixed = await open({ discounts: [{ promotion_code: code.id }] })
    const couponed = await open({ discounts: [{ coupon }] })
    await stripe.promotionCodes.update(code.id, { active: false })
    await stripe.coupons.del(coupon)
    assert.deepEqual(
      [await pay(typed, { code: 'SOON' }), await pay(fixed), await pay(couponed), await eventTypes()],
      ['This code is invalid.', 'This code is invalid.', 'This code is invalid.', []],
    )
  })

  test('each payment counts as a redemption of its promotion code, and a declined card does not', async () => {
    const { id: coupon } = await stripe.coupons.create({ percent_off: 50, max_redemptions: 2 })
    const { id } = await stripe.promotionCodes.create({
      code: 'TWICE',
      max_redemptions: 1,
      promotion: { type: 'coupon', coupon },
    })
    const session = await open({ allow_promotion_codes: true })
    const redeemed = async () => {
      const { times_redeemed: times, active } = await stripe.promotionCodes.retrieve(id)
      const { times_redeemed: couponTimes, valid } = await stripe.coupons.retrieve(coupon)
      return [times, active, couponTimes, valid]
    }
    assert.deepEqual(
      [await pay(session, { code: 'TWICE', card: '4000000000000002' }), await redeemed()],
      ['Your card was declined.', [0, true, 0, true]],
    )
    await pay(session, { code: 'TWICE' })
    const last = await open({ discounts: [{ coupon }] })
    assert.deepEqual(
      [await redeemed(), await pay(last), await redeemed()],
      [[1, false, 1, true], `http://shop.test/${last.id}`, [1, false, 2, false]],
    )
  })

  test('when two open checkouts use a coupon with one redemption left, the second payment is refused on its checkout page', async () => {
    const { id: coupon } = await stripe.coupons.create({ percent_off: 50, max_redemptions: 1 })
    const [first, second] = [await open({ discounts: [{ coupon }] }), await open({ discounts: [{ coupon }] })]
    assert.deepEqual(
      [await pay(first), await pay(second), await read(second)],
      [`http://shop.test/${first.id}`, 'This code has been redeemed too often.', ['open', 'unpaid', 500]],
    )
  })

  test('a delayed payment is settled once, and its checkout page shows the result', async () => {
    const settle = async (session: Stripe.Checkout.Session, how: string) =>
      (await world.submit(session.url ?? '', ['settle', how])).status
    const titleOf = async ({ url }: Stripe.Checkout.Session) =>
      /<h1>(.*)<\/h1>/.exec(await world.show(url ?? ''))?.[1]
    const outcomes = []
    for (const how of ['paid', 'failed']) {
      const session = await open()
      await pay(session, { card: '4000 0000 0000 0077' })
      const waiting = [await read(session), await titleOf(session)]
      outcomes.push([
        waiting,
        await settle(session, how),
        await settle(session, 'paid'),
        await read(session),
        await titleOf(session),
      ])
    }
    const waiting = [['complete', 'unpaid', 1000], 'The payment is under way']
    assert.deepEqual(
      [outcomes, (await eventTypes()).filter((type) => type.includes('async'))],
      [
        [
          [waiting, 303, 303, ['complete', 'paid', 1000], 'This checkout is finished'],
          [waiting, 303, 303, ['complete', 'unpaid', 1000], 'The payment failed'],
        ],
        ['checkout.session.async_payment_succeeded', 'checkout.session.async_payment_failed'],
      ],
    )
  })

  test('settling the delayed payment of a checkout that was not paid yet does nothing', async () => {
    const session = await open()
    const body = new URLSearchParams({ settle: 'paid' })
    assert.equal((await world.request(session.url ?? '', { method: 'POST', body })).status, 303)
    assert.deepEqual([await read(session), await eventTypes()], [['open', 'unpaid', 1000], []])
  })
})
