import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import type { OrderChange, CheckoutOrder, PayGrant } from './calls.ts'
import { activeGrants } from './grants.ts'
import { OrderStore } from './store.ts'

const [ADA, BOB] = [`u_${'a'.repeat(26)}`, `u_${'b'.repeat(26)}`]
const NOW = new Date('2026-11-24T10:00:00.000Z')
const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000]
const after = (ms: number) => new Date(NOW.getTime() + ms)

describe('the orders of an app', () => {
  let storage: ReturnType<typeof memoryStorage>
  let store: OrderStore
  let events = 0
  beforeEach(() => {
    storage = memoryStorage()
    store = new OrderStore(storage)
  })

  const order = (id: string, more: Partial<CheckoutOrder> = {}): CheckoutOrder => ({
    id,
    user: ADA,
    product: 'book',
    kind: 'once',
    mode: 'live',
    amount: 1200,
    currency: 'usd',
    code: null,
    price: 'price_1',
    form: `form of ${id}`,
    ...more,
  })
  const paid = (id: string, more: Partial<Extract<OrderChange, { what: 'paid' }>> = {}): OrderChange => ({
    what: 'paid',
    order: id,
    user: ADA,
    product: 'book',
    kind: 'once',
    amount: 1200,
    currency: 'usd',
    customer: 'cus_1',
    payment: `pi_${id}`,
    subscription: null,
    session: `cs_${id}`,
    ...more,
  })
  const subscribed = (id: string, status: string, more: object = {}): OrderChange => ({
    what: 'subscription',
    order: id,
    subscription: `sub_${id}`,
    look: ++events,
    status,
    isGranted: status !== 'canceled',
    untilAt: null,
    ...more,
  })
  const settle = (change: OrderChange, { event = `evt_${++events}`, now = NOW } = {}) =>
    store.settle({ event, mode: 'live', changes: [change] }, (id) => id === ADA || id === BOB, now)
  const subscribe = (id: string, status = 'active', more: object = {}) => {
    store.begin(order(id, { kind: 'subscription', product: 'plan' }), NOW)
    settle(paid(id, { kind: 'subscription', product: 'plan', subscription: `sub_${id}` }))
    settle(subscribed(id, status, more))
  }
  const conflict = { code: 'conflict', field: 'productId' }

  test('orders can be stored after the transaction that created their tables was rolled back', () => {
    const failing = () =>
      storage.transactionSync(() => {
        settle(paid('one'))
        throw new Error('the worker ended')
      })
    assert.throws(failing, /the worker ended/)
    assert.deepEqual([store.isThere, store.list(10, true).items], [false, []])
    settle(paid('one'))
    assert.equal(store.list(10, true).items.length, 1)
  })

  test('reading orders before the first one stores nothing', () => {
    assert.deepEqual(store.list(10, true), { items: [], rollup: { orders: 0, paid: 0, revenue: {} } })
    assert.deepEqual(store.entitlements(10, true, NOW), [])
    assert.deepEqual(store.atStripe(ADA, NOW), { subscriptions: [], sessions: [], unopened: [] })
    assert.deepEqual(store.count(ADA, NOW), { entitlements: 0, subscriptions: 0, paidOrders: 0 })
    assert.deepEqual(store.customer(ADA, 'live'), { customer: null, hadSubscription: false })
    assert.deepEqual([store.order('one'), store.countCheck('one'), store.dump()], [null, 0, null])
    store.strip(ADA)
    assert.deepEqual(storage.sql.exec('select name from sqlite_master').toArray(), [])
  })

  test('repeating a checkout within an hour reuses its open order, but not an order whose payment failed', () => {
    assert.equal(store.begin(order('one'), NOW).id, 'one')
    store.opened('one', 'cs_one', 'https://checkout.example.test/one')
    assert.deepEqual(store.begin(order('two'), after(HOUR_MS - 1)), {
      id: 'one',
      form: 'form of one',
      url: 'https://checkout.example.test/one',
    })
    assert.equal(store.begin(order('two'), after(HOUR_MS)).id, 'two')
    settle({ what: 'failed', order: 'two' })
    assert.equal(store.begin(order('three'), after(HOUR_MS + 1)).id, 'three')
  })

  test('discarding an order deletes it only if it has no checkout session and was not paid', () => {
    for (const id of ['one', 'two', 'three']) store.begin(order(id, { price: `price_${id}` }), NOW)
    store.opened('two', 'cs_two', 'https://checkout.example.test/two')
    settle(paid('three'))
    for (const id of ['one', 'two', 'three']) store.drop(id)
    assert.deepEqual(
      ['one', 'two', 'three'].map((id) => store.order(id)?.status),
      [undefined, 'open', 'paid'],
    )
  })

  test('a second subscription is refused while the first one may still be charged, and accepted once it has ended', () => {
    for (const [status, isRefused] of [
      ['active', true],
      ['trialing', true],
      ['past_due', true],
      ['unpaid', true],
      ['canceled', false],
      ['incomplete_expired', false],
    ] as const) {
      storage = memoryStorage()
      store = new OrderStore(storage)
      subscribe('one', status, { isGranted: false })
      const again = () =>
        store.begin(order('two', { kind: 'subscription', product: 'plan' }), after(2 * HOUR_MS))
      if (isRefused) assert.throws(again, conflict, status)
      else assert.equal(again().id, 'two', status)
    }
  })

  test('a product that a person bought in live mode can be bought in test mode, and by another person', () => {
    settle(paid('one'))
    assert.throws(() => store.begin(order('two'), NOW), conflict)
    assert.equal(store.begin(order('two', { mode: 'test' }), NOW).id, 'two')
    assert.equal(store.begin(order('three', { user: BOB }), NOW).id, 'three')
  })

  test('a Stripe event is applied once, even if it arrives again after a restart, and its id is deleted after thirty days', () => {
    const first = settle(paid('one'), { event: 'evt_a' })
    assert.deepEqual(first, { user: ADA, paid: [{ order: 'one', isRenewal: false }] })
    store = new OrderStore(storage)
    assert.deepEqual(settle(paid('one'), { event: 'evt_a' }), { user: ADA, paid: [] })
    settle(paid('two'), { now: after(30 * DAY_MS) })
    assert.equal(store.findEventUser('evt_a'), ADA)
    settle(paid('three'), { now: after(30 * DAY_MS + 1) })
    assert.equal(store.findEventUser('evt_a'), undefined)
    // The id of the event is deleted by now, but the order is already paid, so its payment is not counted
    // again.
    assert.deepEqual(settle(paid('one'), { event: 'evt_a', now: after(31 * DAY_MS) }).paid, [])
  })

  test('a Stripe event about an order or payment of another project is not stored', () => {
    store.begin(order('one'), NOW)
    assert.deepEqual(settle({ what: 'failed', order: 'theirs' }, { event: 'evt_a' }), {
      user: null,
      paid: [],
    })
    settle(
      { what: 'refunded', order: null, payment: 'pi_theirs', amount: 1, isFull: true },
      { event: 'evt_b' },
    )
    assert.deepEqual([store.findEventUser('evt_a'), store.findEventUser('evt_b')], [undefined, undefined])
  })

  test('a failed payment that is reported after the order was paid changes nothing', () => {
    settle(paid('one'))
    settle({ what: 'failed', order: 'one' })
    assert.equal(store.order('one')?.status, 'paid')
    assert.equal(store.grantsOf(ADA).length, 1)
  })

  test('partial refunds keep the entitlement, and the largest reported amount counts, whatever the order of arrival', () => {
    settle(paid('one'))
    for (const amount of [500, 200])
      settle({ what: 'refunded', order: null, payment: 'pi_one', amount, isFull: false })
    assert.deepEqual(
      [store.order('one')?.refunded, store.order('one')?.status, store.grantsOf(ADA).length],
      [500, 'paid', 1],
    )
    assert.deepEqual(store.list(10, false).rollup, { orders: 1, paid: 1, revenue: { usd: 700 } })
    settle({ what: 'refunded', order: null, payment: 'pi_one', amount: 1200, isFull: true })
    settle({ what: 'refunded', order: null, payment: 'pi_one', amount: 700, isFull: false })
    assert.deepEqual(
      [store.order('one')?.refunded, store.order('one')?.status, store.grantsOf(ADA)],
      [1200, 'refunded', []],
    )
  })

  test('refunding one payment of a subscription marks that order as refunded and does not end the subscription', () => {
    subscribe('one')
    const bill = { what: 'billed', order: 'one', isRenewal: true, amount: 900, currency: 'usd' } as const
    const renewed = settle({ ...bill, invoice: 'in_2', payment: 'pi_2' })
    const [renewal] = renewed.paid
    assert.equal(renewal?.isRenewal, true)
    // The invoice is reported again under another event.
    assert.deepEqual(settle({ ...bill, invoice: 'in_2', payment: 'pi_2' }).paid, [])
    settle({ what: 'refunded', order: null, payment: 'pi_2', amount: 900, isFull: true })
    assert.equal(store.order(renewal?.order ?? '')?.status, 'refunded')
    assert.deepEqual([store.order('one')?.status, store.grantsOf(ADA).length], ['paid', 1])
    // A refund of the first payment does not end the subscription, because Stripe reports its end in a
    // separate event.
    settle({ what: 'refunded', order: null, payment: 'pi_one', amount: 1200, isFull: true })
    assert.deepEqual([store.order('one')?.status, store.grantsOf(ADA).length], ['refunded', 1])
  })

  test('the grace period of an overdue subscription is not extended when Stripe reports it again', () => {
    subscribe('one')
    settle(subscribed('one', 'past_due'), { now: NOW })
    settle(subscribed('one', 'past_due'), { now: after(6 * DAY_MS) })
    assert.equal(store.order('one')?.until_at, after(7 * DAY_MS).toISOString())
    assert.equal(store.count(ADA, after(7 * DAY_MS - 1)).entitlements, 1)
    assert.equal(store.count(ADA, after(7 * DAY_MS)).entitlements, 0)
  })

  test('a person who no longer exists gets no entitlement for a payment, and their customer id is not stored', () => {
    const result = settle(paid('one', { user: `u_${'g'.repeat(26)}`, subscription: 'sub_1' }))
    assert.deepEqual(result, { user: null, paid: [{ order: 'one', isRenewal: false }] })
    const { user, subscription, session, status } = store.order('one') ?? {}
    assert.deepEqual(
      { user, subscription, session, status },
      { user: null, subscription: null, session: null, status: 'paid' },
    )
    assert.deepEqual(store.entitlements(10, true, NOW), [])
    assert.deepEqual(storage.sql.exec('select * from pay_customers').toArray(), [])
  })

  test("erasing a person leaves their id in no row, drops their unpaid orders, and keeps other people's orders", () => {
    settle(paid('one', { customer: 'cus_ada' }))
    store.begin(order('open', { product: 'mug', code: 'FRIENDS' }), NOW)
    settle(paid('his', { user: BOB }))
    store.strip(ADA)
    for (const table of ['pay_orders', 'pay_customers', 'pay_events'])
      assert.ok(!JSON.stringify(storage.sql.exec(`select * from ${table}`).toArray()).includes(ADA), table)
    assert.deepEqual([store.order('open'), store.order('one')?.status], [null, 'paid'])
    assert.equal(store.grantsOf(BOB).length, 1)
    // A refund still finds the order by its payment.
    settle({ what: 'refunded', order: null, payment: 'pi_one', amount: 1200, isFull: true })
    assert.equal(store.order('one')?.status, 'refunded')
  })

  test('for the erasure of a person, only subscriptions still charged and checkout sessions of the last 25 hours are listed', () => {
    subscribe('over', 'canceled')
    subscribe('runs')
    store.begin(order('open'), NOW)
    store.opened('open', 'cs_open', 'https://checkout.example.test/open')
    store.begin({ ...order('lost'), product: 'film', form: 'a=1' }, NOW)
    assert.deepEqual(store.atStripe(ADA, after(25 * HOUR_MS - 1)), {
      subscriptions: [{ id: 'sub_runs', mode: 'live' }],
      sessions: [{ id: 'cs_open', mode: 'live' }],
      unopened: [{ order: 'lost', form: 'a=1', mode: 'live' }],
    })
    const { sessions, unopened } = store.atStripe(ADA, after(25 * HOUR_MS))
    assert.deepEqual([sessions, unopened], [[], []])
  })

  test('moving an app to another cloud account copies its orders per person, and a repeated copy gets a higher revision number', () => {
    subscribe('one')
    settle(paid('his', { user: BOB, customer: 'cus_bob' }))
    settle(paid('anonymous', { user: null }))
    const dump = store.dump()
    assert.ok(dump !== null)
    assert.deepEqual(Object.keys(dump.people).toSorted(), [ADA, BOB])
    const there = new OrderStore(memoryStorage())
    const revs: number[] = []
    for (let times = 0; times < 2; times++) {
      there.restoreKey({ key: dump.key, orders: dump.orders, jobs: null })
      there.restore(null, dump.orders)
      for (const [user, own] of Object.entries(dump.people)) there.restore(user, own)
      revs.push(there.personGrants(ADA).rev)
    }
    assert.deepEqual(there.dump(), dump)
    assert.deepEqual(there.grantsOf(ADA), store.grantsOf(ADA))
    assert.ok((revs[1] ?? 0) > (revs[0] ?? 0), "a person's object takes only a newer copy")
  })
})

describe('the entitlements that are in force', () => {
  const grant = (productId: string, more: Partial<PayGrant> = {}): PayGrant => ({
    productId,
    kind: 'once',
    since: NOW.toISOString(),
    until: null,
    mode: 'live',
    ...more,
  })

  test('of several entitlements to one product, the entitlement without an end date is used, else the entitlement that ends last', () => {
    const until = (days: number) => after(days * DAY_MS).toISOString()
    const grants = [
      grant('a', { until: until(3) }),
      grant('a'),
      grant('a', { until: until(9) }),
      grant('b', { until: until(3) }),
      grant('b', { until: until(9) }),
      grant('b', { until: until(-1) }),
    ]
    assert.deepEqual(
      activeGrants(grants, false, NOW).map((one) => [one.productId, one.until]),
      [
        ['a', null],
        ['b', until(9)],
      ],
    )
  })

  test('an entitlement is invalid from its end time on, and one from test mode is valid only where test payments count', () => {
    const grants = [grant('a', { until: NOW.toISOString() }), grant('b', { mode: 'test' })]
    assert.deepEqual(activeGrants(grants, false, NOW), [])
    assert.deepEqual(
      activeGrants(grants, true, new Date(NOW.getTime() - 1)).map((one) => one.productId),
      ['a', 'b'],
    )
    assert.ok(!('mode' in (activeGrants(grants, true, NOW)[0] ?? {})))
  })
})
