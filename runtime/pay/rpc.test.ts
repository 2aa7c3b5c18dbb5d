import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import { replaceFetch, restoreFetch } from '../testing/fetch.test.fixture.ts'
import { passTimeUntil } from '../testing/time.test.fixture.ts'
import { ADA, BOB, importPay, type Modules, ORIGIN, Shop } from './world.test.fixture.ts'

const NOW = Date.parse('2026-11-24T12:00:00Z')
const WAIT_MS = 5000

describe('calls about payments in the live worker', () => {
  let modules: Modules
  let shop: Shop
  let session: string
  before(async () => {
    modules = await importPay()
  })
  beforeEach(() => {
    mock.restoreAll()
    mock.timers.reset()
    mock.timers.enable({ apis: ['Date', 'setTimeout'], now: NOW })
    mock.method(console, 'error', () => {})
    shop = new Shop(modules)
    shop.stripe.product('book')
    session = shop.sessions.get(ADA) ?? ''
  })
  after(() => {
    mock.restoreAll()
    mock.timers.reset()
    restoreFetch()
  })

  const returned = (orderId: string) => shop.ask('returned', { session, orderId })

  test("after a payment, the return address has the order's status in addition to its own query", async () => {
    await shop.checkout('book')
    await shop.deliver(shop.completed())
    const orderId = shop.orders().items[0]?.id ?? ''
    for (const [path, expected] of [
      ['/thanks', '/thanks?order=paid'],
      ['/', '/?order=paid'],
      ['/thanks?from=shop', '/thanks?from=shop&order=paid'],
      ['/thanks?order=old', '/thanks?order=paid'],
      ['/thanks#receipt', '/thanks?order=paid#receipt'],
      ['/thanks?next=/a?b=1#top', '/thanks?next=%2Fa%3Fb%3D1&order=paid#top'],
      ['/danke/schön', '/danke/sch%C3%B6n?order=paid'],
    ] as const) {
      shop.env['PAY_SUCCESS_PATH'] = path
      assert.deepEqual(await returned(orderId), { path: expected })
    }
  })

  test("a browser that returns before Stripe's payment event waits for the event at most five seconds", async () => {
    await shop.checkout('book')
    const orderId = shop.orders().items[0]?.id ?? ''
    assert.deepEqual(await passTimeUntil(returned(orderId)), { path: '/thanks?order=open' })
    assert.ok(Date.now() - NOW >= WAIT_MS && Date.now() - NOW <= WAIT_MS + 500)
    const waiting = returned(orderId)
    await shop.deliver(shop.completed())
    assert.deepEqual(await passTimeUntil(waiting), { path: '/thanks?order=paid' })
  })

  test('the status of an order that does not exist is returned as unknown without waiting', async () => {
    for (const orderId of ['', 'ord_none', 5 as unknown as string, null as unknown as string])
      assert.deepEqual(await returned(orderId), { path: '/thanks?order=unknown' })
    assert.equal(Date.now(), NOW)
  })

  test('only an existing person who bought a product is entitled to it', async () => {
    await shop.checkout('book')
    await shop.deliver(shop.completed())
    const entitled = (userId: unknown, productId: unknown) =>
      shop.ask('entitled', { userId: userId as string, productId: productId as string })
    assert.deepEqual(
      [
        await entitled(ADA, 'book'),
        await entitled(ADA, 'film'),
        await entitled(BOB, 'book'),
        await entitled(`u_${'z'.repeat(26)}`, 'book'),
        await entitled('data:app', 'book'),
        await entitled('', 'book'),
        await entitled(ADA, null),
      ],
      [true, false, false, false, false, false, false],
    )
  })

  /** Makes Stripe respond to every change with `value`, until the returned function is called. */
  function answerChanges(value: object, init?: ResponseInit): () => void {
    const { fetch } = shop.stripe
    replaceFetch(async (url: string, asked: RequestInit) =>
      asked.method === 'POST' ? Response.json(value, init) : await fetch(url, asked),
    )
    return () => replaceFetch(fetch)
  }

  test("a checkout fails when Stripe's response has no URL, and the next attempt can succeed", async () => {
    const end = answerChanges({ id: 'x' })
    await assert.rejects(shop.checkout('book'), { message: 'Stripe returned a session without a URL' })
    end()
    assert.deepEqual(await shop.checkout('book'), { url: 'https://checkout.stripe.test/1' })
    assert.equal(shop.orders().rollup.orders, 1)
    await shop.deliver(shop.completed())
    answerChanges({ id: 'x' })
    await assert.rejects(shop.ask('portal', { session, origin: ORIGIN }), {
      message: 'Stripe returned a portal without a URL',
    })
  })

  test('the error that a buyer sees has no text of Stripe, and names only one cause: a discount code that does not apply', async () => {
    const message = 'Payments do not work right now. Try again in a moment.'
    for (const status of [0, 401, 402, 429]) {
      shop.stripe.broken = { path: '/products', status }
      await assert.rejects(shop.checkout('book'), { code: 'unavailable', message }, String(status))
    }
    shop.stripe.broken = null
    answerChanges({ error: { message: 'expired', param: 'discounts[0][promotion_code]' } }, { status: 400 })
    await assert.rejects(shop.checkout('book'), {
      code: 'invalid_request',
      message: 'code: is not valid for this purchase',
      field: 'code',
    })
  })

  test('a discount code that is not a string is refused before Stripe is called', async () => {
    const given = 5 as unknown as string
    const asked = shop.checkout('book', { code: given })
    await assert.rejects(asked, { code: 'invalid_request', message: 'code: must be text', field: 'code' })
  })

  test('a checkout with an invalid origin is refused', async () => {
    for (const origin of ['', 'javascript:alert(1)', 'ftp://shop.example.test', 'nonsense'])
      await assert.rejects(shop.ask('checkout', { session, productId: 'book', code: null, origin }), {
        code: 'invalid_request',
      })
  })
})
