import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Stripe } from 'stripe'
import { testStripe } from '../../testing/stripe.ts'

describe('prices of the payment provider', () => {
  const world = testStripe()
  const stripe = world.client()
  let product: string
  before(async () => {
    product = (await stripe.products.create({ name: 'Club' })).id
  })
  after(() => world.close())

  const createPrice = (more: Partial<Stripe.PriceCreateParams> = {}) =>
    stripe.prices.create({ product, unit_amount: 1000, currency: 'usd', ...more })
  const outcome = async (call: Promise<{ object: string }>) => {
    try {
      return (await call).object
    } catch (error) {
      const { param, code } = error as Stripe.errors.StripeError
      return [param, code]
    }
  }

  test("a price is returned as it was created, with the provider's defaults", async () => {
    const {
      id,
      lastResponse: _response,
      ...price
    } = await createPrice({
      currency: 'EUR',
      lookup_key: 'club',
      nickname: 'Monthly',
      metadata: { a: 'b' },
      recurring: { interval: 'month', interval_count: 3 },
    })
    assert.match(id, /^price_[A-Za-z0-9]{24}$/)
    assert.deepEqual(
      { ...price, unit_amount_decimal: String(price.unit_amount_decimal) },
      {
        object: 'price',
        active: true,
        billing_scheme: 'per_unit',
        created: Math.floor(world.clock.now() / 1000),
        currency: 'eur',
        livemode: false,
        lookup_key: 'club',
        metadata: { a: 'b' },
        nickname: 'Monthly',
        product,
        recurring: { interval: 'month', interval_count: 3, meter: null, usage_type: 'licensed' },
        type: 'recurring',
        unit_amount: 1000,
        unit_amount_decimal: '1000',
      },
    )
  })

  test('a price with an `interval_count` below 1, or a billing period longer than three years, is refused', async () => {
    const limits = { day: 1095, week: 156, month: 36, year: 3 } as const
    const outcomes: unknown[] = []
    for (const [interval, most] of Object.entries(limits) as [keyof typeof limits, number][])
      for (const count of [-1, 0, 1, most, most + 1, 999_999_999_999])
        outcomes.push(await outcome(createPrice({ recurring: { interval, interval_count: count } })))
    const refused = ['recurring[interval_count]', 'parameter_invalid']
    assert.deepEqual(
      outcomes,
      Array.from({ length: 4 }, () => [refused, refused, 'price', 'price', refused, refused]).flat(),
    )
  })

  test('after three days, a daily subscription has renewed three times and a three-yearly subscription has not renewed', async () => {
    const { id: customer } = await stripe.customers.create()
    const subscribe = async (recurring: Stripe.PriceCreateParams.Recurring) => {
      const { id: price } = await createPrice({ recurring })
      return (await stripe.subscriptions.create({ customer, items: [{ price }] })).id
    }
    const ids = [
      await subscribe({ interval: 'day' }),
      await subscribe({ interval: 'year', interval_count: 3 }),
    ]
    world.clock.advance(3 * 86_400_000)
    const counts = []
    for (const subscription of ids) counts.push((await stripe.invoices.list({ subscription })).data.length)
    assert.deepEqual(counts, [4, 1])
  })

  test('a price may be zero, and is refused with a negative or fractional amount, an unknown product or an invalid currency', async () => {
    assert.deepEqual(
      [
        await outcome(createPrice({ unit_amount: 0 })),
        await outcome(createPrice({ unit_amount: -1 })),
        await outcome(createPrice({ unit_amount: 0.5 })),
        await outcome(createPrice({ product: 'prod_none' })),
        await outcome(createPrice({ currency: 'dollars' })),
      ],
      [
        'price',
        ['unit_amount', 'parameter_invalid_integer'],
        ['unit_amount', 'parameter_invalid'],
        ['product', 'resource_missing'],
        ['currency', 'parameter_invalid'],
      ],
    )
  })

  test('a product whose first price is refused is not created', async () => {
    const made = stripe.products.create({
      name: 'Half',
      default_price_data: {
        currency: 'usd',
        unit_amount: 100,
        recurring: { interval: 'month', interval_count: 0 },
      },
    })
    await assert.rejects(made, { param: 'default_price_data[recurring][interval_count]', statusCode: 400 })
    assert.deepEqual(
      (await stripe.products.list({ limit: 100 })).data.map(({ name }) => name),
      ['Club'],
    )
  })

  test('updating a price can change its state, nickname and metadata, but not the amount', async () => {
    const { lastResponse: _created, ...before } = await createPrice({
      nickname: 'Old',
      metadata: { a: '1', b: '2' },
    })
    const { lastResponse: _updated, ...changed } = await stripe.prices.update(before.id, {
      active: false,
      nickname: 'New',
      metadata: { a: '', c: '3' },
    })
    assert.deepEqual(changed, { ...before, active: false, nickname: 'New', metadata: { b: '2', c: '3' } })
    await assert.rejects(stripe.prices.update(before.id, { unit_amount: 5 } as never), {
      param: 'unit_amount',
      code: 'parameter_unknown',
    })
    await assert.rejects(stripe.prices.update('price_none', { active: true }), {
      code: 'resource_missing',
      statusCode: 404,
    })
  })

  test('the list of prices is filtered by product, currency, type, active and creation time', async () => {
    const { id: other } = await stripe.products.create({ name: 'Other' })
    const add = async (more: Partial<Stripe.PriceCreateParams>) => {
      world.clock.advance(1000)
      return createPrice({ product: other, ...more })
    }
    const once = await add({})
    const often = await add({ currency: 'eur', recurring: { interval: 'week' } })
    const old = await add({ active: false })
    const list = async (params: Stripe.PriceListParams) =>
      (await stripe.prices.list({ product: other, ...params })).data.map(({ id }) => id)
    assert.deepEqual(
      [
        await list({}),
        await list({ active: true }),
        await list({ active: false }),
        await list({ currency: 'eur' }),
        await list({ type: 'recurring' }),
        await list({ created: { gt: once.created, lt: old.created } }),
        await list({ created: { gte: once.created, lte: often.created } }),
        await list({ created: old.created }),
        await list({ product: 'prod_none' }),
      ],
      [
        [old.id, often.id, once.id],
        [often.id, once.id],
        [old.id],
        [often.id],
        [often.id],
        [often.id],
        [often.id, once.id],
        [old.id],
        [],
      ],
    )
  })

  test('prices are found by their lookup keys and by their billing interval', async () => {
    const { id: own } = await stripe.products.create({ name: 'Keys' })
    const one = await createPrice({ product: own, lookup_key: 'one' })
    const two = await createPrice({ product: own, lookup_key: 'two', recurring: { interval: 'year' } })
    const list = async (params: Stripe.PriceListParams) =>
      (await stripe.prices.list({ product: own, ...params })).data.map(({ id }) => id)
    assert.deepEqual(await list({ lookup_keys: ['one', 'none'] }), [one.id])
    assert.deepEqual(await list({ lookup_keys: ['one', 'two'] }), [two.id, one.id])
    assert.deepEqual(await list({ lookup_keys: ['none'] }), [])
    assert.deepEqual(await list({ recurring: { interval: 'year' } }), [two.id])
    assert.deepEqual(await list({ recurring: { interval: 'month' } }), [])
    assert.deepEqual(await list({ recurring: { usage_type: 'licensed' } }), [two.id])
  })

  test('a lookup key belongs to one price until it is transferred or removed', async () => {
    const keyOf = async (id: string) => (await stripe.prices.retrieve(id)).lookup_key
    const { id: first } = await createPrice({ lookup_key: 'plan' })
    await assert.rejects(createPrice({ lookup_key: 'plan' }), {
      statusCode: 400,
      param: 'lookup_key',
      message: `A price (\`${first}\`) already uses that lookup key.`,
    })
    const { id: second } = await createPrice({ lookup_key: 'plan', transfer_lookup_key: true })
    assert.deepEqual([await keyOf(first), await keyOf(second)], [null, 'plan'])
    await assert.rejects(stripe.prices.update(first, { lookup_key: 'plan' }), { param: 'lookup_key' })
    // An update of a price may repeat its own key.
    await stripe.prices.update(second, { lookup_key: 'plan', nickname: 'Plan' })
    await stripe.prices.update(first, { lookup_key: 'plan', transfer_lookup_key: true })
    assert.deepEqual([await keyOf(first), await keyOf(second)], ['plan', null])
    await stripe.prices.update(first, { lookup_key: '' })
    assert.equal((await createPrice({ lookup_key: 'plan' })).lookup_key, 'plan')
    assert.equal(await keyOf(first), null)
  })

  test('a refused request to create a price does not take the lookup key from another price', async () => {
    const { id } = await createPrice({ lookup_key: 'kept' })
    const refused = { lookup_key: 'kept', transfer_lookup_key: true, unit_amount: -1 }
    await assert.rejects(createPrice(refused), { param: 'unit_amount' })
    assert.equal((await stripe.prices.retrieve(id)).lookup_key, 'kept')
  })

  test('a test price is not found with a key of another account or a live key of the same account', async () => {
    const { id } = await createPrice()
    for (const key of ['sk_test_local_other', 'sk_live_local_shop'])
      await assert.rejects(world.client(key).prices.retrieve(id), {
        code: 'resource_missing',
        statusCode: 404,
      })
  })
})
