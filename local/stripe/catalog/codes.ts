import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import {
  invalidParameterError,
  type StripeAccount,
  secondsNow,
  type Stripe,
  StripeFailure,
} from '../context.ts'
import {
  listObjects,
  deleteObject,
  findObject,
  insertObject,
  newStripeId,
  loadObject,
  saveObject,
} from '../objects.ts'
import { listPage, Paging } from '../protocol/list.ts'
import { type Operation, operation } from '../protocol/operation.ts'
import {
  CreatedRange,
  Currency,
  Flag,
  Int,
  isWithin,
  mergeMetadata,
  MetadataIn,
  NewMetadata,
  Text,
} from '../protocol/params.ts'
import type { Coupon, PromotionCode } from '../types.ts'

const Percent = z
  .string()
  .regex(/^\d{1,3}(?:\.\d{1,2})?$/, 'Invalid decimal')
  .transform(Number)

/**
 * A coupon cannot be archived, only deleted. Existing invoices keep their discount. Unlike at the provider,
 * later invoices of a subscription do not get the discount of a deleted coupon.
 */
export const couponOperations: Operation[] = [
  operation({
    route: 'POST /coupons',
    resource: 'coupon',
    params: {
      amount_off: Int.optional(),
      currency: Currency.optional(),
      duration: z.enum(['once', 'forever', 'repeating']).optional(),
      duration_in_months: Int.optional(),
      id: Text.optional(),
      max_redemptions: Int.optional(),
      metadata: NewMetadata.optional(),
      name: z.string().max(40).optional(),
      percent_off: Percent.optional(),
      redeem_by: Int.optional(),
    },
    act: ({ stripe, account, params }) => {
      const { amount_off: amount, percent_off: percent, id = newStripeId('cpn').slice(4, 12) } = params
      if ((amount === undefined) === (percent === undefined))
        throw invalidParameterError(
          'You must pass exactly one of `percent_off` or `amount_off`.',
          'percent_off',
        )
      if (percent !== undefined && (percent <= 0 || percent > 100))
        throw invalidParameterError('Invalid percent_off: must be between 0 and 100', 'percent_off')
      if (amount !== undefined && (amount <= 0 || params.currency === undefined))
        throw invalidParameterError(
          'You must pass currency when passing amount_off.',
          'currency',
          'parameter_missing',
        )
      if (params.duration === 'repeating' && !((params.duration_in_months ?? 0) > 0))
        throw invalidParameterError(
          'You must pass duration_in_months when passing duration=repeating.',
          'duration_in_months',
          'parameter_missing',
        )
      if (findObject(stripe, account, 'coupon', id) !== null)
        throw new StripeFailure(400, 'Coupon already exists.', {
          code: 'resource_already_exists',
          param: 'id',
        })
      return insertObject<'coupon'>(stripe, account, {
        id,
        object: 'coupon',
        amount_off: amount ?? null,
        created: secondsNow(stripe),
        currency: amount === undefined ? null : (params.currency ?? null),
        duration: params.duration ?? 'once',
        duration_in_months: params.duration_in_months ?? null,
        livemode: account.isLive,
        max_redemptions: params.max_redemptions ?? null,
        metadata: params.metadata ?? {},
        name: params.name ?? null,
        percent_off: percent ?? null,
        redeem_by: params.redeem_by ?? null,
        times_redeemed: 0,
        valid: true,
      })
    },
  }),
  operation({
    route: 'GET /coupons',
    resource: 'coupon',
    params: { ...Paging, created: CreatedRange },
    act: (call) => {
      endPastCodes(call.stripe, call.account)
      return listPage(call, 'coupon', '/v1/coupons', ({ created }) => isWithin(created, call.params.created))
    },
  }),
  operation({
    route: 'GET /coupons/:id',
    resource: 'coupon',
    act: ({ stripe, account, id }) => {
      endPastCodes(stripe, account)
      return loadObject(stripe, account, 'coupon', id)
    },
  }),
  operation({
    route: 'DELETE /coupons/:id',
    resource: 'coupon',
    act: ({ stripe, account, id }) => {
      loadObject(stripe, account, 'coupon', id)
      deleteObject(stripe, account, 'coupon', id)
      return { id, object: 'coupon', deleted: true }
    },
  }),
]

const Promotion = z.strictObject({ type: z.literal('coupon'), coupon: Text })

/** Codes that customers enter. No two active codes have the same text. */
export const promotionCodeOperations: Operation[] = [
  operation({
    route: 'POST /promotion_codes',
    resource: 'promotion_code',
    params: {
      active: Flag.optional(),
      code: z
        .string()
        .regex(/^[A-Za-z0-9-]{1,500}$/, 'Codes contain letters, digits and dashes')
        .optional(),
      customer: Text.optional(),
      expires_at: Int.optional(),
      max_redemptions: Int.optional(),
      metadata: NewMetadata.optional(),
      promotion: Promotion,
    },
    act: ({ stripe, account, params }) => {
      loadObject(stripe, account, 'coupon', params.promotion.coupon, 'promotion[coupon]')
      const code = params.code ?? randomBytes(4).toString('hex').toUpperCase()
      requireFreeText(stripe, account, code)
      return insertObject<'promotion_code'>(stripe, account, {
        id: newStripeId('promo'),
        object: 'promotion_code',
        active: params.active ?? true,
        code,
        created: secondsNow(stripe),
        customer: params.customer ?? null,
        expires_at: params.expires_at ?? null,
        livemode: account.isLive,
        max_redemptions: params.max_redemptions ?? null,
        metadata: params.metadata ?? {},
        promotion: params.promotion,
        times_redeemed: 0,
      })
    },
  }),
  operation({
    route: 'GET /promotion_codes',
    resource: 'promotion_code',
    params: {
      ...Paging,
      active: Flag.optional(),
      code: Text.optional(),
      coupon: Text.optional(),
      created: CreatedRange,
    },
    act: (call) => {
      const { active, code, coupon, created } = call.params
      endPastCodes(call.stripe, call.account)
      return listPage(
        call,
        'promotion_code',
        '/v1/promotion_codes',
        (one) =>
          (active === undefined || one.active === active) &&
          (code === undefined || isSameCode(one.code, code)) &&
          (coupon === undefined || one.promotion.coupon === coupon) &&
          isWithin(one.created, created),
      )
    },
  }),
  operation({
    route: 'GET /promotion_codes/:id',
    resource: 'promotion_code',
    act: ({ stripe, account, id }) => {
      endPastCodes(stripe, account)
      return loadObject(stripe, account, 'promotion_code', id)
    },
  }),
  operation({
    route: 'POST /promotion_codes/:id',
    resource: 'promotion_code',
    params: { active: Flag.optional(), metadata: MetadataIn.optional() },
    act: ({ stripe, account, id, params }) => {
      endPastCodes(stripe, account)
      const code = loadObject(stripe, account, 'promotion_code', id)
      if (params.active === true && !code.active) {
        const coupon = loadObject(stripe, account, 'coupon', code.promotion.coupon, 'promotion[coupon]')
        if (!coupon.valid || isPast(stripe, code.expires_at) || isUsedUp(code))
          throw invalidParameterError(
            'This promotion code can no longer be redeemed, so it cannot be activated.',
            'active',
          )
        requireFreeText(stripe, account, code.code)
      }
      return saveObject<'promotion_code'>(stripe, account, {
        ...code,
        active: params.active ?? code.active,
        metadata: mergeMetadata(code.metadata, params.metadata),
      })
    },
  }),
]

/** Throws the provider's error when an active code has the text `code`. */
function requireFreeText(stripe: Stripe, account: StripeAccount, code: string): void {
  if (findCode(stripe, account, code) === null) return
  throw new StripeFailure(400, 'An active promotion code with `code: ' + code + '` already exists.', {
    code: 'resource_already_exists',
    param: 'code',
  })
}

const isSameCode = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Returns the active code with this text, in any case; null when there is none. */
export function findCode(stripe: Stripe, account: StripeAccount, text: string): PromotionCode | null {
  endPastCodes(stripe, account)
  return (
    listObjects(stripe, account, 'promotion_code').find(
      ({ active, code }) => active && isSameCode(code, text),
    ) ?? null
  )
}

const isUsedUp = (one: Coupon | PromotionCode): boolean =>
  one.max_redemptions !== null && one.times_redeemed >= one.max_redemptions

const isPast = (stripe: Pick<Stripe, 'now'>, at: number | null): boolean =>
  at !== null && at <= secondsNow(stripe)

/**
 * Ends the coupons and codes whose time has passed. As at the provider, a code is active only while it can be redeemed, so its text is free
 * afterwards. Called before coupons and codes are read, because no timer runs at their expiry.
 */
function endPastCodes(stripe: Stripe, account: StripeAccount): void {
  for (const coupon of listObjects(stripe, account, 'coupon'))
    if (coupon.valid && isPast(stripe, coupon.redeem_by))
      saveObject<'coupon'>(stripe, account, { ...coupon, valid: false })
  for (const code of listObjects(stripe, account, 'promotion_code')) {
    if (!code.active) continue
    const isCouponValid = findObject(stripe, account, 'coupon', code.promotion.coupon)?.valid === true
    if (!isCouponValid || isPast(stripe, code.expires_at))
      saveObject<'promotion_code'>(stripe, account, { ...code, active: false })
  }
}

/** A coupon, with the code that the customer entered for it, if any. */
export interface Discount {
  coupon: Coupon
  promotionCode: PromotionCode | null
}

/** Returns an error message when the discount cannot be redeemed now for this purchase; else null. */
export function discountRefusal(
  stripe: Pick<Stripe, 'now'>,
  { coupon, promotionCode }: Discount,
  { currency, customer }: { currency: string; customer: string | null },
): string | null {
  // Check this first, because a used-up code is also inactive.
  if (isUsedUp(coupon) || (promotionCode !== null && isUsedUp(promotionCode)))
    return 'This code has been redeemed too often.'
  const isOver = promotionCode !== null && (!promotionCode.active || isPast(stripe, promotionCode.expires_at))
  if (isOver || isPast(stripe, coupon.redeem_by)) return 'This code has expired.'
  if (promotionCode !== null && promotionCode.customer !== null && promotionCode.customer !== customer)
    return 'This code is for another customer.'
  if (coupon.currency !== null && coupon.currency !== currency) return 'This code is for another currency.'
  return null
}

/** Counts one redemption of the coupon and of its code. */
export function redeem(stripe: Stripe, account: StripeAccount, { coupon, promotionCode }: Discount): void {
  const times_redeemed = coupon.times_redeemed + 1
  const valid = coupon.max_redemptions === null || times_redeemed < coupon.max_redemptions
  saveObject<'coupon'>(stripe, account, { ...coupon, times_redeemed, valid })
  if (promotionCode === null) return
  const redeemed = promotionCode.times_redeemed + 1
  const active = promotionCode.max_redemptions === null || redeemed < promotionCode.max_redemptions
  saveObject<'promotion_code'>(stripe, account, { ...promotionCode, times_redeemed: redeemed, active })
}

/** Returns the discount in the smallest unit of the currency, never more than the amount. */
export function discountAmount(coupon: Coupon | null, amount: number): number {
  if (coupon === null) return 0
  const off = coupon.amount_off ?? Math.round((amount * (coupon.percent_off ?? 0)) / 100)
  return Math.min(amount, off)
}
