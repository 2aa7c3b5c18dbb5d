import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { Stripe } from 'stripe'
import { HeldClock } from '../../testing/held-clock.ts'
import { testStripe, type TestStripe } from '../../testing/stripe.ts'

const DAY_MS = 86_400_000
const START = Date.UTC(2027, 0, 31, 12)

describe('subscriptions of the payment provider', () => {
  let world: TestStripe
  let stripe: Stripe
  beforeEach(() => {
    world = testStripe(new HeldClock(START))
    stripe = world.client()
  })
  afterEach(() => world.close())

  const createPrice = async (recurring: Stripe.PriceCreateParams.Recurring, amount = 1000) => {
    const { id: product } = await stripe.products.create({ name: 'Club' })
    return (await stripe.prices.create({ product, unit_amount: amount, currency: 'usd', recurring })).id
  }
  /** Buys a subscription on the hosted page and returns its id. */
  const subscribeCustomer = async (
    id: string,
    { card, ...more }: { card?: string } & Partial<Stripe.Checkout.SessionCreateParams> = {},
  ) => {
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: id, quantity: 1 }],
      success_url: 'http://shop.test/',
      ...more,
    })
    const fields = { email: 'ada@example.test', ...(card === undefined ? {} : { card }) }
    assert.equal((await world.submit(session.url ?? '', ['pay', 'yes'], fields)).status, 303)
    return String((await stripe.checkout.sessions.retrieve(session.id)).subscription)
  }
  const endOf = async (id: string) => {
    const [item] = (await stripe.subscriptions.retrieve(id)).items.data
    return new Date((item?.current_period_end ?? 0) * 1000).toISOString().slice(0, 10)
  }
  const advanceTo = (month: number, day: number, year = 2027) =>
    world.clock.advance(Date.UTC(year, month - 1, day, 13) - world.clock.now())
  const listAmounts = async (subscription: string) =>
    (await stripe.invoices.list({ subscription })).data.map(({ amount_due: due }) => due).toReversed()

  test('monthly periods that began on the 31st end on the last day of a shorter month and on the 31st of a longer one', async () => {
    const id = await subscribeCustomer(await createPrice({ interval: 'month' }))
    const ends = [await endOf(id)]
    for (const [month, day] of [
      [2, 28],
      [3, 31],
    ] as const) {
      advanceTo(month, day)
      ends.push(await endOf(id))
    }
    assert.deepEqual(ends, ['2027-02-28', '2027-03-31', '2027-04-30'])
  })

  test('billing periods of days, weeks, several months and years end on the right calendar days', async () => {
    for (const [recurring, end] of [
      [{ interval: 'day', interval_count: 3 }, '2027-02-03'],
      [{ interval: 'week' }, '2027-02-07'],
      [{ interval: 'month', interval_count: 3 }, '2027-04-30'],
      [{ interval: 'year' }, '2028-01-31'],
    ] as const)
      assert.equal(await endOf(await subscribeCustomer(await createPrice(recurring))), end)
  })

  test('moving the clock past several billing periods creates an invoice for each of them', async () => {
    const id = await subscribeCustomer(await createPrice({ interval: 'month' }, 700))
    advanceTo(5, 1)
    assert.deepEqual(await listAmounts(id), [700, 700, 700, 700])
    assert.equal(await endOf(id), '2027-05-31')
    const reasons = (await stripe.invoices.list({ subscription: id })).data.map(
      ({ billing_reason: reason }) => reason,
    )
    assert.deepEqual(new Set(reasons), new Set(['subscription_cycle', 'subscription_create']))
    assert.equal(reasons.at(-1), 'subscription_create')
  })

  test('depending on its duration, a coupon reduces the first invoice, the invoices of some months, or all invoices', async () => {
    const monthly = await createPrice({ interval: 'month' })
    const withCoupon = async (more: Stripe.CouponCreateParams) => {
      const { id: coupon } = await stripe.coupons.create({ percent_off: 40, ...more })
      return subscribeCustomer(monthly, { discounts: [{ coupon }] })
    }
    const once = await withCoupon({ duration: 'once' })
    const months = await withCoupon({ duration: 'repeating', duration_in_months: 2 })
    const forever = await withCoupon({ duration: 'forever' })
    advanceTo(5, 1)
    assert.deepEqual(await listAmounts(once), [600, 1000, 1000, 1000])
    assert.deepEqual(await listAmounts(months), [600, 600, 1000, 1000])
    assert.deepEqual(await listAmounts(forever), [600, 600, 600, 600])
  })

  test('a coupon for one invoice is applied to the first paid invoice after a free trial', async () => {
    const { id: coupon } = await stripe.coupons.create({ percent_off: 40, duration: 'once' })
    const id = await subscribeCustomer(await createPrice({ interval: 'month' }), {
      discounts: [{ coupon }],
      subscription_data: { trial_period_days: 7 },
    })
    world.clock.advance(8 * DAY_MS)
    assert.equal((await stripe.subscriptions.retrieve(id)).status, 'active')
    advanceTo(4, 10)
    assert.deepEqual(await listAmounts(id), [0, 600, 1000, 1000])
  })

  test('a failed renewal is retried every three days, and the third failure ends the subscription', async () => {
    const id = await subscribeCustomer(await createPrice({ interval: 'month' }), {
      card: '4000 0000 0000 0341',
    })
    const readStatus = async () => (await stripe.subscriptions.retrieve(id)).status
    advanceTo(2, 28)
    assert.equal(await readStatus(), 'past_due')
    world.clock.advance(2 * DAY_MS)
    const countFailed = async () => (await stripe.invoices.list({ subscription: id })).data.length - 1
    assert.equal(await countFailed(), 1)
    world.clock.advance(2 * DAY_MS)
    assert.deepEqual([await readStatus(), await countFailed()], ['past_due', 2])
    world.clock.advance(3 * DAY_MS)
    assert.deepEqual([await readStatus(), await countFailed()], ['canceled', 3])
    const ended = await stripe.events.list({ type: 'customer.subscription.deleted' })
    assert.equal(ended.data.length, 1)
    advanceTo(6, 1)
    assert.equal(await countFailed(), 3, 'an ended subscription is not charged')
  })

  test('a new card in the portal reactivates a past due subscription, and the next renewal keeps its original date', async () => {
    const id = await subscribeCustomer(await createPrice({ interval: 'month' }), {
      card: '4000 0000 0000 0341',
    })
    advanceTo(2, 28)
    const { customer } = await stripe.subscriptions.retrieve(id)
    const { id: configuration } = await stripe.billingPortal.configurations.create({
      features: { payment_method_update: { enabled: true } },
    })
    const { url } = await stripe.billingPortal.sessions.create({
      customer: String(customer),
      configuration,
    })
    await world.submit(url, ['do', 'card'], { card: '4242 4242 4242 4242' })
    world.clock.advance(4 * DAY_MS)
    assert.equal((await stripe.subscriptions.retrieve(id)).status, 'active')
    assert.equal(await endOf(id), '2027-03-31')
  })

  test("a customer's portal cannot change another customer's subscription", async () => {
    const monthly = await createPrice({ interval: 'month' })
    const [own, other] = [await subscribeCustomer(monthly), await subscribeCustomer(monthly)]
    const { customer } = await stripe.subscriptions.retrieve(own)
    const { id: configuration } = await stripe.billingPortal.configurations.create({
      features: { subscription_cancel: { enabled: true } },
    })
    const { url } = await stripe.billingPortal.sessions.create({
      customer: String(customer),
      configuration,
    })
    await world.submit(url, ['do', 'cancel'], { subscription: other })
    const isEnding = async (id: string) => (await stripe.subscriptions.retrieve(id)).cancel_at_period_end
    assert.deepEqual([await isEnding(own), await isEnding(other)], [false, false])
    await world.submit(url, ['do', 'cancel'])
    assert.deepEqual([await isEnding(own), await isEnding(other)], [true, false])
  })

  test('a cancellation at the end of the billing period can be revoked until the period ends', async () => {
    const [kept, left] = [
      await subscribeCustomer(await createPrice({ interval: 'month' })),
      await subscribeCustomer(await createPrice({ interval: 'month' })),
    ]
    for (const id of [kept, left]) await stripe.subscriptions.update(id, { cancel_at_period_end: true })
    const back = await stripe.subscriptions.update(kept, { cancel_at_period_end: false })
    assert.deepEqual([back.cancel_at, back.canceled_at], [null, null])
    advanceTo(3, 1)
    const statuses = await Promise.all(
      [kept, left].map(async (id) => (await stripe.subscriptions.retrieve(id)).status),
    )
    assert.deepEqual(statuses, ['active', 'canceled'])
  })

  test('a price that a customer confirms in the portal is charged from the next billing period on', async () => {
    const [small, large] = [
      await createPrice({ interval: 'month' }, 500),
      await createPrice({ interval: 'month' }, 900),
    ]
    const id = await subscribeCustomer(small)
    const subscription = await stripe.subscriptions.retrieve(id)
    const { product } = await stripe.prices.retrieve(large)
    const { id: configuration } = await stripe.billingPortal.configurations.create({
      features: {
        subscription_update: {
          enabled: true,
          default_allowed_updates: ['price'],
          products: [{ product: String(product), prices: [large] }],
        },
      },
    })
    const openPortal = (to: string) =>
      stripe.billingPortal.sessions.create({
        customer: String(subscription.customer),
        configuration,
        flow_data: {
          type: 'subscription_update_confirm',
          subscription_update_confirm: {
            subscription: id,
            items: [{ id: subscription.items.data[0]?.id ?? '', price: to }],
          },
        },
      })
    await assert.rejects(openPortal(small), {
      statusCode: 400,
      message: /not part of the portal configuration/,
    })
    const { url } = await openPortal(large)
    await world.submit(url, ['do', 'confirm'])
    await world.submit(url, ['do', 'confirm'])
    await assert.rejects(openPortal(large), { statusCode: 400, message: /has this price already/ })
    advanceTo(2, 28)
    assert.deepEqual(await listAmounts(id), [500, 900])
    const updates = await stripe.events.list({ type: 'customer.subscription.updated' })
    assert.equal(updates.data.length, 2, 'the change and the renewal')
  })

  test('the subscriptions of a deleted customer are no longer charged', async () => {
    const id = await subscribeCustomer(await createPrice({ interval: 'month' }))
    const { customer } = await stripe.subscriptions.retrieve(id)
    await stripe.customers.del(String(customer))
    assert.equal((await stripe.subscriptions.retrieve(id)).status, 'canceled')
    assert.equal((await stripe.customers.retrieve(String(customer))).deleted, true)
    const countListed = async (params: Stripe.SubscriptionListParams) =>
      (await stripe.subscriptions.list(params)).data.length
    assert.deepEqual([await countListed({}), await countListed({ status: 'all' })], [0, 1])
  })

  test('a list of subscriptions is filtered by status, and without a status omits canceled subscriptions', async () => {
    const price = await createPrice({ interval: 'month' })
    const { id: customer } = await stripe.customers.create()
    const add = async (trial?: number) =>
      (
        await stripe.subscriptions.create({
          customer,
          items: [{ price }],
          ...(trial && { trial_period_days: trial }),
        })
      ).id
    const [active, trialing, ended] = [await add(), await add(7), await add()]
    await stripe.subscriptions.cancel(ended)
    const list = async (status?: Stripe.SubscriptionListParams.Status) =>
      (await stripe.subscriptions.list({ customer, ...(status && { status }) })).data.map(({ id }) => id)
    assert.deepEqual(await list(), [trialing, active])
    assert.deepEqual(await list('all'), [ended, trialing, active])
    assert.deepEqual(await list('active'), [active])
    assert.deepEqual(await list('trialing'), [trialing])
    for (const status of ['canceled', 'ended'] as const) assert.deepEqual(await list(status), [ended], status)
    for (const status of ['past_due', 'unpaid', 'paused', 'incomplete', 'incomplete_expired'] as const)
      assert.deepEqual(await list(status), [], status)
  })

  test('renewals of a subscription whose first payment was delayed are paid', async () => {
    const id = await subscribeCustomer(await createPrice({ interval: 'month' }, 700), {
      card: '4000 0000 0000 0077',
    })
    advanceTo(3, 1)
    assert.deepEqual(
      [(await stripe.subscriptions.retrieve(id)).status, await listAmounts(id)],
      ['active', [700, 700]],
    )
  })

  test('a subscription needs an active recurring price, a quantity of at least 1 and a trial of at most two years', async () => {
    const { id: customer } = await stripe.customers.create()
    const monthly = await createPrice({ interval: 'month' })
    const { product } = await stripe.prices.retrieve(monthly)
    const once = await stripe.prices.create({ product: String(product), unit_amount: 5, currency: 'usd' })
    const archived = await createPrice({ interval: 'month' })
    await stripe.prices.update(archived, { active: false })
    const paramOf = async (params: Partial<Stripe.SubscriptionCreateParams>) => {
      try {
        return (await stripe.subscriptions.create({ customer, items: [{ price: monthly }], ...params }))
          .status
      } catch (error) {
        return (error as Stripe.errors.StripeError).param
      }
    }
    assert.deepEqual(
      [
        await paramOf({}),
        await paramOf({ trial_period_days: 730 }),
        await paramOf({ items: [{ price: once.id }] }),
        await paramOf({ items: [{ price: archived }] }),
        await paramOf({ items: [{ price: 'price_none' }] }),
        await paramOf({ items: [{ price: monthly, quantity: -1 }] }),
        await paramOf({ trial_period_days: -1 }),
        await paramOf({ trial_period_days: 731 }),
        await paramOf({ customer: 'cus_none' }),
      ],
      [
        'active',
        'trialing',
        'items[0][price]',
        'items[0][price]',
        'items[0][price]',
        'items[0][quantity]',
        'trial_period_days',
        'trial_period_days',
        'customer',
      ],
    )
  })
})
