import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, mock, test } from 'node:test'
import { formatMoney } from '../web/money.ts'
import { formatPrice } from './price.ts'
import { ADA, BOB, importPay, type Modules, ORIGIN, Shop } from './world.test.fixture.ts'
import { restoreFetch } from '../testing/fetch.test.fixture.ts'

const NOW = Date.parse('2026-11-25T10:00:00Z')

describe('checkout', () => {
  let modules: Modules
  let shop: Shop
  before(async () => {
    modules = await importPay()
  })
  beforeEach(() => {
    mock.timers.enable({ apis: ['Date'], now: NOW })
    shop = new Shop(modules)
    shop.stripe.product('book')
  })
  afterEach(() => {
    mock.timers.reset()
    restoreFetch()
  })
  after(() => mock.timers.reset())

  test("a checkout session has the price, the buyer's id, and project, tier, product and order as metadata", async () => {
    const { url } = await shop.checkout('book')
    assert.equal(url, 'https://checkout.stripe.test/1')
    const { form, key } = shop.stripe.opened
    assert.equal(key, 'Bearer sk_live_one')
    const order = shop.orders().items[0]
    assert.ok(order)
    assert.deepEqual(form, {
      mode: 'payment',
      'line_items[0][price]': 'price_book',
      'line_items[0][quantity]': '1',
      success_url: `${ORIGIN}/_app/pay/return?order=${order.id}`,
      cancel_url: `${ORIGIN}/`,
      client_reference_id: ADA,
      customer_email: 'ada@example.test',
      customer_creation: 'always',
      'metadata[project]': 'p1',
      'payment_intent_data[metadata][project]': 'p1',
      'metadata[tier]': 'production',
      'payment_intent_data[metadata][tier]': 'production',
      'metadata[product]': 'book',
      'payment_intent_data[metadata][product]': 'book',
      'metadata[order]': order.id,
      'payment_intent_data[metadata][order]': order.id,
    })
    assert.deepEqual([order.status, order.amount, order.userId], ['open', 1200, ADA])
  })

  test('several checkout clicks for the same product within an hour create one session and one order', async () => {
    const urls = await Promise.all([shop.checkout('book'), shop.checkout('book'), shop.checkout('book')])
    urls.push(await shop.checkout('book'))
    assert.equal(new Set(urls.map(({ url }) => url)).size, 1)
    assert.equal(shop.stripe.sessions.size, 1)
    assert.equal(shop.orders().rollup.orders, 1)
    mock.timers.tick(3_600_001)
    await shop.checkout('book')
    assert.equal(shop.stripe.sessions.size, 2)
  })

  test('a checkout session whose response was lost is reused by the next click on the buy button', async () => {
    shop.stripe.broken = { path: '/checkout', status: 0 }
    await assert.rejects(shop.checkout('book'), { code: 'unavailable' })
    shop.stripe.broken = null
    await shop.checkout('book')
    const keys = new Set(shop.stripe.calls.flatMap(({ once }) => once ?? []))
    assert.equal(keys.size, 1)
    assert.equal(shop.orders().rollup.orders, 1)
  })

  test('a checkout with a discount code, by another person or after a price change gets a new checkout session', async () => {
    shop.stripe.codes.push({ id: 'promo_1', code: 'SPRING', metadata: { project: 'p1' } })
    await shop.checkout('book')
    await shop.checkout('book', { code: 'SPRING' })
    assert.equal(shop.stripe.opened.form['discounts[0][promotion_code]'], 'promo_1')
    await shop.checkout('book', { user: BOB })
    shop.stripe.products.set('book', {
      ...shop.stripe.products.get('book'),
      default_price: { id: 'price_new', unit_amount: 900, currency: 'usd' },
    })
    await shop.checkout('book')
    assert.equal(shop.stripe.sessions.size, 4)
    assert.equal(shop.stripe.opened.form['line_items[0][price]'], 'price_new')
  })

  test('a checkout is rejected for a visitor, and for a product or code that is unknown or of another project', async () => {
    shop.stripe.product('foreign', { project: 'p2' })
    shop.stripe.product('gone')
    shop.stripe.products.set('gone', { ...shop.stripe.products.get('gone'), active: false })
    shop.stripe.codes.push({ id: 'promo_2', code: 'THEIRS', metadata: { project: 'p2' } })
    for (const id of ['foreign', 'gone', 'unknown', '../customers', ''])
      await assert.rejects(shop.checkout(id), { code: 'invalid_request', field: 'productId' }, id)
    for (const code of ['THEIRS', 'UNKNOWN', 'a&b'])
      await assert.rejects(shop.checkout('book', { code }), { code: 'invalid_request', field: 'code' }, code)
    await assert.rejects(shop.checkout('book', { user: 'nobody' }), { code: 'unauthorized' })
    await assert.rejects(
      shop.ask('checkout', {
        session: shop.sessions.get(ADA) ?? '',
        productId: 'book',
        code: null,
        origin: 'javascript:x',
      }),
      { code: 'invalid_request' },
    )
    assert.equal(shop.stripe.sessions.size, 0)
    assert.deepEqual(
      (await shop.ask('products', null)).map(({ id }) => id),
      ['book'],
    )
  })

  test('a product cannot be bought again by a person who owns it', async () => {
    await shop.checkout('book')
    await shop.deliver(shop.completed())
    await assert.rejects(shop.checkout('book'), { code: 'conflict' })
    await shop.checkout('book', { user: BOB })
  })

  test("returning from Stripe's checkout page grants no access, and shows the order's status only to its buyer", async () => {
    mock.timers.reset()
    await shop.checkout('book')
    const [order] = shop.orders().items
    assert.ok(order)
    const session = shop.sessions.get(ADA) ?? ''
    const waiting = shop.ask('returned', { session, orderId: order.id })
    assert.deepEqual(await shop.owned(), [])
    await shop.deliver(shop.completed())
    assert.deepEqual(await waiting, { path: '/thanks?order=paid' })
    const stranger = shop.sessions.get(BOB) ?? ''
    assert.deepEqual(await shop.ask('returned', { session: stranger, orderId: order.id }), {
      path: '/thanks?order=unknown',
    })
    assert.deepEqual(await shop.owned(BOB), [])
  })

  test("a checkout without a Stripe key fails with the key's name, and one with only a test key runs in test mode", async () => {
    delete shop.env['STRIPE_TEST_KEY']
    await assert.rejects(shop.checkout('book', { tier: 'preview' }), {
      code: 'not_enabled',
      message: /test key/,
    })
    delete shop.env['STRIPE_KEY']
    await assert.rejects(shop.checkout('book'), { code: 'not_enabled', message: /a Stripe key/ })
    shop.env['STRIPE_TEST_KEY'] = 'sk_test_one'
    await shop.checkout('book')
    assert.equal(shop.stripe.opened.key, 'Bearer sk_test_one')
    assert.equal(shop.orders('production', true).items[0]?.mode, 'test')
  })

  test('an order that Stripe rejects is not stored, and a customer id that Stripe does not know is deleted', async () => {
    shop.stripe.product('film')
    await shop.checkout('film')
    await shop.deliver(shop.completed())
    shop.stripe.broken = { path: '/checkout', status: 400 }
    await assert.rejects(shop.checkout('book'), { code: 'unavailable' })
    assert.equal(shop.stripe.opened.form['customer'], 'cus_1')
    assert.equal(shop.orders().rollup.orders, 1)
    shop.stripe.broken = null
    await shop.checkout('book')
    assert.equal(shop.stripe.opened.form['customer_email'], 'ada@example.test')
  })

  test('only the first subscription of a person has a trial period', async () => {
    shop.env['PAY_TRIAL_DAYS'] = '14'
    shop.stripe.product('club', { interval: 'month' })
    shop.stripe.product('gym', { interval: 'month' })
    await shop.checkout('club')
    assert.equal(shop.stripe.opened.form['subscription_data[trial_period_days]'], '14')
    assert.equal(shop.stripe.opened.form['subscription_data[metadata][product]'], 'club')
    shop.stripe.subscriptions.set('sub_1', { id: 'sub_1', status: 'trialing' })
    await shop.deliver(shop.completed({ payment_status: 'no_payment_required', amount_total: 0 }))
    assert.deepEqual(await shop.ownedIds(), ['club'])
    await shop.checkout('gym')
    assert.equal(shop.stripe.opened.form['subscription_data[trial_period_days]'], undefined)
  })

  test('the customer portal opens for people who bought something, unless the operator switched it off', async () => {
    const session = shop.sessions.get(ADA) ?? ''
    const portal = () => shop.ask('portal', { session, origin: ORIGIN })
    await assert.rejects(portal(), { code: 'conflict' })
    await shop.checkout('book')
    await shop.deliver(shop.completed())
    assert.deepEqual(await portal(), { url: 'https://billing.stripe.test/cus_1' })
    shop.stripe.hasPortal = false
    for (let times = 0; times < 2; times++)
      assert.deepEqual(await portal(), { url: 'https://billing.stripe.test/cus_1' })
    assert.equal(shop.stripe.configurations.length, 1, 'settings of the portal are made once')
    shop.env['PAY_PORTAL'] = 'false'
    await assert.rejects(portal(), { code: 'not_enabled' })
  })

  test('while an app is copied to another cloud account, checkouts and webhooks are rejected, so that Stripe retries the webhooks', async () => {
    await shop.checkout('book')
    shop.directory('production').hold.set(true)
    await assert.rejects(shop.checkout('book'), { code: 'unavailable' })
    await assert.rejects(shop.deliver(shop.completed()), { code: 'unavailable' })
    shop.directory('production').hold.set(false)
    await shop.deliver(shop.completed())
    assert.deepEqual(await shop.ownedIds(), ['book'])
  })

  test('a price is formatted with the number of decimals of its currency', () => {
    const price = (amount: number, currency: string) => formatPrice({ amount, currency, interval: null })
    assert.deepEqual(
      [price(1200, 'usd'), price(500, 'jpy'), price(1500, 'kwd'), price(1200, 'rsd')].map((text) =>
        text.replace(/\s/, ' '),
      ),
      // Browsers show Serbian dinars without decimals, but Stripe counts hundredths.
      ['$12.00', '¥500', 'KWD 1.500', 'RSD 12.00'],
    )
    assert.match(formatMoney(-1250, 'EUR'), /^-€12\.50$/)
    assert.equal(formatPrice({ amount: 900, currency: 'eur', interval: 'month' }), '€9.00 a month')
  })
})
