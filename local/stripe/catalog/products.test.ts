import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { Stripe } from 'stripe'
import { testStripe, type TestStripe } from '../../testing/stripe.ts'

describe('products of the payment provider', () => {
  let world: TestStripe
  let stripe: Stripe
  beforeEach(() => {
    world = testStripe()
    stripe = world.client()
  })
  afterEach(() => world.close())

  const plain = ({ lastResponse: _response, ...product }: Stripe.Response<Stripe.Product>) => product
  const nowSeconds = () => Math.floor(world.clock.now() / 1000)

  test("a product is returned as it was created, with the provider's defaults", async () => {
    const bare = plain(await stripe.products.create({ name: 'Plant' }))
    const full = plain(
      await stripe.products.create({
        id: 'gold',
        name: 'Gold',
        active: false,
        description: 'Heavy',
        images: ['http://shop.test/a.png'],
        metadata: { a: 'b' },
      }),
    )
    assert.match(bare.id, /^prod_[A-Za-z0-9]{24}$/)
    const shared = {
      object: 'product',
      created: nowSeconds(),
      default_price: null,
      livemode: false,
      type: 'service',
      updated: nowSeconds(),
    }
    assert.deepEqual(
      [bare, full],
      [
        { ...shared, id: bare.id, active: true, description: null, images: [], metadata: {}, name: 'Plant' },
        {
          ...shared,
          id: 'gold',
          active: false,
          description: 'Heavy',
          images: ['http://shop.test/a.png'],
          metadata: { a: 'b' },
          name: 'Gold',
        },
      ],
    )
  })

  test('an update of a product changes only `updated` and the named fields', async () => {
    const made = plain(
      await stripe.products.create({
        name: 'Plant',
        description: 'Green',
        images: ['http://a.test/'],
        metadata: { a: '1', b: '2' },
      }),
    )
    world.clock.advance(5000)
    const renamed = plain(await stripe.products.update(made.id, { name: 'Tree' }))
    const cleared = plain(
      await stripe.products.update(made.id, { description: '', images: '', metadata: '' }),
    )
    const expected = { ...made, name: 'Tree', updated: made.updated + 5 }
    assert.deepEqual(
      [renamed, cleared],
      [expected, { ...expected, description: null, images: [], metadata: {} }],
    )
  })

  test('an invalid product is refused with the name of the wrong parameter and not stored', async () => {
    await stripe.products.create({ id: 'taken', name: 'Taken' })
    const paramOf = async (params: object) => {
      try {
        return (await stripe.products.create(params as Stripe.ProductCreateParams)).id
      } catch (error) {
        return (error as Stripe.errors.StripeError).param
      }
    }
    assert.deepEqual(
      [
        await paramOf({}),
        await paramOf({ name: '' }),
        await paramOf({ name: 'x', id: 'taken' }),
        await paramOf({ name: 'x', active: 'perhaps' }),
        await paramOf({ name: 'x', images: [''] }),
        await paramOf({ name: 'x', default_price_data: { currency: 'usd' } }),
        await paramOf({
          name: 'x',
          default_price_data: { currency: 'usd', unit_amount: 1, product: 'taken' },
        }),
        await paramOf({ name: 'x', colour: 'red' }),
      ],
      [
        'name',
        'name',
        'id',
        'active',
        'images[0]',
        'default_price_data[unit_amount]',
        'default_price_data[product]',
        'colour',
      ],
    )
    assert.deepEqual(
      (await stripe.products.list()).data.map(({ id }) => id),
      ['taken'],
    )
  })

  test('a product with a price, even an archived price, cannot be deleted', async () => {
    const { id: bare } = await stripe.products.create({ name: 'Bare' })
    const { id: priced } = await stripe.products.create({ name: 'Priced' })
    await stripe.prices.create({ product: priced, unit_amount: 1, currency: 'usd', active: false })
    const { lastResponse: _response, ...deleted } = await stripe.products.del(bare)
    assert.deepEqual(deleted, { id: bare, object: 'product', deleted: true })
    await assert.rejects(stripe.products.del(bare), { code: 'resource_missing', statusCode: 404 })
    await assert.rejects(stripe.products.del(priced), {
      statusCode: 400,
      message: /has one or more user-created prices/,
    })
    assert.equal((await stripe.products.retrieve(priced)).name, 'Priced')
  })

  test("products are filtered by active, ids and creation time, and other modes' products are not listed", async () => {
    const add = async (name: string, active = true) => {
      world.clock.advance(1000)
      return stripe.products.create({ name, active })
    }
    const [first, second, third] = [await add('a'), await add('b', false), await add('c')]
    await world.client('sk_live_local_shop').products.create({ name: 'live' })
    const list = async (params: Stripe.ProductListParams) =>
      (await stripe.products.list(params)).data.map(({ name }) => name)
    assert.deepEqual(
      [
        await list({}),
        await list({ active: true }),
        await list({ active: false }),
        await list({ ids: [first.id, third.id, 'prod_none'] }),
        await list({ created: { gte: second.created } }),
        await list({ limit: 1, starting_after: third.id }),
      ],
      [['c', 'b', 'a'], ['c', 'a'], ['b'], ['c', 'a'], ['c', 'b'], ['b']],
    )
  })
})
