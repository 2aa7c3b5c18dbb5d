import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import type { PayGrant } from './calls.ts'
import { checkoutForm } from './checkout-form.ts'
import { grantHandlers } from './grants.ts'
import { digitsOf, formatMoney } from '../web/money.ts'
import { formatPrice } from './price.ts'
import { countsTest, payKeyOf, paySettingsOf } from './settings.ts'

describe('formatting an amount of money', () => {
  const digits = (text: string) => text.replaceAll(/[^\d.]/g, '')

  test('an amount is formatted with the number of decimals that Stripe uses for its currency', () => {
    assert.equal(digits(formatMoney(1250, 'usd')), '12.50')
    assert.equal(digits(formatMoney(500, 'JPY')), '500')
    assert.equal(digits(formatMoney(1250, 'kwd')), '1.250')
    assert.equal(digits(formatMoney(100, 'huf')), '1.00', 'two digits at Stripe, none in the currency')
    assert.deepEqual([digitsOf('EUR'), digitsOf('jpy'), digitsOf('TND')], [2, 0, 3])
  })

  test('formatting an amount of money neither loses nor adds a digit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10 ** 9 }),
        fc.constantFrom('usd', 'jpy', 'bhd', 'eur'),
        (amount, currency) => {
          assert.equal(Number(digits(formatMoney(amount, currency)).replace('.', '')), amount)
        },
      ),
    )
  })

  test('the price of a subscription shows its billing interval', () => {
    const price = { amount: 1200, currency: 'usd' }
    assert.equal(formatPrice({ ...price, interval: 'month' }), '$12.00 a month')
    assert.equal(formatPrice({ ...price, interval: null }), '$12.00')
  })
})

describe('the form that opens a Stripe checkout', () => {
  const settings = paySettingsOf({ PAY_PROJECT: 'prj_1', PAY_CANCEL_PATH: '/shop?left=1' })
  const checkout = {
    id: 'ord_1',
    offer: { id: 'prod_1', name: 'Plant', amount: 500, currency: 'eur', interval: null, price: 'price_1' },
    promotion: null,
    buyer: { user: 'u_ada', customer: null, email: 'ada+shop@example.test' },
    origin: 'https://app.test',
    tier: 'production' as const,
    settings,
    trialDays: 0,
  }
  const form = (more: Partial<Parameters<typeof checkoutForm>[0]> = {}) =>
    Object.fromEntries(new URLSearchParams(checkoutForm({ ...checkout, ...more })))

  test('the request for a one-time checkout has the order id in the metadata of the session and of the payment', () => {
    const sent = form()
    assert.deepEqual(
      [sent['mode'], sent['line_items[0][price]'], sent['client_reference_id'], sent['customer_email']],
      ['payment', 'price_1', 'u_ada', 'ada+shop@example.test'],
    )
    for (const place of ['metadata', 'payment_intent_data[metadata]'])
      assert.deepEqual(
        ['project', 'tier', 'product', 'order'].map((name) => sent[`${place}[${name}]`]),
        ['prj_1', 'production', 'prod_1', 'ord_1'],
      )
    assert.equal(sent['success_url'], 'https://app.test/_app/pay/return?order=ord_1')
    assert.equal(sent['cancel_url'], 'https://app.test/shop?left=1')
  })

  test('the request for a subscription checkout has the trial period and the order id, and no fields for one-time payments', () => {
    const sent = form({ offer: { ...checkout.offer, interval: 'month' }, trialDays: 14 })
    assert.deepEqual([sent['mode'], sent['subscription_data[trial_period_days]']], ['subscription', '14'])
    assert.equal(sent['subscription_data[metadata][order]'], 'ord_1')
    assert.deepEqual(
      Object.keys(sent).filter(
        (name) => name.startsWith('payment_intent_data') || name === 'customer_creation',
      ),
      [],
    )
    assert.equal(form({ trialDays: 14 })['subscription_data[trial_period_days]'], undefined)
  })

  test('the request for a checkout names a known customer and a discount code by their ids', () => {
    const sent = form({ buyer: { ...checkout.buyer, customer: 'cus_1' }, promotion: 'promo_1' })
    assert.deepEqual(
      [
        sent['customer'],
        sent['customer_email'],
        sent['customer_creation'],
        sent['discounts[0][promotion_code]'],
      ],
      ['cus_1', undefined, undefined, 'promo_1'],
    )
    assert.equal(form({ buyer: { user: 'u_ada', customer: null, email: null } })['customer_email'], undefined)
  })

  test('the same checkout is always sent as the same bytes, so that a repeated call is idempotent', () => {
    const again = { ...checkout, offer: { ...checkout.offer }, buyer: { ...checkout.buyer } }
    assert.equal(checkoutForm(again), checkoutForm(checkout))
  })
})

describe('the Stripe keys of an app', () => {
  const both = paySettingsOf({ STRIPE_KEY: 'sk_live', STRIPE_TEST_KEY: 'sk_test' })
  const onlyTest = paySettingsOf({ STRIPE_TEST_KEY: 'sk_test' })
  const onlyLive = paySettingsOf({ STRIPE_KEY: 'sk_live' })

  test('production uses the live Stripe key, and the test key while there is no live one', () => {
    assert.deepEqual(payKeyOf(both, 'production'), { mode: 'live', key: 'sk_live' })
    assert.deepEqual(payKeyOf(onlyTest, 'production'), { mode: 'test', key: 'sk_test' })
    assert.equal(payKeyOf(paySettingsOf({}), 'production'), null)
  })

  test('the preview never uses the live Stripe key', () => {
    assert.deepEqual(payKeyOf(both, 'preview'), { mode: 'test', key: 'sk_test' })
    assert.equal(payKeyOf(onlyLive, 'preview'), null)
  })

  test('a payment with a test card counts in production only until a live key is set', () => {
    assert.deepEqual([countsTest(onlyTest, 'production'), countsTest(both, 'production')], [true, false])
    assert.deepEqual([countsTest(both, 'preview'), countsTest(onlyLive, 'preview')], [true, true])
  })

  test('missing or empty payment settings get their defaults', () => {
    for (const env of [{}, { PAY_PROJECT: '', PAY_SUCCESS_PATH: '', STRIPE_KEY: '', PAY_TRIAL_DAYS: '' }]) {
      const { project, successPath, cancelPath, portal, trialDays, secrets, keyIn } = paySettingsOf(env)
      assert.deepEqual(
        [project, successPath, cancelPath, portal, trialDays, secrets, keyIn('live')],
        ['', '/', '/', true, 0, [], null],
      )
    }
    const signed = paySettingsOf({ STRIPE_TEST_WEBHOOK_SECRET: 'whsec_t', PAY_PORTAL: 'false' })
    assert.deepEqual([signed.secrets, signed.portal], [[{ mode: 'test', secret: 'whsec_t' }], false])
  })
})

describe("entitlements in a person's Durable Object", () => {
  const user = 'u_ada'
  const grant = (productId: string): PayGrant => ({
    productId,
    kind: 'once',
    since: '2026-11-27T00:00:00.000Z',
    until: null,
    mode: 'live',
  })

  test("a person's Durable Object keeps the newest version of their entitlements, whatever the order of arrival", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([0, 1, 2, 3], { minLength: 1 }), (order) => {
        const calls = grantHandlers(memoryStorage(), () => true)
        assert.deepEqual(calls.read(null), [])
        for (const rev of order) calls.take({ user, rev, grants: [grant(`p${rev}`)] })
        assert.deepEqual(calls.read(null), [grant(`p${Math.max(...order)}`)])
      }),
      { numRuns: 30 },
    )
  })

  test("an update without entitlements removes all of a person's entitlements, and an older update does not restore them", () => {
    const storage = memoryStorage()
    const calls = grantHandlers(storage, () => true)
    calls.take({ user, rev: 1, grants: [grant('p')] })
    assert.equal(grantHandlers(storage, () => true).read(null).length, 1)
    calls.take({ user, rev: 2, grants: [] })
    calls.take({ user, rev: 1, grants: [grant('p')] })
    assert.deepEqual(calls.read(null), [])
  })

  test('no entitlement is stored for a person who does not exist', () => {
    const storage = memoryStorage()
    grantHandlers(storage, () => false).take({ user, rev: 1, grants: [grant('p')] })
    assert.deepEqual(storage.sql.exec('select name from sqlite_master').toArray(), [])
  })
})
