import assert from 'node:assert/strict'
import { describe, test, after } from 'node:test'
import { testStripe } from '../../testing/stripe.ts'
import { discountAmount, discountRefusal } from './codes.ts'

const NOW_SECONDS = 1_000_000
type DiscountInput = Parameters<typeof discountRefusal>[1]
type DiscountCoupon = DiscountInput['coupon']
type DiscountCode = NonNullable<DiscountInput['promotionCode']>

const coupon = (change: Partial<DiscountCoupon> = {}): DiscountCoupon => ({
  id: 'c',
  object: 'coupon',
  amount_off: null,
  created: 1,
  currency: null,
  duration: 'once',
  duration_in_months: null,
  livemode: false,
  max_redemptions: null,
  metadata: {},
  name: null,
  percent_off: 10,
  redeem_by: null,
  times_redeemed: 0,
  valid: true,
  ...change,
})
const code = (change: Partial<DiscountCode> = {}): DiscountCode => ({
  id: 'promo',
  object: 'promotion_code',
  active: true,
  code: 'SPRING',
  created: 1,
  customer: null,
  expires_at: null,
  livemode: false,
  max_redemptions: null,
  metadata: {},
  promotion: { type: 'coupon', coupon: 'c' },
  times_redeemed: 0,
  ...change,
})

describe('discounts of the payment provider', () => {
  const world = testStripe()
  const stripe = world.client()
  after(() => world.close())

  test('a discount is refused when it is expired, used up, or for another currency or customer', () => {
    const purchase = { currency: 'usd', customer: 'cus_ada' }
    const refusalOf = (facts: DiscountInput) =>
      discountRefusal({ now: () => NOW_SECONDS * 1000 }, facts, purchase)
    const expired = 'This code has expired.'
    const usedUp = 'This code has been redeemed too often.'
    for (const [facts, refusal] of [
      [{ coupon: coupon(), promotionCode: null }, null],
      [{ coupon: coupon({ redeem_by: NOW_SECONDS + 1 }), promotionCode: null }, null],
      [{ coupon: coupon({ redeem_by: NOW_SECONDS }), promotionCode: null }, expired],
      [{ coupon: coupon({ max_redemptions: 2, times_redeemed: 1 }), promotionCode: null }, null],
      [{ coupon: coupon({ max_redemptions: 2, times_redeemed: 2 }), promotionCode: null }, usedUp],
      [{ coupon: coupon({ currency: 'usd' }), promotionCode: null }, null],
      [{ coupon: coupon({ currency: 'eur' }), promotionCode: null }, 'This code is for another currency.'],
      [{ coupon: coupon(), promotionCode: code({ expires_at: NOW_SECONDS + 1 }) }, null],
      [{ coupon: coupon(), promotionCode: code({ expires_at: NOW_SECONDS }) }, expired],
      [{ coupon: coupon(), promotionCode: code({ active: false }) }, expired],
      [{ coupon: coupon(), promotionCode: code({ customer: 'cus_ada' }) }, null],
      [
        { coupon: coupon(), promotionCode: code({ customer: 'cus_bob' }) },
        'This code is for another customer.',
      ],
      [{ coupon: coupon(), promotionCode: code({ max_redemptions: 1, times_redeemed: 1 }) }, usedUp],
    ] as const)
      assert.equal(refusalOf(facts), refusal, JSON.stringify(facts))
  })

  test('a discount is rounded to the smallest unit and is never larger than the amount', () => {
    for (const [change, amount, off] of [
      [{ percent_off: 12.5 }, 100, 13],
      [{ percent_off: 10 }, 4, 0],
      [{ percent_off: 100 }, 99, 99],
      [{ percent_off: null, amount_off: 300 }, 1000, 300],
      [{ percent_off: null, amount_off: 300 }, 299, 299],
    ] as const)
      assert.equal(discountAmount(coupon(change), amount), off, JSON.stringify(change))
    assert.equal(discountAmount(null, 100), 0)
  })

  test('a promotion code cannot be reactivated while another active code has its text, or after its coupon was deleted', async () => {
    const { id } = await stripe.coupons.create({ percent_off: 10 })
    const createCode = () =>
      stripe.promotionCodes.create({ code: 'WINTER', promotion: { type: 'coupon', coupon: id } })
    const setActive = (codeId: string, active: boolean) => stripe.promotionCodes.update(codeId, { active })
    const first = await createCode()
    await setActive(first.id, false)
    const second = await createCode()
    await assert.rejects(setActive(first.id, true), { statusCode: 400, code: 'resource_already_exists' })
    assert.equal((await stripe.promotionCodes.retrieve(first.id)).active, false)
    assert.equal((await setActive(second.id, true)).active, true, 'a code in force stays in force')
    await setActive(second.id, false)
    assert.equal((await setActive(first.id, true)).active, true)
    await setActive(first.id, false)
    await stripe.coupons.del(id)
    await assert.rejects(setActive(first.id, true), { code: 'resource_missing' })
  })
})
