import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, describe, mock, test } from 'node:test'
import { replaceFetch, restoreFetch } from '../testing/fetch.test.fixture.ts'
import { readCode, readOffer, readProducts } from './catalog.ts'
import type { PayKey } from './settings.ts'

const KEY: PayKey = { mode: 'live', key: 'sk_live_one' }
const TEST_KEY: PayKey = { mode: 'test', key: 'sk_test_one' }
const UNKNOWN = {
  code: 'invalid_request',
  message: 'productId: is not a product of this app',
  field: 'productId',
}
const NO_CODE = {
  code: 'invalid_request',
  message: 'code: is not a code of this app, or is used up',
  field: 'code',
}

describe('what an app sells', () => {
  let asked: { path: string; key: string | null }[]
  let respond: (path: string) => unknown
  let project: string
  let count = 0
  beforeEach(() => {
    mock.timers.enable({ apis: ['Date'], now: 0 })
    asked = []
    // Products are cached by project for the life of the process.
    project = `p${++count}`
    replaceFetch(async (url: string, init: RequestInit) => {
      const path = decodeURI(url).replace('https://api.stripe.com/v1', '')
      asked.push({ path, key: new Headers(init.headers).get('authorization') })
      const value = respond(path)
      return value instanceof Response ? value : Response.json(value)
    })
  })
  afterEach(() => mock.timers.reset())
  after(restoreFetch)

  const productOf = (id: string, change: object = {}) => ({
    id,
    name: `Product ${id}`,
    active: true,
    metadata: { project },
    default_price: { id: `price_${id}`, unit_amount: 1200, currency: 'usd', recurring: null },
    ...change,
  })
  const shown = (id: string, change: object = {}) => ({
    id,
    name: `Product ${id}`,
    amount: 1200,
    currency: 'usd',
    interval: null,
    ...change,
  })
  const missing = () => Response.json({ error: { code: 'resource_missing' } }, { status: 404 })

  test('the list of products is read to its last page, has only products of this project, and is sorted by name', async () => {
    const pages = new Map([
      ['', { data: [productOf('b'), productOf('other', { metadata: { project: 'else' } })], has_more: true }],
      [
        'other',
        {
          data: [productOf('c', { name: 'A first' }), productOf('free', { default_price: null })],
          has_more: true,
        },
      ],
      ['free', { data: [productOf('a')], has_more: false }],
    ])
    respond = (path) => pages.get(/starting_after=(\w+)/.exec(path)?.[1] ?? '')
    const recurring = { interval: 'month' }
    const first = pages.get('free')?.data[0]
    Object.assign(first?.default_price ?? {}, { recurring })
    assert.deepEqual(await readProducts(KEY, project), [
      shown('c', { name: 'A first' }),
      shown('a', { interval: 'month' }),
      shown('b'),
    ])
    assert.equal(asked[0]?.path, '/products?active=true&limit=100&expand[]=data.default_price')
    assert.equal(asked.length, 3)
  })

  test('products are cached for a minute, and separately for each Stripe key', async () => {
    respond = () => ({ data: [productOf('a')], has_more: false })
    for (const atMs of [0, 59_999]) {
      mock.timers.setTime(atMs)
      await readProducts(KEY, project)
    }
    assert.equal(asked.length, 1)
    await readProducts(TEST_KEY, project)
    assert.deepEqual(
      asked.map(({ key }) => key),
      ['Bearer sk_live_one', 'Bearer sk_test_one'],
    )
    mock.timers.setTime(60_000)
    respond = () => ({ data: [], has_more: false })
    assert.deepEqual([await readProducts(KEY, project), asked.length], [[], 3])
  })

  test('a failed request for the products is not cached', async () => {
    respond = () => Response.json({}, { status: 500 })
    await assert.rejects(readProducts(KEY, project), { status: 500 })
    respond = () => ({ data: [productOf('a')] })
    assert.deepEqual(await readProducts(KEY, project), [shown('a')])
  })

  test('reading the products stops after ten pages, or at the first empty or malformed page', async () => {
    respond = () => ({ data: [productOf('a')], has_more: true })
    await readProducts(KEY, project)
    assert.equal(asked.length, 10)
    for (const page of [
      { has_more: true },
      { data: [], has_more: true },
      { data: [{}], has_more: true },
      { data: 'x' },
    ]) {
      asked.length = 0
      project = `p${++count}`
      respond = () => page
      assert.deepEqual([await readProducts(KEY, project), asked.length], [[], 1], JSON.stringify(page))
    }
  })

  test('a product is bought at its current default price in Stripe', async () => {
    respond = () => productOf('a')
    assert.deepEqual(await readOffer(KEY, project, 'a'), { ...shown('a'), price: 'price_a' })
    assert.equal(asked[0]?.path, '/products/a?expand[]=default_price')
  })

  test('a product that belongs to another project, is not active or has no price is reported as unknown', async () => {
    for (const product of [
      productOf('a', { metadata: { project: 'else' } }),
      productOf('a', { metadata: null }),
      productOf('a', { active: false }),
      productOf('a', { default_price: null }),
      productOf('a', { default_price: 'price_a' }),
      productOf('a', { default_price: { id: 'price_a', unit_amount: null } }),
      null,
    ]) {
      respond = () => product
      await assert.rejects(readOffer(KEY, project, 'a'), UNKNOWN)
    }
    respond = missing
    await assert.rejects(readOffer(KEY, project, 'a'), UNKNOWN)
  })

  test('a malformed product id is reported as unknown without a request to Stripe', async () => {
    for (const id of [
      '',
      '../customers/cus_1',
      'a?expand[]=x',
      'a b',
      'x'.repeat(101),
      5,
      null,
      undefined,
      ['a'],
    ])
      await assert.rejects(readOffer(KEY, project, id), UNKNOWN)
    assert.deepEqual(asked, [])
  })

  test('an error of Stripe during a purchase is not reported as an unknown product', async () => {
    respond = () => Response.json({ error: { message: 'busy' } }, { status: 429 })
    await assert.rejects(readOffer(KEY, project, 'a'), { name: 'StripeError', status: 429 })
  })

  test('a discount code is found only if it belongs to this project, and not to another project in the account', async () => {
    const codeOf = (id: unknown, owner: string) => ({ id, metadata: { project: owner } })
    respond = () => ({ data: [codeOf('promo_1', 'else'), codeOf('promo_2', project)] })
    assert.equal(await readCode(KEY, project, 'SPRING-10'), 'promo_2')
    assert.equal(asked[0]?.path, '/promotion_codes?active=true&limit=10&code=SPRING-10')
    for (const data of [[], [codeOf('promo_1', 'else')], [codeOf(null, project)], [null], 'x']) {
      respond = () => ({ data })
      await assert.rejects(readCode(KEY, project, 'SPRING-10'), NO_CODE)
    }
    asked.length = 0
    for (const code of ['', 'a b', 'a&active=false', 'x'.repeat(101)])
      await assert.rejects(readCode(KEY, project, code), NO_CODE)
    assert.deepEqual(asked, [])
  })
})
