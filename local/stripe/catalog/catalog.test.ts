import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Stripe } from 'stripe'
import { testStripe } from '../../testing/stripe.ts'

describe('products, prices and codes of the payment provider', () => {
  const world = testStripe()
  const stripe = world.client()
  after(() => world.close())

  const createProduct = () => stripe.products.create({ name: 'Plant' })
  const createPrice = (id: string, more: Partial<Stripe.PriceCreateParams> = {}) =>
    stripe.prices.create({ product: id, unit_amount: 1200, currency: 'EUR', ...more })

  test('a Stripe product is created with its first price, which becomes its default price', async () => {
    const made = await stripe.products.create({
      name: 'Tree',
      default_price_data: { currency: 'usd', unit_amount: 500, recurring: { interval: 'year' } },
      expand: ['default_price'],
    })
    const first = made.default_price as Stripe.Price
    assert.deepEqual([first.product, first.unit_amount, first.type], [made.id, 500, 'recurring'])
    assert.deepEqual([first.recurring?.interval, first.recurring?.interval_count], ['year', 1])
  })

  test("a price's currency is returned in lower case, and its decimal amount as a string", async () => {
    const made = await createPrice((await createProduct()).id)
    assert.deepEqual(
      [made.currency, String(made.unit_amount_decimal), made.type],
      ['eur', '1200', 'one_time'],
    )
  })

  test('a price with a negative or fractional amount or an invalid currency is refused, and the error names the field', async () => {
    const { id } = await createProduct()
    await assert.rejects(createPrice(id, { unit_amount: -1 }), { param: 'unit_amount', statusCode: 400 })
    await assert.rejects(createPrice(id, { unit_amount: 1.5 }), { param: 'unit_amount', statusCode: 400 })
    await assert.rejects(createPrice(id, { currency: 'euro' }), { param: 'currency', statusCode: 400 })
  })

  test('the error for a nested Stripe parameter contains its whole path', async () => {
    const { id } = await createProduct()
    const wrong = createPrice(id, { recurring: { interval: 'fortnight' } })
    await assert.rejects(wrong, { param: 'recurring[interval]', statusCode: 400 })
    const unknown = createPrice(id, { recurring: { interval: 'day', colour: 'red' } as never })
    await assert.rejects(unknown, { param: 'recurring[colour]', code: 'parameter_unknown' })
  })

  test('a default price must be an active price of the product', async () => {
    const [one, other] = [await createProduct(), await createProduct()]
    const foreign = await createPrice(other.id)
    const archived = await createPrice(one.id, { active: false })
    const chooseDefault = (id: string) => stripe.products.update(one.id, { default_price: id })
    await assert.rejects(chooseDefault(foreign.id), { param: 'default_price', statusCode: 400 })
    await assert.rejects(chooseDefault(archived.id), { param: 'default_price', statusCode: 400 })
    await assert.rejects(chooseDefault('price_none'), { code: 'resource_missing', param: 'default_price' })
    assert.equal((await stripe.products.retrieve(one.id)).default_price, null)
  })

  test('a price cannot be archived while it is the default price of its product', async () => {
    const { id } = await createProduct()
    const made = await createPrice(id)
    await stripe.products.update(id, { default_price: made.id })
    const archivePrice = () => stripe.prices.update(made.id, { active: false })
    await assert.rejects(archivePrice(), { param: 'active', statusCode: 400 })
    assert.equal((await stripe.products.update(id, { default_price: '' })).default_price, null)
    assert.equal((await archivePrice()).active, false)
  })

  test('updating a product with an empty description or metadata value removes the description or key', async () => {
    const made = await stripe.products.create({
      name: 'Vase',
      description: 'Blue',
      metadata: { project: 'prj_1', colour: 'blue' },
    })
    const changed = await stripe.products.update(made.id, {
      description: '',
      metadata: { colour: '', size: 'large' },
    })
    assert.deepEqual([changed.description, changed.metadata], [null, { project: 'prj_1', size: 'large' }])
  })

  test('only a product without a price can be deleted', async () => {
    const [sold, unsold] = [await createProduct(), await createProduct()]
    await createPrice(sold.id)
    await assert.rejects(stripe.products.del(sold.id), /cannot be deleted because it has/)
    assert.equal((await stripe.products.del(unsold.id)).deleted, true)
    await assert.rejects(stripe.products.retrieve(unsold.id), { code: 'resource_missing', statusCode: 404 })
    await assert.rejects(stripe.products.del(unsold.id), { code: 'resource_missing' })
  })

  test('products are filtered by active state and ids, and prices by product, type and currency', async () => {
    const [shown, hidden] = [await createProduct(), await createProduct()]
    await stripe.products.update(hidden.id, { active: false })
    const listIds = async (params: Stripe.ProductListParams) =>
      (await stripe.products.list({ ids: [shown.id, hidden.id], ...params })).data.map(({ id }) => id)
    assert.deepEqual(await listIds({}), [hidden.id, shown.id])
    assert.deepEqual(await listIds({ active: true }), [shown.id])
    assert.deepEqual(await listIds({ active: false }), [hidden.id])
    const once = await createPrice(shown.id)
    const often = await createPrice(shown.id, { currency: 'usd', recurring: { interval: 'month' } })
    const listPrices = async (params: Stripe.PriceListParams) =>
      (await stripe.prices.list({ product: shown.id, ...params })).data.map(({ id }) => id)
    assert.deepEqual(await listPrices({}), [often.id, once.id])
    assert.deepEqual(await listPrices({ type: 'one_time' }), [once.id])
    assert.deepEqual(await listPrices({ currency: 'USD' }), [often.id])
  })

  test('a coupon has either a percentage or an amount in a currency, never both', async () => {
    const percent = await stripe.coupons.create({ percent_off: 12.5 })
    assert.deepEqual([percent.percent_off, percent.amount_off, percent.duration], [12.5, null, 'once'])
    const amount = await stripe.coupons.create({ amount_off: 300, currency: 'usd' })
    assert.deepEqual([amount.percent_off, amount.currency], [null, 'usd'])
    for (const [wrong, param] of [
      [{}, 'percent_off'],
      [{ percent_off: 5, amount_off: 5, currency: 'usd' }, 'percent_off'],
      [{ percent_off: 0 }, 'percent_off'],
      [{ percent_off: 101 }, 'percent_off'],
      [{ amount_off: 5 }, 'currency'],
      [{ percent_off: 5, duration: 'repeating' }, 'duration_in_months'],
      [{ percent_off: 5, duration: 'weekly' }, 'duration'],
    ] as const)
      await assert.rejects(stripe.coupons.create(wrong), {
        param,
        statusCode: 400,
      })
  })

  test('a coupon cannot be created with the id of an existing coupon until that coupon is deleted', async () => {
    await stripe.coupons.create({ id: 'SUMMER', percent_off: 10 })
    const again = stripe.coupons.create({ id: 'SUMMER', percent_off: 20 })
    await assert.rejects(again, { code: 'resource_already_exists', param: 'id' })
    assert.equal((await stripe.coupons.retrieve('SUMMER')).percent_off, 10)
    await stripe.coupons.del('SUMMER')
    assert.equal((await stripe.coupons.create({ id: 'SUMMER', percent_off: 20 })).percent_off, 20)
  })

  test('a promotion code needs an existing coupon, and its text can be used again once the code is inactive', async () => {
    const { id: coupon } = await stripe.coupons.create({ percent_off: 10 })
    const createCode = (code: string, of = coupon) =>
      stripe.promotionCodes.create({ code, promotion: { type: 'coupon', coupon: of } })
    await assert.rejects(createCode('AUTUMN', 'none'), {
      code: 'resource_missing',
      param: 'promotion[coupon]',
    })
    await assert.rejects(createCode('two words'), { param: 'code', statusCode: 400 })
    const first = await createCode('AUTUMN')
    await assert.rejects(createCode('autumn'), { code: 'resource_already_exists', param: 'code' })
    await stripe.promotionCodes.update(first.id, { active: false })
    const second = await createCode('autumn')
    const found = await stripe.promotionCodes.list({ code: 'Autumn', active: true })
    assert.deepEqual(
      found.data.map(({ id }) => id),
      [second.id],
    )
  })
})
