import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import type { Stripe } from 'stripe'
import { testStripe, type TestStripe } from '../../testing/stripe.ts'

describe('lists of the payment provider', () => {
  let world: TestStripe
  let stripe: Stripe
  let ids: string[]
  before(() => {
    world = testStripe()
    stripe = world.client()
  })
  after(() => world.close())
  beforeEach(async () => {
    ids = []
    for (let n = 1; n <= 5; n++) ids.unshift((await stripe.customers.create({ name: `${n}` })).id)
  })
  afterEach(async () => {
    for (const { id } of (await stripe.customers.list({ limit: 100 })).data) await stripe.customers.del(id)
  })

  const pageOf = async (params: Stripe.CustomerListParams) => {
    const { data, has_more: hasMore } = await stripe.customers.list(params)
    return [data.map(({ id }) => ids.indexOf(id)), hasMore]
  }

  test('a Stripe list is newest first in both directions, and has_more applies to the requested direction', async () => {
    for (const [params, expected] of [
      [{}, [[0, 1, 2, 3, 4], false]],
      [{ limit: 2 }, [[0, 1], true]],
      [{ limit: 2, starting_after: ids[1] }, [[2, 3], true]],
      [{ limit: 2, starting_after: ids[2] }, [[3, 4], false]],
      [{ limit: 2, starting_after: ids[4] }, [[], false]],
      [{ limit: 2, ending_before: ids[3] }, [[1, 2], true]],
      [{ limit: 3, ending_before: ids[3] }, [[0, 1, 2], false]],
      [{ limit: 3, ending_before: ids[0] }, [[], false]],
    ] as [Stripe.CustomerListParams, unknown][])
      assert.deepEqual(await pageOf(params), expected, JSON.stringify(params))
  })

  test('the limit of a Stripe list is 1 to 100, and any other limit is refused', async () => {
    assert.deepEqual(await pageOf({ limit: 100 }), [[0, 1, 2, 3, 4], false])
    for (const limit of [0, 101, -1])
      await assert.rejects(stripe.customers.list({ limit }), { param: 'limit', statusCode: 400 })
  })

  test("starting_after and ending_before with an unknown object or another account's object are refused", async () => {
    const other = await world.client('sk_test_local_other').customers.create({})
    for (const id of ['cus_none', other.id])
      for (const param of ['starting_after', 'ending_before'])
        await assert.rejects(stripe.customers.list({ [param]: id }), { param, code: 'resource_missing' })
  })

  test('a filtered Stripe list continues after an object that no longer matches the filter', async () => {
    const products: string[] = []
    for (const name of ['a', 'b', 'c']) products.unshift((await stripe.products.create({ name })).id)
    const [newest = '', middle = '', oldest = ''] = products
    const page = await stripe.products.list({ active: true, limit: 2 })
    assert.deepEqual([page.data.map(({ id }) => id), page.has_more], [[newest, middle], true])
    await stripe.products.update(middle, { active: false })
    const listed = async (params: Stripe.ProductListParams) => {
      const { data, has_more: hasMore } = await stripe.products.list({ active: true, ...params })
      return [data.map(({ id }) => id), hasMore]
    }
    assert.deepEqual(await listed({ starting_after: middle }), [[oldest], false])
    assert.deepEqual(await listed({ ending_before: middle }), [[newest], false])
  })
})
