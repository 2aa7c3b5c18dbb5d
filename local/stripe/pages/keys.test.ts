import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { testStripe, type TestStripe } from '../../testing/stripe.ts'

const PAGE = 'http://stripe.test/stripe/keys'

describe('the page for API keys of the local payment provider', () => {
  let world: TestStripe
  beforeEach(() => {
    world = testStripe()
  })
  afterEach(() => world.close())

  const create = async (fields: Record<string, string> = {}) => {
    const answer = await world.submit(PAGE, ['do', 'create'], fields)
    const text = await answer.text()
    return { status: answer.status, key: /<code>(rk_\w+)<\/code>/.exec(text)?.[1] ?? null, text }
  }
  const revoke = async (key: string) => (await world.submit(PAGE, ['do', 'revoke'], { key })).status
  const listedKeys = async () =>
    [...(await world.show(PAGE)).matchAll(/<td>([^<]*)<\/td>/g)].map(([, cell]) => cell)

  test('a new restricted key has the chosen permissions in the chosen account and mode, and is shown only once', async () => {
    const { key } = await create({ account: 'shop', mode: 'live', product: 'read', coupon: 'none' })
    assert.match(key ?? '', /^rk_live_local_shop_/)
    const { products, coupons, customers } = world.client(key ?? '')
    assert.equal((await customers.create({ name: 'Ada' })).livemode, true)
    await products.list()
    await assert.rejects(products.create({ name: 'Plant' }), /rak_product_write/)
    await assert.rejects(coupons.list(), /rak_coupon_read/)
    assert.deepEqual(await listedKeys(), ['shop, live', `...${key?.slice(-4)}`, 'in force'])
    assert.doesNotMatch(await world.show(PAGE), new RegExp(key ?? 'x'))
  })

  test('no Stripe key is created for an account name that cannot be part of a key', async () => {
    const outcomes = []
    for (const account of ['', 'two words', 'a-b', 'ä', '<b>', 'x'.repeat(41), 'x'.repeat(40)]) {
      const { status, key } = await create({ account })
      outcomes.push([status, key !== null])
    }
    assert.deepEqual(outcomes, [...Array.from({ length: 6 }, () => [400, false]), [200, true]])
    assert.equal((await listedKeys()).length, 3)
  })

  test('a revoked Stripe key is refused by the API, and the keys page lists it as ended', async () => {
    const { key } = await create()
    assert.deepEqual(
      [await revoke(` ${key} `), await revoke('sk_live_local_shop'), await revoke('no key')],
      [303, 303, 303],
    )
    for (const ended of [key ?? '', 'sk_live_local_shop'])
      await assert.rejects(world.client(ended).products.list(), { statusCode: 401, code: 'api_key_invalid' })
    await world.client('sk_test_local_shop').products.list()
    assert.deepEqual(
      (await listedKeys()).toSorted(),
      ['...' + key?.slice(-4), '...shop', 'ended', 'ended', 'myshop, test', 'shop, live'].toSorted(),
    )
  })

  test("another site's form can neither create nor revoke a Stripe key", async () => {
    for (const fields of [
      { do: 'create', account: 'shop' },
      { do: 'revoke', key: 'sk_test_local_shop' },
    ]) {
      const headers = { 'sec-fetch-site': 'cross-site' }
      const body = new URLSearchParams(fields)
      assert.equal((await world.request(PAGE, { method: 'POST', body, headers })).status, 403)
    }
    assert.deepEqual(await listedKeys(), [])
    await world.client('sk_test_local_shop').products.list()
  })
})
