import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { type CloudApp, openCloudApp, until } from '../../releases/testing.ts'
import { addStripeFault, clearStripeFaults, Shop, type StripeObject } from './testing.ts'
import { leaves } from '../../testing/effects.ts'

interface Product {
  id: string
  name: string
  amount: number
  currency: string
  interval: string | null
  priceId: string
  active: boolean
}
interface Code {
  id: string
  code: string
  percentOff: number | null
  amountOff: number | null
  currency: string | null
  duration: string
  maxRedemptions: number | null
  redeemed: number
  active: boolean
}

describe('the products and discount codes of a project', () => {
  let cloud: CloudApp
  before(async () => {
    cloud = await openCloudApp()
  })
  afterEach(() => clearStripeFaults(cloud))
  after(() => cloud.close())

  const openShop = async (secrets: (shop: Shop) => Record<string, string>): Promise<Shop> => {
    const shop = await Shop.open(cloud)
    await shop.turnOn(secrets(shop))
    return shop
  }
  const bothKeys = ({ keys }: Shop) => ({ stripeKey: keys.live, stripeTestKey: keys.test })

  test('payment routes return not_enabled while payments are off, and a conflict while no key is stored', async () => {
    leaves({ activity: { 'worker.address': 1, 'worker.upload': 2 }, jobs: { provision: 1 } })
    const shop = await Shop.open(cloud)
    const routes: [string, object?][] = [
      ['POST key/check'],
      ['GET products'],
      ['POST products', { amount: 1200 }],
      ['POST products/prod_1/price', { amount: 1200 }],
      ['POST products/prod_1/archive'],
      ['GET codes'],
      ['POST codes', { percentOff: 10 }],
      ['POST codes/code_1/archive'],
    ]
    for (const [route, body] of routes)
      assert.equal((await shop.call(route, body)).error?.code, 'not_enabled', route)
    await shop.turnOn()
    for (const [route, body] of routes) {
      const { status, error } = await shop.call(route, body)
      assert.deepEqual([status, error?.code], [409, 'conflict'], route)
      assert.match(error?.message ?? '', /stripeKey or stripeTestKey/)
    }
  })

  test('every payment route returns upstream_error while Stripe fails', async () => {
    leaves({
      activity: {
        'code.created': 1,
        'coupon.created': 1,
        'product.created': 1,
        'webhook_endpoint.created': 1,
        'webhook_endpoint.disabled': 1,
        'worker.address': 1,
        'worker.secrets': 1,
        'worker.upload': 2,
      },
      jobs: { provision: 1 },
    })
    const shop = await openShop(({ keys }) => ({ stripeTestKey: keys.test }))
    const product = (await shop.call<Product>('POST products', { amount: 1200 })).data
    const code = (await shop.call<Code>('POST codes', { percentOff: 10 })).data
    await addStripeFault(cloud, { times: 1000 }, { status: 500 })
    const routes: [string, object?][] = [
      ['POST key/check'],
      ['GET products'],
      ['POST products', { amount: 1200 }],
      [`POST products/${product.id}/price`, { amount: 1300 }],
      [`POST products/${product.id}/archive`],
      ['GET codes'],
      ['POST codes', { percentOff: 10 }],
      [`POST codes/${code.id}/archive`],
    ]
    await Promise.all(
      routes.map(async ([route, body]) => {
        const { status, error } = await shop.call(route, body)
        assert.deepEqual([status, error?.code], [502, 'upstream_error'], route)
      }),
    )
    const saved = await shop.put(true, { stripeKey: shop.keys.live })
    assert.equal(saved.error?.code, 'upstream_error')
    assert.equal((await shop.read()).hasStripeKey, false)
  })

  test("a product has the same id in Stripe's test and live modes and is listed with its price", async () => {
    leaves({
      activity: {
        'product.created': 4,
        'webhook_endpoint.created': 2,
        'webhook_endpoint.disabled': 2,
        'worker.address': 1,
        'worker.secrets': 2,
        'worker.upload': 2,
      },
      jobs: { provision: 1 },
    })
    const shop = await openShop(bothKeys)
    const once = await shop.call<Product>('POST products', { name: 'Plant', amount: 1200 })
    assert.equal(once.error, undefined)
    const monthly = await shop.call<Product>('POST products', {
      amount: 500,
      currency: 'eur',
      interval: 'month',
    })
    assert.deepEqual(
      [monthly.data.name, monthly.data.currency, monthly.data.interval, monthly.data.active],
      ['Product', 'eur', 'month', true],
    )
    const { data } = await shop.call<Product[]>('GET products')
    assert.deepEqual(
      data.map(({ id, amount }) => [id, amount]),
      [
        [monthly.data.id, 500],
        [once.data.id, 1200],
      ],
    )
    for (const key of Object.values(shop.keys)) {
      const product = await shop.stripe(`products/${once.data.id}?expand[]=default_price`, key)
      const price = product['default_price'] as StripeObject
      assert.deepEqual([price['unit_amount'], price['currency']], [1200, 'usd'])
      assert.deepEqual(product['metadata'], { project: shop.project.id })
    }
    const wrong: [object, RegExp][] = [
      [{ amount: 0 }, /^amount/],
      [{ amount: 12.5 }, /^amount/],
      [{}, /^amount/],
      [{ amount: 1, currency: 'dollar' }, /^currency/],
      [{ amount: 1, interval: 'decade' }, /^interval/],
      [{ amount: 1, name: ' ' }, /^name/],
    ]
    for (const [body, message] of wrong) {
      const { status, error } = await shop.call('POST products', body)
      assert.deepEqual([status, error?.code], [400, 'invalid_request'])
      assert.match(error?.message ?? '', message)
    }
  })

  test('a changed price applies to new purchases, and the old price can no longer be bought', async () => {
    leaves({
      activity: {
        'price.archived': 2,
        'price.created': 2,
        'product.changed': 2,
        'product.created': 4,
        'webhook_endpoint.created': 2,
        'webhook_endpoint.disabled': 2,
        'worker.address': 1,
        'worker.secrets': 2,
        'worker.upload': 2,
      },
      jobs: { provision: 1 },
    })
    const shop = await openShop(bothKeys)
    const made = (await shop.call<Product>('POST products', { amount: 500, interval: 'month' })).data
    const { data } = await shop.call<Product>(`POST products/${made.id}/price`, { amount: 700 })
    assert.deepEqual([data.amount, data.currency, data.interval], [700, 'usd', 'month'])
    assert.notEqual(data.priceId, made.priceId)
    assert.equal((await shop.stripe(`prices/${made.priceId}`))['active'], false)
    const inTest = await shop.stripe(`products/${made.id}?expand[]=default_price`, shop.keys.test)
    assert.equal((inTest['default_price'] as StripeObject)['unit_amount'], 700)
    const same = await shop.call<Product>(`POST products/${made.id}/price`, { amount: 700 })
    assert.equal(same.data.priceId, data.priceId)
    const once = (await shop.call<Product>('POST products', { amount: 500 })).data
    const asMonthly = await shop.call(`POST products/${once.id}/price`, { amount: 500, interval: 'month' })
    assert.match(asMonthly.error?.message ?? '', /^interval/)
    const wrong: [object, RegExp][] = [
      [{}, /^amount/],
      [{ amount: 0 }, /^amount/],
      [{ amount: 7.5 }, /^amount/],
      [{ amount: 700, currency: 'dollar' }, /^currency/],
    ]
    for (const [body, message] of wrong) {
      const { status, error } = await shop.call(`POST products/${made.id}/price`, body)
      assert.deepEqual([status, error?.code], [400, 'invalid_request'])
      assert.match(error?.message ?? '', message)
    }
    const [, kept] = (await shop.call<Product[]>('GET products')).data
    assert.deepEqual([kept?.id, kept?.priceId], [made.id, data.priceId], 'a refusal changes nothing')
    assert.equal((await shop.call('POST products/prod_unknown/price', { amount: 1 })).status, 404)
  })

  test('a product that is archived while its price is being changed stays archived, and Stripe no longer sells it', async () => {
    leaves({
      activity: {
        'price.archived': 1,
        'price.created': 1,
        'product.archived': 2,
        'product.changed': 1,
        'product.created': 1,
        'webhook_endpoint.created': 1,
        'webhook_endpoint.disabled': 1,
        'worker.address': 1,
        'worker.secrets': 1,
        'worker.upload': 2,
      },
      jobs: { provision: 1 },
    })
    const shop = await openShop(({ keys }) => ({ stripeKey: keys.live }))
    const made = (await shop.call<Product>('POST products', { amount: 500 })).data
    await addStripeFault(cloud, { method: 'POST', path: '/prices', times: 1 }, { delayMs: 2_000 })
    const [priced, archived] = await Promise.all([
      shop.call<Product>(`POST products/${made.id}/price`, { amount: 700 }),
      shop.call<Product>(`POST products/${made.id}/archive`),
    ])
    assert.deepEqual([priced.status, archived.status, archived.data.active], [200, 200, false])
    assert.equal((await shop.stripe(`products/${made.id}`))['active'], false)
    assert.equal((await shop.call(`POST products/${made.id}/price`, { amount: 1 })).error?.code, 'conflict')
  })

  test('a product is created in both modes when the connection of its request is lost meanwhile', async () => {
    leaves({
      activity: {
        'product.created': 2,
        'webhook_endpoint.created': 2,
        'webhook_endpoint.disabled': 2,
        'worker.address': 1,
        'worker.secrets': 2,
        'worker.upload': 2,
      },
      jobs: { provision: 1 },
    })
    const shop = await openShop(bothKeys)
    const connection = new AbortController()
    await addStripeFault(cloud, { method: 'POST', path: '/products', times: 1 }, { delayMs: 2_000 })
    const lost = shop.person.raw(`POST ${shop.path}/pay/products`, {
      body: JSON.stringify({ amount: 500 }),
      headers: { 'content-type': 'application/json' },
      signal: connection.signal,
    })
    const { pool } = cloud.app.platform
    // The row is stored just before Stripe is called.
    await until(async () => {
      const stored = await pool.query('select from pay_products where project_id = $1', [shop.project.id])
      return stored.rowCount === 1
    })
    connection.abort()
    await lost
    const [made] = (await shop.call<Product[]>('GET products')).data
    assert.equal(made?.active, true)
    for (const key of Object.values(shop.keys))
      assert.equal((await shop.listed('products?active=true', key)).length, 1)
  })

  test('an archived product can no longer be bought, stays listed and cannot get a new price', async () => {
    leaves({
      activity: {
        'product.archived': 2,
        'product.created': 2,
        'webhook_endpoint.created': 2,
        'webhook_endpoint.disabled': 2,
        'worker.address': 1,
        'worker.secrets': 2,
        'worker.upload': 2,
      },
      jobs: { provision: 1 },
    })
    const shop = await openShop(bothKeys)
    const made = (await shop.call<Product>('POST products', { amount: 500 })).data
    assert.equal((await shop.call<Product>(`POST products/${made.id}/archive`)).data.active, false)
    assert.equal((await shop.call<Product>(`POST products/${made.id}/archive`)).data.active, false)
    for (const key of Object.values(shop.keys))
      assert.equal((await shop.stripe(`products/${made.id}`, key))['active'], false)
    assert.deepEqual(
      (await shop.call<Product[]>('GET products')).data.map(({ id, active }) => [id, active]),
      [[made.id, false]],
    )
    assert.equal((await shop.call(`POST products/${made.id}/price`, { amount: 1 })).error?.code, 'conflict')
    assert.equal((await shop.call('POST products/prod_unknown/archive')).status, 404)
  })

  test("a discount code can be redeemed in Stripe's test and live mode until it is archived", async () => {
    leaves({
      activity: {
        'code.archived': 2,
        'code.created': 4,
        'code.created failed': 1,
        'coupon.created': 5,
        'webhook_endpoint.created': 2,
        'webhook_endpoint.disabled': 2,
        'worker.address': 1,
        'worker.secrets': 2,
        'worker.upload': 2,
      },
      jobs: { provision: 1 },
    })
    const shop = await openShop(bothKeys)
    const percent = await shop.call<Code>('POST codes', {
      code: 'spring',
      percentOff: 12.5,
      maxRedemptions: 3,
      duration: 'forever',
    })
    assert.equal(percent.error, undefined)
    const amount = await shop.call<Code>('POST codes', { amountOff: 300, currency: 'usd' })
    assert.match(amount.data.code, /^[A-Z2-9]{8}$/)
    const { data } = await shop.call<Code[]>('GET codes')
    assert.deepEqual(data, [amount.data, percent.data])
    assert.deepEqual(
      [data[1]?.code, data[1]?.percentOff, data[1]?.duration, data[1]?.maxRedemptions, data[1]?.redeemed],
      ['SPRING', 12.5, 'forever', 3, 0],
    )
    for (const key of Object.values(shop.keys))
      assert.equal((await shop.listed('promotion_codes?active=true&code=SPRING', key)).length, 1)
    const taken = await shop.call('POST codes', { code: 'SPRING', percentOff: 5 })
    assert.match(taken.error?.message ?? '', /^code: is in use/)
    assert.equal((await shop.call<Code>(`POST codes/${percent.data.id}/archive`)).data.active, false)
    for (const key of Object.values(shop.keys))
      assert.equal((await shop.listed('promotion_codes?active=true&code=SPRING', key)).length, 0)
    assert.deepEqual((await shop.call<Code[]>('GET codes')).data, [amount.data])
    assert.equal((await shop.call<Code>(`POST codes/${percent.data.id}/archive`)).data.active, false)
    assert.equal((await shop.call('POST codes/code_unknown/archive')).status, 404)
    const wrong: [object, RegExp][] = [
      [{}, /^percentOff/],
      [{ percentOff: 10, amountOff: 10, currency: 'usd' }, /^percentOff/],
      [{ amountOff: 10 }, /^currency/],
      [{ percentOff: 101 }, /^percentOff/],
      [{ percentOff: 10, code: 'a b' }, /^code/],
      [{ percentOff: 10, maxRedemptions: 0 }, /^maxRedemptions/],
      [{ percentOff: 10, duration: 'a while' }, /^duration/],
    ]
    for (const [body, message] of wrong) {
      const { status, error } = await shop.call('POST codes', body)
      assert.deepEqual([status, error?.code], [400, 'invalid_request'])
      assert.match(error?.message ?? '', message)
    }
  })

  test('a product or discount code that Stripe fails to create in live mode is archived in test mode and not listed', async () => {
    leaves({
      activity: {
        'code.archived': 1,
        'code.created': 1,
        'code.created failed': 1,
        'coupon.created': 2,
        'product.archived': 1,
        'product.created': 1,
        'product.created failed': 1,
        'webhook_endpoint.created': 2,
        'webhook_endpoint.disabled': 2,
        'worker.address': 1,
        'worker.secrets': 2,
        'worker.upload': 2,
      },
      jobs: { provision: 1 },
    })
    const shop = await openShop(bothKeys)
    // The second creation of a product is in live mode. All three attempts of this creation fail.
    await addStripeFault(cloud, { method: 'POST', path: '/products', nth: 2, times: 3 }, { status: 500 })
    const refused = await shop.call('POST products', { amount: 500 })
    assert.equal(refused.error?.code, 'upstream_error')
    await clearStripeFaults(cloud)
    assert.deepEqual((await shop.call<Product[]>('GET products')).data, [])
    assert.deepEqual(await shop.listed('products?active=true', shop.keys.test), [])
    await addStripeFault(
      cloud,
      { method: 'POST', path: '/promotion_codes', nth: 2, times: 3 },
      { status: 500 },
    )
    assert.equal((await shop.call('POST codes', { percentOff: 5 })).error?.code, 'upstream_error')
    await clearStripeFaults(cloud)
    assert.deepEqual((await shop.call<Code[]>('GET codes')).data, [])
    assert.deepEqual(await shop.listed('promotion_codes?active=true', shop.keys.test), [])
  })

  test("a product or discount code is created only once even if Stripe's response is lost", async () => {
    leaves({
      activity: {
        'code.created': 1,
        'coupon.created': 1,
        'product.created': 1,
        'webhook_endpoint.created': 1,
        'webhook_endpoint.disabled': 1,
        'worker.address': 1,
        'worker.secrets': 1,
        'worker.upload': 2,
      },
      jobs: { provision: 1 },
    })
    const shop = await openShop(({ keys }) => ({ stripeTestKey: keys.test }))
    const lost = { commitThenDrop: true }
    for (const path of ['/products', '/coupons', '/promotion_codes'])
      await addStripeFault(cloud, { method: 'POST', path }, lost)
    assert.equal((await shop.call('POST products', { amount: 500 })).error, undefined)
    assert.equal((await shop.call('POST codes', { percentOff: 5 })).error, undefined)
    const [products, prices, coupons, codes] = await Promise.all(
      ['products', 'prices', 'coupons', 'promotion_codes'].map((path) => shop.listed(path, shop.keys.test)),
    )
    assert.deepEqual(
      [products, prices, coupons, codes].map((all) => all?.length),
      [1, 1, 1, 1],
    )
  })

  test('adding a live-mode Stripe key creates the existing products and codes in live mode, except archived products', async () => {
    leaves({
      activity: {
        'code.created': 2,
        'coupon.created': 2,
        'product.archived': 1,
        'product.created': 3,
        'webhook_endpoint.created': 2,
        'webhook_endpoint.disabled': 2,
        'worker.address': 1,
        'worker.secrets': 3,
        'worker.upload': 2,
      },
      jobs: { provision: 2 },
    })
    const shop = await openShop(({ keys }) => ({ stripeTestKey: keys.test }))
    const kept = (await shop.call<Product>('POST products', { name: 'Kept', amount: 500, interval: 'year' }))
      .data
    const gone = (await shop.call<Product>('POST products', { name: 'Gone', amount: 100 })).data
    await shop.call(`POST products/${gone.id}/archive`)
    await shop.call('POST codes', { code: 'EARLY', percentOff: 20 })
    await shop.turnOn({ stripeKey: shop.keys.live })
    const products = await shop.listed('products')
    assert.deepEqual(
      products.map(({ id }) => id),
      [kept.id],
    )
    assert.deepEqual(
      (await shop.listed('promotion_codes')).map((one) => one['code']),
      ['EARLY'],
    )
    const { data } = await shop.call<Product[]>('GET products')
    assert.deepEqual(
      data.map(({ id, amount, interval, active }) => [id, amount, interval, active]),
      [
        [gone.id, 100, null, false],
        [kept.id, 500, 'year', true],
      ],
    )
  })

  test("projects that share a Stripe account can neither read nor change each other's products and codes", async () => {
    leaves({
      activity: {
        'code.created': 2,
        'coupon.created': 2,
        'product.created': 2,
        'webhook_endpoint.created': 4,
        'webhook_endpoint.disabled': 4,
        'worker.address': 2,
        'worker.secrets': 4,
        'worker.upload': 4,
      },
      jobs: { provision: 2 },
    })
    const shop = await openShop(bothKeys)
    const other = await openShop(() => bothKeys(shop))
    const product = (await shop.call<Product>('POST products', { amount: 500 })).data
    const code = (await shop.call<Code>('POST codes', { percentOff: 10 })).data
    assert.deepEqual((await other.call<Product[]>('GET products')).data, [])
    assert.deepEqual((await other.call<Code[]>('GET codes')).data, [])
    for (const route of [
      `POST products/${product.id}/archive`,
      `POST products/${product.id}/price`,
      `POST codes/${code.id}/archive`,
    ])
      assert.equal((await other.call(route, { amount: 1 })).error?.code, 'not_found', route)
    const stranger = other.person
    assert.equal((await stranger.call(`GET ${shop.path}/pay/products`)).status, 404)
  })
})
