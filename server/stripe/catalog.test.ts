import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import {
  type DesiredPromotionCode,
  listCodes,
  listProducts,
  type DesiredProduct,
  putCode,
  putProduct,
} from './catalog.ts'
import { errorResponse, okResponse, startStripe } from './testing.ts'

const WISH: DesiredProduct = {
  id: 'prod_1',
  projectId: 'prj_1',
  name: 'Plant',
  amount: 500,
  currency: 'eur',
  interval: 'month',
  active: true,
}
const PRICE = {
  id: 'price_1',
  unit_amount: 500,
  currency: 'eur',
  recurring: { interval: 'month' },
  active: true,
  metadata: {},
}
const PRODUCT = {
  id: 'prod_1',
  name: 'Plant',
  active: true,
  created: 1,
  default_price: PRICE,
  metadata: { project: 'prj_1' },
}
const READ_PRODUCT = 'GET /products/prod_1?expand[0]=default_price'
const PRICE_FIELDS = 'unit_amount=700&currency=eur&recurring[interval]=month'
const noProduct = errorResponse(404, { code: 'resource_missing', message: "No such product: 'prod_1'" })
const newPrice = { ...PRICE, id: 'price_2', unit_amount: 700 }

const CODE: DesiredPromotionCode = {
  id: 'code_1',
  projectId: 'prj_1',
  code: 'SPRING',
  percentOff: 20,
  amountOff: null,
  currency: null,
  duration: 'once',
  maxRedemptions: 10,
  active: true,
}
const promotionCode = (change: object = {}) => ({
  id: 'promo_1',
  code: 'SPRING',
  active: true,
  times_redeemed: 3,
  promotion: { coupon: 'code_1' },
  metadata: { project: 'prj_1' },
  ...change,
})
const page = (...data: object[]) => okResponse({ data, has_more: false })
const FIND_CODE = 'GET /promotion_codes?coupon=code_1&limit=100'
const CREATE_COUPON = 'POST /coupons id=code_1&duration=once&metadata[project]=prj_1&percent_off=20'
const CREATE_CODE =
  'POST /promotion_codes promotion[type]=coupon&promotion[coupon]=code_1&code=SPRING&max_redemptions=10&metadata[project]=prj_1'

let stripe: Awaited<ReturnType<typeof startStripe>>

describe('products at Stripe', () => {
  before(async () => {
    stripe = await startStripe()
  })
  afterEach(() => stripe.reset())
  after(() => stripe.close())

  test('a product that does not exist at Stripe is created together with its price', async () => {
    stripe.script(noProduct, okResponse(PRODUCT))
    assert.deepEqual((await putProduct(stripe.access, WISH)).id, 'prod_1')
    assert.deepEqual(stripe.calls(), [
      READ_PRODUCT,
      'POST /products id=prod_1&name=Plant&active=true&metadata[project]=prj_1&default_price_data[unit_amount]=500&' +
        'default_price_data[currency]=eur&default_price_data[recurring][interval]=month&expand[0]=default_price',
    ])
    assert.deepEqual(stripe.records, ['product.created Plant ok'])
  })

  test('a product that already matches at Stripe is read and not changed, even a product without a subscription interval', async () => {
    stripe.script(okResponse(PRODUCT))
    await putProduct(stripe.access, WISH)
    assert.deepEqual(stripe.calls(), [READ_PRODUCT])
    stripe.reset()
    stripe.script(okResponse({ ...PRODUCT, default_price: { ...PRICE, recurring: null } }))
    await putProduct(stripe.access, { ...WISH, interval: null })
    assert.deepEqual([stripe.calls(), stripe.records], [[READ_PRODUCT], []])
  })

  test('changing the name of a product or archiving it updates the product at Stripe and keeps its price', async () => {
    for (const [desired, action] of [
      [{ ...WISH, name: 'Tree' }, 'product.changed Tree ok'],
      [{ ...WISH, active: false }, 'product.archived Plant ok'],
    ] as const) {
      stripe.reset()
      stripe.script(
        okResponse(PRODUCT),
        okResponse({ ...PRODUCT, name: desired.name, active: desired.active }),
      )
      const { name, active } = await putProduct(stripe.access, desired)
      assert.deepEqual([name, active], [desired.name, desired.active])
      assert.deepEqual(stripe.calls(), [
        READ_PRODUCT,
        `POST /products/prod_1 name=${name}&active=${active}&default_price=price_1&expand[0]=default_price`,
      ])
      assert.deepEqual(stripe.records, [action])
    }
  })

  test("changing a product's amount, currency or interval creates a Stripe price and archives the old one once it is replaced", async () => {
    for (const [change, fields] of [
      [{ amount: 700 }, PRICE_FIELDS],
      [{ currency: 'usd' }, 'unit_amount=500&currency=usd&recurring[interval]=month'],
      [{ interval: 'year' }, 'unit_amount=500&currency=eur&recurring[interval]=year'],
      [{ interval: null }, 'unit_amount=500&currency=eur'],
    ] as const) {
      stripe.reset()
      stripe.script(
        okResponse(PRODUCT),
        okResponse(newPrice),
        okResponse({ ...PRODUCT, default_price: newPrice }),
        okResponse({ ...PRICE, active: false }),
      )
      assert.equal((await putProduct(stripe.access, { ...WISH, ...change })).default_price?.id, 'price_2')
      assert.deepEqual(stripe.calls(), [
        READ_PRODUCT,
        `POST /prices product=prod_1&metadata[project]=prj_1&metadata[replaces]=price_1&${fields}`,
        'POST /products/prod_1 name=Plant&active=true&default_price=price_2&expand[0]=default_price',
        'POST /prices/price_1 active=false',
      ])
      assert.deepEqual(stripe.records, [
        'price.created Plant ok',
        'product.changed Plant ok',
        'price.archived price_1 ok',
      ])
    }
  })

  test('a Stripe product without a price gets a price, and no price is archived', async () => {
    stripe.script(
      okResponse({ ...PRODUCT, default_price: null }),
      okResponse(newPrice),
      okResponse({ ...PRODUCT, default_price: newPrice }),
    )
    await putProduct(stripe.access, { ...WISH, amount: 700 })
    assert.deepEqual(stripe.calls().slice(1), [
      `POST /prices product=prod_1&metadata[project]=prj_1&${PRICE_FIELDS}`,
      'POST /products/prod_1 name=Plant&active=true&default_price=price_2&expand[0]=default_price',
    ])
  })

  test('a replaced price that an interrupted change left active at Stripe is archived once by the next update of the product', async () => {
    const replaced = {
      ...PRODUCT,
      default_price: { ...PRICE, id: 'price_2', metadata: { replaces: 'price_1' } },
    }
    stripe.script(okResponse(replaced), okResponse(PRICE), okResponse({ ...PRICE, active: false }))
    assert.equal((await putProduct(stripe.access, WISH)).default_price?.id, 'price_2')
    assert.deepEqual(stripe.calls(), [
      READ_PRODUCT,
      'GET /prices/price_1',
      'POST /prices/price_1 active=false',
    ])
    assert.deepEqual(stripe.records, ['price.archived price_1 ok'])
    for (const answer of [
      okResponse({ ...PRICE, active: false }),
      errorResponse(404, { message: 'No such price' }),
    ]) {
      stripe.reset()
      stripe.script(okResponse(replaced), answer)
      await putProduct(stripe.access, WISH)
      assert.deepEqual(stripe.calls(), [READ_PRODUCT, 'GET /prices/price_1'])
    }
  })

  test('a product keeps its old price when Stripe refuses the new one', async () => {
    stripe.script(
      okResponse(PRODUCT),
      errorResponse(400, { message: 'Invalid currency: zzz', param: 'currency' }),
    )
    await assert.rejects(putProduct(stripe.access, { ...WISH, currency: 'zzz' }), {
      status: 400,
      param: 'currency',
      message: 'Stripe refused to create prices: Invalid currency: zzz',
    })
    assert.equal(stripe.received.length, 2)
    assert.deepEqual(stripe.records, ['price.created Plant failed'])
  })

  test('products are read from Stripe with one request for all ids, and without a request for an empty list', async () => {
    assert.deepEqual(await listProducts(stripe.access, []), [])
    assert.deepEqual(stripe.calls(), [])
    stripe.script(okResponse({ data: [PRODUCT] }))
    const found = await listProducts(stripe.access, ['prod_1', 'prod_2'])
    assert.deepEqual(
      found.map(({ id }) => id),
      ['prod_1'],
    )
    assert.deepEqual(stripe.calls(), [
      'GET /products?ids[0]=prod_1&ids[1]=prod_2&limit=100&expand[0]=data.default_price',
    ])
  })
})

describe('discount codes at Stripe', () => {
  before(async () => {
    stripe = await startStripe()
  })
  afterEach(() => stripe.reset())
  after(() => stripe.close())

  test('a discount code that does not exist at Stripe is created after its coupon, with an amount or a percentage', async () => {
    stripe.script(page(), okResponse({ id: 'code_1' }), okResponse(promotionCode()))
    await putCode(stripe.access, CODE)
    assert.deepEqual(stripe.calls(), [FIND_CODE, CREATE_COUPON, CREATE_CODE])
    assert.deepEqual(stripe.records, ['coupon.created SPRING ok', 'code.created SPRING ok'])
    stripe.reset()
    stripe.script(page(), okResponse({ id: 'code_1' }), okResponse(promotionCode()))
    await putCode(stripe.access, {
      ...CODE,
      percentOff: null,
      amountOff: 300,
      currency: 'eur',
      maxRedemptions: null,
    })
    assert.deepEqual(stripe.calls().slice(1), [
      'POST /coupons id=code_1&duration=once&metadata[project]=prj_1&amount_off=300&currency=eur',
      'POST /promotion_codes promotion[type]=coupon&promotion[coupon]=code_1&code=SPRING&metadata[project]=prj_1',
    ])
  })

  test('a discount code uses the coupon that an interrupted attempt to create the code has left at Stripe', async () => {
    stripe.script(
      page(),
      errorResponse(400, { code: 'resource_already_exists', message: 'Coupon already exists.' }),
      okResponse(promotionCode()),
    )
    await putCode(stripe.access, CODE)
    assert.deepEqual(stripe.calls(), [FIND_CODE, CREATE_COUPON, CREATE_CODE])
  })

  test('no discount code is created when Stripe refuses its coupon', async () => {
    stripe.script(page(), errorResponse(400, { code: 'parameter_invalid_integer', param: 'percent_off' }))
    await assert.rejects(putCode(stripe.access, CODE), { status: 400, param: 'percent_off' })
    assert.equal(stripe.received.length, 2)
  })

  test('archiving a discount code deactivates it at Stripe, and changes nothing when the code is inactive or does not exist', async () => {
    const archived = { ...CODE, active: false }
    stripe.script(page(promotionCode()), okResponse(promotionCode({ active: false })))
    await putCode(stripe.access, archived)
    assert.deepEqual(stripe.calls(), [FIND_CODE, 'POST /promotion_codes/promo_1 active=false'])
    assert.deepEqual(stripe.records, ['code.archived SPRING ok'])
    for (const answer of [page(promotionCode({ active: false })), page()]) {
      stripe.reset()
      stripe.script(answer)
      await putCode(stripe.access, archived)
      assert.deepEqual([stripe.calls(), stripe.records], [[FIND_CODE], []])
    }
  })

  test('a discount code that exists at Stripe, active or archived, is not created again', async () => {
    for (const active of [true, false]) {
      stripe.reset()
      stripe.script(page(promotionCode({ active })))
      await putCode(stripe.access, CODE)
      assert.deepEqual([stripe.calls(), stripe.records], [[FIND_CODE], []])
    }
  })

  test("the active discount codes of a project are read from all pages of Stripe's list and selected by the project's id", async () => {
    const other = promotionCode({ id: 'promo_2', metadata: { project: 'prj_2' } })
    const foreign = promotionCode({ id: 'promo_3', metadata: {} })
    stripe.script(
      okResponse({ data: [other, promotionCode()], has_more: true }),
      page(foreign, promotionCode({ id: 'promo_4' })),
    )
    assert.deepEqual(
      (await listCodes(stripe.access, 'prj_1', true)).map(({ id }) => id),
      ['promo_1', 'promo_4'],
    )
    assert.deepEqual(stripe.calls(), [
      'GET /promotion_codes?active=true&limit=100',
      'GET /promotion_codes?active=true&limit=100&starting_after=promo_1',
    ])
  })
})
