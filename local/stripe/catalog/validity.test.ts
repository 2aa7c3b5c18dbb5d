import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { Stripe } from 'stripe'
import { HeldClock } from '../../testing/held-clock.ts'
import { testStripe, type TestStripe } from '../../testing/stripe.ts'

const HOUR_S = 3600

describe('how long coupons and promotion codes can be redeemed', () => {
  let clock: HeldClock
  let world: TestStripe
  let stripe: Stripe
  beforeEach(() => {
    clock = new HeldClock(1_800_000_000_000)
    world = testStripe(clock)
    stripe = world.client()
  })
  afterEach(() => world.close())

  const inHours = (hours: number) => Math.floor(clock.now() / 1000) + hours * HOUR_S
  const pass = (hours: number) => clock.pass(hours * HOUR_S * 1000)
  const createCoupon = (more: Stripe.CouponCreateParams = {}) =>
    stripe.coupons.create({ percent_off: 10, ...more })
  const createCode = (coupon: string, more: Partial<Stripe.PromotionCodeCreateParams> = {}) =>
    stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon }, ...more })
  const isValid = async (id: string) => (await stripe.coupons.retrieve(id)).valid
  const isActive = async (id: string) => (await stripe.promotionCodes.retrieve(id)).active
  const listedActive = async (active: boolean) =>
    (await stripe.promotionCodes.list({ active })).data.map(({ code }) => code)

  test("a coupon and its promotion codes are valid until the coupon's redeem_by", async () => {
    const { id } = await createCoupon({ redeem_by: inHours(2) })
    const { id: code } = await createCode(id)
    pass(1)
    assert.deepEqual([await isValid(id), await isActive(code)], [true, true])
    pass(1)
    assert.deepEqual([await isActive(code), await isValid(id)], [false, false])
    assert.equal((await stripe.coupons.list()).data[0]?.valid, false)
  })

  test("a promotion code expires at its expires_at, without affecting its coupon and the coupon's other codes", async () => {
    const { id } = await createCoupon()
    await createCode(id, { code: 'SHORT', expires_at: inHours(1) })
    await createCode(id, { code: 'LONG', expires_at: inHours(9) })
    await createCode(id, { code: 'ENDLESS' })
    pass(1)
    assert.deepEqual([await listedActive(true), await listedActive(false)], [['ENDLESS', 'LONG'], ['SHORT']])
    assert.equal(await isValid(id), true)
  })

  test('the text of an expired promotion code can be used for another code', async () => {
    const { id } = await createCoupon()
    const first = await createCode(id, { code: 'SPRING', expires_at: inHours(1) })
    await assert.rejects(createCode(id, { code: 'spring' }), { code: 'resource_already_exists' })
    pass(1)
    const second = await createCode(id, { code: 'spring' })
    assert.deepEqual([await isActive(first.id), await isActive(second.id)], [false, true])
  })

  test('an expired promotion code, or one of an expired coupon, cannot be reactivated but can be edited', async () => {
    const endless = await createCoupon()
    const ending = await createCoupon({ redeem_by: inHours(1) })
    const codes = [await createCode(endless.id, { expires_at: inHours(1) }), await createCode(ending.id)]
    for (const { id } of codes) await stripe.promotionCodes.update(id, { active: false })
    for (const { id } of codes)
      assert.equal((await stripe.promotionCodes.update(id, { active: true })).active, true)
    pass(1)
    for (const { id } of codes) {
      await assert.rejects(stripe.promotionCodes.update(id, { active: true }), {
        param: 'active',
        statusCode: 400,
      })
      const kept = await stripe.promotionCodes.update(id, { metadata: { seen: 'yes' } })
      assert.deepEqual([kept.active, kept.metadata], [false, { seen: 'yes' }])
    }
  })

  test('a promotion code and a coupon become inactive with their last redemption and cannot be activated again', async () => {
    const { id: product } = await stripe.products.create({ name: 'Plant' })
    const { id: price } = await stripe.prices.create({ product, unit_amount: 1000, currency: 'usd' })
    const { id: coupon } = await createCoupon({ max_redemptions: 2, redeem_by: inHours(9) })
    const once = await createCode(coupon, { max_redemptions: 1, code: 'ONCE' })
    const often = await createCode(coupon, { code: 'OFTEN' })
    const buyWith = async (promotionCode: string) => {
      const { url } = await stripe.checkout.sessions.create({
        mode: 'payment',
        line_items: [{ price }],
        discounts: [{ promotion_code: promotionCode }],
        success_url: 'http://app.test/',
      })
      await world.submit(url ?? '', ['pay', 'yes'], { email: 'ada@example.test' })
    }
    await buyWith(once.id)
    assert.deepEqual(
      [await isActive(once.id), await isActive(often.id), await isValid(coupon)],
      [false, true, true],
    )
    await assert.rejects(stripe.promotionCodes.update(once.id, { active: true }), { param: 'active' })
    await buyWith(often.id)
    assert.deepEqual([await isActive(often.id), await isValid(coupon)], [false, false])
    const message = 'This code has been redeemed too often.'
    for (const { id } of [once, often])
      await assert.rejects(buyWith(id), { statusCode: 400, param: 'discounts', message })
  })

  test('a promotion code is refused at the checkout from its expires_at on, and no charge is made', async () => {
    const { id: product } = await stripe.products.create({ name: 'Plant' })
    const { id: price } = await stripe.prices.create({ product, unit_amount: 1000, currency: 'usd' })
    const { id } = await createCoupon()
    await createCode(id, { code: 'SPRING', expires_at: inHours(2) })
    const { url } = await stripe.checkout.sessions.create({
      mode: 'payment',
      line_items: [{ price }],
      allow_promotion_codes: true,
      success_url: 'http://app.test/',
    })
    const pay = () => world.submit(url ?? '', ['pay', 'yes'], { email: 'ada@example.test', code: 'spring' })
    pass(2)
    const refused = await pay()
    assert.equal(refused.status, 400)
    assert.match(await refused.text(), /<p role="alert">This code is invalid\.<\/p>/)
    assert.deepEqual((await stripe.charges.list()).data, [])
  })
})
