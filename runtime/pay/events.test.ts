import assert from 'node:assert/strict'
import { afterEach, before, beforeEach, describe, mock, test } from 'node:test'
import { ADA, BOB, importPay, type Modules, SECRET, Shop, TEST_SECRET } from './world.test.fixture.ts'
import { replaceFetch, restoreFetch } from '../testing/fetch.test.fixture.ts'
import { DAY_MS } from '../kernel/durations.ts'

const NOW = Date.parse('2026-11-25T10:00:00Z')
const toSeconds = (ms: number) => Math.floor(ms / 1000)
const UNAUTHORIZED = { code: 'unauthorized' }

describe('events of Stripe', () => {
  let modules: Modules
  let shop: Shop
  before(async () => {
    modules = await importPay()
  })
  beforeEach(() => {
    mock.timers.enable({ apis: ['Date'], now: NOW })
    shop = new Shop(modules)
    shop.stripe.product('book')
    shop.stripe.product('club', { interval: 'month' })
  })
  afterEach(() => {
    mock.timers.reset()
    restoreFetch()
  })

  /** Subscribes the person, with a period that ends in 30 days. */
  async function subscribe(more: object = {}) {
    await shop.checkout('club')
    const period = { current_period_start: toSeconds(NOW), current_period_end: toSeconds(NOW + 30 * DAY_MS) }
    shop.stripe.subscriptions.set('sub_1', {
      id: 'sub_1',
      status: 'active',
      items: { data: [period] },
      ...more,
    })
    await shop.deliver(shop.completed())
  }
  const subscriptionUpdated = (id?: string) =>
    shop.event('customer.subscription.updated', { id: 'sub_1', metadata: shop.metadata }, id)
  const changeSubscription = (more: object) =>
    shop.stripe.subscriptions.set('sub_1', { ...shop.stripe.subscriptions.get('sub_1'), ...more })

  test('a paid checkout creates an order and an entitlement, and runs the job "paid" once', async () => {
    await shop.checkout('book')
    await shop.deliver(shop.completed())
    await shop.wake()
    const { items, rollup } = shop.orders()
    assert.deepEqual(
      items.map(({ status, amount, userId, paidAt }) => [status, amount, userId, paidAt]),
      [['paid', 1200, ADA, new Date(NOW).toISOString()]],
    )
    assert.deepEqual(rollup, { orders: 1, paid: 1, revenue: { usd: 1200 } })
    assert.deepEqual(await shop.owned(), [
      { productId: 'book', kind: 'once', since: new Date(NOW).toISOString(), until: null },
    ])
    assert.deepEqual(await shop.owned(BOB), [])
    assert.equal(await shop.ask('entitled', { userId: ADA, productId: 'book' }), true)
    for (const userId of [BOB, 'u_unknown'])
      assert.equal(await shop.ask('entitled', { userId, productId: 'book' }), false)
    assert.deepEqual(shop.jobs, [
      {
        orderId: items[0]?.id,
        userId: ADA,
        productId: 'book',
        kind: 'once',
        amount: 1200,
        currency: 'usd',
        paidAt: new Date(NOW).toISOString(),
        isRenewal: false,
      },
    ])
  })

  test('a Stripe webhook that is forged, unsigned, or signed more than five minutes in the past or future grants nothing', async () => {
    await shop.checkout('book')
    const event = shop.completed()
    await assert.rejects(shop.deliver(event, { secret: 'whsec_other' }), UNAUTHORIZED)
    await assert.rejects(shop.deliver(event, { tamper: (text) => text.replace('1200', '1') }), UNAUTHORIZED)
    for (const offMs of [-301_000, 301_000])
      await assert.rejects(shop.deliver(event, { atMs: NOW + offMs }), UNAUTHORIZED)
    const bytes = new TextEncoder().encode(JSON.stringify(event)).buffer
    for (const signature of ['', 't=1', 'v1=00'])
      await assert.rejects(shop.ask('webhook', { signature, bytes }), UNAUTHORIZED)
    shop.env['STRIPE_WEBHOOK_SECRET'] = ''
    shop.env['STRIPE_TEST_WEBHOOK_SECRET'] = ''
    await assert.rejects(shop.deliver(event), UNAUTHORIZED)
    shop.env['STRIPE_WEBHOOK_SECRET'] = SECRET
    assert.deepEqual(await shop.owned(), [])
    for (const offMs of [-299_000, 299_000]) await shop.deliver(event, { atMs: NOW + offMs })
    assert.deepEqual(await shop.ownedIds(), ['book'])
  })

  test('a Stripe webhook that arrives twice changes nothing the second time', async () => {
    await shop.checkout('book')
    const event = shop.completed()
    for (let times = 0; times < 3; times++) await shop.deliver(event)
    await shop.deliver({ ...event, id: 'evt_resent' })
    await shop.wake()
    assert.equal(shop.jobs.length, 1)
    assert.deepEqual(shop.orders().rollup, { orders: 1, paid: 1, revenue: { usd: 1200 } })
  })

  test('a Stripe webhook that was interrupted before the entitlement was stored is completed when Stripe repeats it', async () => {
    await shop.checkout('book')
    const event = shop.completed()
    shop.isCut = true
    await assert.rejects(shop.deliver(event), /the worker ended/)
    assert.deepEqual(await shop.owned(), [])
    await shop.deliver(event)
    assert.deepEqual(await shop.ownedIds(), ['book'])
  })

  test('Stripe webhooks of another project, another tier (production or preview) or an unknown type are ignored', async () => {
    await shop.checkout('book')
    for (const metadata of [
      { ...shop.metadata, project: 'p2' },
      { ...shop.metadata, tier: 'preview' },
      { ...shop.metadata, tier: 'elsewhere' },
      {},
    ])
      await shop.deliver(shop.completed({ metadata }))
    await shop.deliver(shop.event('customer.created', { metadata: shop.metadata }))
    await shop.deliver(shop.refunded({ payment_intent: 'pi_of_others' }, {}))
    assert.deepEqual(await shop.owned(), [])
    assert.equal(shop.orders().rollup.paid, 0)
    assert.deepEqual(shop.directory('preview').orders.answer('dump', null), { ok: true, value: null })
  })

  test('a purchase in the preview, or in test mode while a live key is set, grants nothing in the live app', async () => {
    await shop.checkout('book', { tier: 'preview' })
    const event = shop.completed()
    await assert.rejects(shop.deliver(event, { secret: 'whsec_other', tier: 'preview' }), UNAUTHORIZED)
    await shop.deliver(event, { secret: SECRET, tier: 'preview' })
    assert.deepEqual(await shop.owned(ADA, 'preview'), [], 'an event of live mode')
    await shop.deliver({ ...event, id: 'evt_a' }, { secret: TEST_SECRET, tier: 'preview' })
    assert.deepEqual(await shop.ownedIds(ADA, 'preview'), ['book'])
    assert.deepEqual(await shop.owned(), [])
    const forged = shop.completed({ metadata: { ...shop.metadata, tier: 'production' } })
    await shop.deliver(forged, { secret: TEST_SECRET, tier: 'preview' })
    assert.deepEqual(await shop.owned(), [])
  })

  test('test-mode purchases count in the live app until a live key is set, and live purchases always count', async () => {
    delete shop.env['STRIPE_KEY']
    await shop.checkout('book')
    await shop.deliver(shop.completed(), { secret: TEST_SECRET })
    assert.deepEqual(await shop.ownedIds(), ['book'])
    shop.env['STRIPE_KEY'] = 'sk_live_one'
    assert.deepEqual(await shop.owned(), [])
    assert.equal(shop.orders().rollup.orders, 0)
    await shop.checkout('book')
    await shop.deliver(shop.completed())
    delete shop.env['STRIPE_KEY']
    assert.deepEqual(await shop.ownedIds(), ['book'])
  })

  test('a checkout with a delayed payment grants access when it is paid, and none when the payment fails', async () => {
    await shop.checkout('book')
    await shop.deliver(shop.completed({ payment_status: 'unpaid' }))
    assert.deepEqual(await shop.owned(), [])
    const failed = shop.event('checkout.session.async_payment_failed', {
      id: 'cs_1',
      metadata: shop.metadata,
    })
    await shop.deliver(failed)
    assert.equal(shop.orders().items[0]?.status, 'failed')
    await shop.checkout('book')
    const { data } = shop.completed()
    await shop.deliver(shop.event('checkout.session.async_payment_succeeded', data.object))
    assert.deepEqual(await shop.ownedIds(), ['book'])
    await shop.deliver({
      ...failed,
      id: 'evt_late',
      data: { object: { id: 'cs_2', metadata: shop.metadata } },
    })
    assert.deepEqual(await shop.ownedIds(), ['book'], 'a failure that comes late')
  })

  test('a full refund removes the entitlement, whatever the order of the webhooks', async () => {
    await shop.checkout('book')
    await shop.deliver(shop.completed())
    await shop.deliver(shop.refunded({ amount_refunded: 200, refunded: false }))
    assert.deepEqual(await shop.ownedIds(), ['book'])
    assert.deepEqual(shop.orders().rollup.revenue, { usd: 1000 })
    await shop.deliver(shop.refunded())
    assert.deepEqual(await shop.owned(), [])
    await shop.deliver(shop.refunded({ amount_refunded: 200, refunded: false }))
    assert.deepEqual(shop.orders().rollup, { orders: 1, paid: 0, revenue: { usd: 0 } })

    await shop.checkout('book', { user: BOB })
    await shop.deliver(shop.refunded({ payment_intent: 'pi_2' }))
    await shop.deliver(shop.completed({ payment_intent: 'pi_2' }))
    assert.deepEqual(await shop.owned(BOB), [])
    await shop.wake()
    assert.equal(shop.jobs.length, 1)
  })

  test('a dispute that the bank decides for the buyer removes the entitlement like a full refund, and a won one keeps it', async () => {
    await shop.checkout('book')
    await shop.deliver(shop.completed())
    for (const status of ['won', 'warning_closed']) await shop.deliver(shop.disputed(status))
    assert.deepEqual(await shop.ownedIds(), ['book'])
    await shop.deliver(shop.disputed('lost'))
    assert.deepEqual(await shop.owned(), [])
    assert.deepEqual(shop.orders().rollup, { orders: 1, paid: 0, revenue: { usd: 0 } })
  })

  test('a subscription grants access by its current state, whatever the order of its webhooks', async () => {
    await subscribe()
    const [owned] = await shop.owned()
    assert.deepEqual(
      [owned?.productId, owned?.kind, owned?.until],
      ['club', 'subscription', new Date(NOW + 37 * DAY_MS).toISOString()],
    )
    changeSubscription({ status: 'canceled' })
    await shop.deliver(shop.event('customer.subscription.deleted', { id: 'sub_1', metadata: shop.metadata }))
    await shop.deliver(subscriptionUpdated('evt_older'))
    assert.deepEqual(await shop.owned(), [])
    shop.stripe.subscriptions.delete('sub_1')
    await shop.deliver(subscriptionUpdated())
    assert.deepEqual(await shop.owned(), [])
  })

  test('an archived product can no longer be bought, and its buyers keep it', async () => {
    await subscribe()
    shop.stripe.products.set('club', { ...shop.stripe.products.get('club'), active: false })
    await shop.deliver(subscriptionUpdated())
    assert.deepEqual(await shop.ownedIds(), ['club'])
    await assert.rejects(shop.checkout('club', { user: BOB }), {
      code: 'invalid_request',
      field: 'productId',
    })
  })

  test('when two webhooks read a subscription at the same time, the state from the read that started later is stored', async () => {
    await subscribe()
    const { orders } = shop.directory('production')
    const order = shop.orders().items[0]?.id ?? ''
    const startLook = () => {
      const answer = orders.answer('look', { order })
      return answer.ok ? answer.value : 0
    }
    const [early, late] = [startLook(), startLook()]
    const about = { what: 'subscription', order, subscription: 'sub_1', untilAt: null } as const
    const settleEvent = (event: string, change: { look: number; status: string; isGranted: boolean }) =>
      orders.answer('settle', { event, mode: 'live', changes: [{ ...about, ...change }] })
    settleEvent('evt_late', { look: late, status: 'canceled', isGranted: false })
    settleEvent('evt_early', { look: early, status: 'active', isGranted: true })
    const answer = orders.answer('entitlements', { limit: 10, withTest: false })
    assert.deepEqual(answer, { ok: true, value: [] })
  })

  test('an overdue subscription grants access for seven more days, and a canceled one until its period ends', async () => {
    await subscribe()
    mock.timers.setTime(NOW + 30 * DAY_MS)
    changeSubscription({ status: 'past_due' })
    await shop.deliver(subscriptionUpdated())
    mock.timers.setTime(NOW + 33 * DAY_MS)
    await shop.deliver(subscriptionUpdated())
    assert.deepEqual(await shop.ownedIds(), ['club'])
    mock.timers.setTime(NOW + 37 * DAY_MS - 1)
    assert.deepEqual(await shop.ownedIds(), ['club'])
    mock.timers.setTime(NOW + 37 * DAY_MS)
    assert.deepEqual(await shop.ownedIds(), [])
    await assert.rejects(shop.checkout('club'), { code: 'conflict' }, 'a second subscription beside it')
    const period = { current_period_end: toSeconds(NOW + 60 * DAY_MS) }
    changeSubscription({ status: 'active', items: { data: [period] } })
    await shop.deliver(subscriptionUpdated())
    assert.equal((await shop.owned())[0]?.until, new Date(NOW + 67 * DAY_MS).toISOString())
    changeSubscription({ cancel_at_period_end: true })
    await shop.deliver(subscriptionUpdated())
    assert.equal((await shop.owned())[0]?.until, new Date(NOW + 60 * DAY_MS).toISOString())
  })

  test('a renewal of a subscription is stored as a separate order and counted once', async () => {
    await subscribe()
    const about = { subscription_details: { subscription: 'sub_1', metadata: shop.metadata } }
    const invoice = { id: 'in_1', amount_paid: 1500, currency: 'usd', parent: about }
    for (const n of [1, 2])
      shop.stripe.invoices.set(`in_${n}`, {
        payments: { data: [{ payment: { payment_intent: `pi_${n}` } }] },
      })
    await shop.deliver(shop.event('invoice.paid', { ...invoice, billing_reason: 'subscription_create' }))
    const renewal = { ...invoice, id: 'in_2', billing_reason: 'subscription_cycle' }
    await shop.deliver(shop.event('invoice.paid', renewal))
    await shop.deliver(shop.event('invoice.paid', renewal))
    await shop.wake()
    assert.deepEqual(shop.orders().rollup, { orders: 2, paid: 2, revenue: { usd: 2700 } })
    assert.deepEqual(shop.jobs.map(({ isRenewal, amount }) => [isRenewal, amount]).sort(), [
      [false, 1200],
      [true, 1500],
    ])
  })

  test('the job "paid" of an app is retried until it succeeds, and a webhook fails while a call to the Stripe API fails', async () => {
    await shop.checkout('book')
    shop.jobFailures = 2
    await shop.deliver(shop.completed())
    for (let times = 0; times < 4; times++) {
      await shop.wake()
      mock.timers.tick(3_600_000)
    }
    assert.equal(shop.jobs.length, 1)
    await shop.checkout('club')
    shop.stripe.broken = { path: '/subscriptions', status: 500 }
    const event = shop.completed()
    await assert.rejects(shop.deliver(event), { code: 'unavailable' })
    shop.stripe.broken = null
    shop.stripe.subscriptions.set('sub_1', { id: 'sub_1', status: 'active' })
    await shop.deliver(event)
    assert.deepEqual(await shop.ownedIds(), ['book', 'club'])
  })

  test('orders are summed per currency, including currencies without decimals', async () => {
    await shop.checkout('book')
    await shop.deliver(shop.completed({ amount_total: 500, currency: 'jpy' }))
    await shop.checkout('book', { user: BOB })
    await shop.deliver(shop.completed({ payment_intent: 'pi_2' }))
    assert.deepEqual(shop.orders().rollup.revenue, { jpy: 500, usd: 1200 })
  })

  test('sales totals include all orders, not only the listed ones', async () => {
    for (const user of [ADA, BOB]) {
      await shop.checkout('book', { user })
      await shop.deliver(shop.completed({ payment_intent: `pi_${user}` }))
    }
    const answer = shop.directory('production').orders.answer('list', { limit: 1, withTest: false })
    assert.ok(answer.ok)
    assert.deepEqual(
      [answer.value.items.length, answer.value.rollup],
      [1, { orders: 2, paid: 2, revenue: { usd: 2400 } }],
    )
  })

  test('moving an app to another cloud account copies its orders, and a later refund finds its order there', async () => {
    await shop.checkout('book')
    await shop.deliver(shop.completed())
    const event = shop.refunded({}, {})
    const dumped = shop.directory('production').orders.answer('dump', null)
    assert.ok(dumped.ok && dumped.value !== null)
    const { people, pay } = dumped.value
    const other = new Shop(modules)
    const { orders } = other.directory('production')
    for (let times = 0; times < 2; times++) {
      orders.answer('restorePay', pay)
      const told = orders.answer('restore', { user: ADA, dump: people[ADA] ?? { orders: [], customers: [] } })
      assert.ok(told.ok && told.value !== null)
      await other.objects.getByName(`data:${ADA}`).grants('take', told.value)
    }
    assert.deepEqual(await other.ownedIds(), ['book'])
    assert.deepEqual(other.orders(), shop.orders())
    await other.wake()
    assert.equal(other.jobs.length, 1, 'the job that waited')
    await other.deliver(event)
    assert.deepEqual(await other.owned(), [])
  })

  test('erasing a person cancels their subscription and anonymizes paid orders, which a refund still finds', async () => {
    await shop.checkout('book')
    await shop.deliver(shop.completed())
    await subscribe()
    shop.stripe.product('film')
    await shop.checkout('film')
    const before = shop.stripe.subscriptions.size
    await shop.endPayments(ADA)
    assert.deepEqual([before, shop.stripe.subscriptions.size], [1, 0])
    assert.equal(shop.stripe.sessions.has('cs_3'), false, 'a checkout that is open cannot be paid any more')
    const { orders, storage } = shop.directory('production')
    const counted = orders.answer('count', { user: ADA })
    assert.deepEqual(counted, { ok: true, value: { entitlements: 2, subscriptions: 1, paidOrders: 2 } })
    orders.answer('strip', { user: ADA })
    for (const table of ['pay_orders', 'pay_customers', 'pay_events', '_pay_work']) {
      const rows = JSON.stringify(storage.sql.exec(`select * from ${table}`).toArray())
      for (const trace of [ADA, 'ada@example.test', 'cus_1', 'pi_1', 'sub_1', 'cs_'])
        assert.ok(!rows.includes(trace), `${trace} in ${table}: ${rows}`)
    }
    assert.deepEqual(
      shop
        .orders()
        .items.map(({ productId, userId, amount }) => [productId, userId, amount])
        .sort(),
      [
        ['book', null, 1200],
        ['club', null, 1200],
      ],
    )
    await shop.deliver(shop.refunded({}, {}))
    assert.deepEqual(shop.orders().rollup, { orders: 2, paid: 1, revenue: { usd: 1200 } })
  })

  test('erasing a person removes nothing when Stripe does not confirm the end of their subscription', async () => {
    await subscribe()
    for (const status of [0, 401, 403, 500]) {
      shop.stripe.broken = { path: '/subscriptions', status }
      await assert.rejects(shop.endPayments(ADA), { code: 'unavailable', message: /nothing was erased/ })
    }
    shop.stripe.broken = null
    delete shop.env['STRIPE_KEY']
    await assert.rejects(shop.endPayments(ADA), {
      code: 'conflict',
      message: /live key of Stripe is missing/,
    })
    shop.env['STRIPE_KEY'] = 'sk_live_one'
    shop.stripe.subscriptions.delete('sub_1')
    await shop.endPayments(ADA)
    await shop.endPayments(BOB)
  })

  describe('a checkout that Stripe has opened, but whose session is not stored yet', () => {
    /** Calls `act` with each response that opens a session, before the app receives the response. */
    const intercept = (act: (answer: Response) => Promise<Response>) =>
      replaceFetch(async (input: string, init: RequestInit) => {
        const answer = await shop.stripe.fetch(input, init)
        return input.endsWith('/checkout/sessions') ? act(answer) : answer
      })

    test('a checkout session that Stripe returns after the erasure of its buyer began cannot be paid', async () => {
      let isErased = false
      intercept(async (answer) => {
        if (isErased) return answer
        isErased = true
        shop.directory('production').users.freeze({ id: ADA })
        await shop.endPayments(ADA)
        return answer
      })
      await shop.checkout('book')
      assert.ok(isErased)
      assert.deepEqual([...shop.stripe.sessions.keys()], [])
    })

    test('a checkout session whose response was lost before the erasure of its buyer cannot be paid', async () => {
      intercept(() => Promise.reject(new TypeError('fetch failed')))
      await assert.rejects(shop.checkout('book'), { code: 'unavailable' })
      assert.equal(shop.stripe.sessions.size, 1)
      replaceFetch(shop.stripe.fetch)
      await shop.endPayments(ADA)
      assert.deepEqual([...shop.stripe.sessions.keys()], [])
    })
  })

  test('a checkout that Stripe refuses does not prevent erasing its buyer, and nothing is removed while Stripe does not respond', async () => {
    shop.stripe.broken = { path: '/checkout/sessions', status: 500 }
    await assert.rejects(shop.checkout('book'), { code: 'unavailable' })
    await assert.rejects(shop.endPayments(ADA), { code: 'unavailable', message: /nothing was erased/ })
    shop.stripe.broken.status = 400
    await shop.endPayments(ADA)
    shop.stripe.broken = null
    await shop.endPayments(ADA)
    assert.deepEqual([...shop.stripe.sessions.keys()], [], 'a session that never existed')
  })

  test("a checkout paid during its buyer's erasure becomes an anonymous order, and its subscription is canceled", async () => {
    await shop.checkout('club')
    const event = shop.completed()
    shop.stripe.subscriptions.set('sub_1', { id: 'sub_1', status: 'active' })
    shop.stripe.broken = { path: '/checkout/sessions/cs_1/expire', status: 400 }
    shop.stripe.sessions.set('cs_1', { id: 'cs_1', subscription: 'sub_1' })
    await shop.endPayments(ADA)
    assert.equal(shop.stripe.subscriptions.size, 0)
    const { orders, users } = shop.directory('production')
    orders.answer('strip', { user: ADA })
    users.freeze({ id: ADA })
    assert.equal(shop.orders().rollup.orders, 0)
    await shop.deliver(event)
    assert.deepEqual(
      shop.orders().items.map(({ userId, status }) => [userId, status]),
      [[null, 'paid']],
    )
  })
})
