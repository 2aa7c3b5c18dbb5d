import * as z from 'zod'
import { callStripe, findStripe, listStripe, type StripeAccess } from './client.ts'
import { StripeError } from './errors.ts'

export const PRICE_INTERVALS = ['day', 'week', 'month', 'year'] as const
export type Interval = (typeof PRICE_INTERVALS)[number]

export interface DesiredProduct {
  id: string
  projectId: string
  name: string
  /** The amount in the smallest unit of the currency. */
  amount: number
  currency: string
  interval: Interval | null
  active: boolean
}

const Price = z.object({
  id: z.string(),
  unit_amount: z.int().nullable(),
  currency: z.string(),
  recurring: z.object({ interval: z.enum(PRICE_INTERVALS) }).nullable(),
  active: z.boolean(),
  metadata: z.record(z.string(), z.string()),
})
type StripePrice = z.output<typeof Price>

const Product = z.object({
  id: z.string(),
  name: z.string(),
  active: z.boolean(),
  created: z.int(),
  default_price: Price.nullable(),
  metadata: z.record(z.string(), z.string()),
})
export type StripeProduct = z.output<typeof Product>

const productPath = (id: string) => `/products/${encodeURIComponent(id)}`
const WITH_DEFAULT_PRICE = { expand: ['default_price'] }

const findProduct = (access: StripeAccess, id: string): Promise<StripeProduct | null> =>
  findStripe(access, {
    method: 'GET',
    path: productPath(id),
    form: WITH_DEFAULT_PRICE,
    result: Product,
    doing: 'read a product',
  })

/** Returns the products with these ids. A product that does not exist is left out. */
export async function listProducts(access: StripeAccess, ids: readonly string[]): Promise<StripeProduct[]> {
  if (ids.length === 0) return []
  const form = { ids: [...ids], limit: 100, expand: ['data.default_price'] }
  const result = z.object({ data: z.array(Product) })
  const page = await callStripe(access, {
    method: 'GET',
    path: '/products',
    form,
    result,
    doing: 'list products',
  })
  return page.data
}

/**
 * Makes a product with its price, or changes the product to `desired`. A changed price is a new price at Stripe; the old price can no
 * longer be bought. Idempotent: a call after an interrupted call archives the old price.
 */
export async function putProduct(access: StripeAccess, desired: DesiredProduct): Promise<StripeProduct> {
  const known = await findProduct(access, desired.id)
  if (known === null) return await createProduct(access, desired)
  const price = known.default_price
  await archiveReplaced(access, price)
  const isPriced =
    price !== null &&
    price.unit_amount === desired.amount &&
    price.currency === desired.currency &&
    (price.recurring?.interval ?? null) === desired.interval
  if (isPriced && known.active === desired.active && known.name === desired.name) return known
  const next = isPriced ? price : await createPrice(access, desired, price)
  const changed = await callStripe(access, {
    method: 'POST',
    path: productPath(desired.id),
    form: { name: desired.name, active: desired.active, default_price: next.id, ...WITH_DEFAULT_PRICE },
    result: Product,
    doing: 'change products',
    write: { action: desired.active ? 'product.changed' : 'product.archived', target: desired.name },
  })
  if (!isPriced && price !== null) await archivePrice(access, price.id)
  return changed
}

const priceForm = ({ amount, currency, interval }: DesiredProduct) => ({
  unit_amount: amount,
  currency,
  ...(interval !== null && { recurring: { interval } }),
})

/** Makes product and price in one call, so that no product exists without a price. */
const createProduct = (access: StripeAccess, desired: DesiredProduct): Promise<StripeProduct> =>
  callStripe(access, {
    method: 'POST',
    path: '/products',
    form: {
      id: desired.id,
      name: desired.name,
      active: desired.active,
      metadata: { project: desired.projectId },
      default_price_data: priceForm(desired),
      ...WITH_DEFAULT_PRICE,
    },
    result: Product,
    doing: 'create products',
    write: { action: 'product.created', target: desired.name },
  })

const createPrice = (access: StripeAccess, desired: DesiredProduct, replaced: StripePrice | null) =>
  callStripe(access, {
    method: 'POST',
    path: '/prices',
    form: {
      product: desired.id,
      metadata: { project: desired.projectId, ...(replaced !== null && { replaces: replaced.id }) },
      ...priceForm(desired),
    },
    result: Price,
    doing: 'create prices',
    write: { action: 'price.created', target: desired.name },
  })

const pricePath = (id: string) => `/prices/${encodeURIComponent(id)}`

/** Archives the price that `price` has replaced, if an interrupted call has left the old price on sale. */
async function archiveReplaced(access: StripeAccess, price: StripePrice | null): Promise<void> {
  const id = price?.metadata['replaces']
  if (id === undefined) return
  const call = { method: 'GET', path: pricePath(id), result: Price, doing: 'read prices' } as const
  if ((await findStripe(access, call))?.active === true) await archivePrice(access, id)
}

async function archivePrice(access: StripeAccess, id: string): Promise<void> {
  await callStripe(access, {
    method: 'POST',
    path: pricePath(id),
    form: { active: false },
    result: z.object({ id: z.string() }),
    doing: 'change prices',
    write: { action: 'price.archived', target: id },
  })
}

export interface DesiredPromotionCode {
  id: string
  projectId: string
  code: string
  percentOff: number | null
  amountOff: number | null
  currency: string | null
  duration: 'once' | 'forever'
  maxRedemptions: number | null
  active: boolean
}

const PromotionCode = z.object({
  id: z.string(),
  code: z.string(),
  active: z.boolean(),
  times_redeemed: z.int(),
  promotion: z.object({ coupon: z.string() }),
  metadata: z.record(z.string(), z.string()),
})
export type PromotionCode = z.output<typeof PromotionCode>

/** Returns the codes of a project that can still be redeemed (`active`), or the codes that are archived or used up. */
export async function listCodes(
  access: StripeAccess,
  projectId: string,
  active: boolean,
): Promise<PromotionCode[]> {
  const call = { path: '/promotion_codes', form: { active }, item: PromotionCode, doing: 'list codes' }
  return (await listStripe(access, call)).filter(({ metadata }) => metadata['project'] === projectId)
}

/** Returns a code, active or not. `id` is the id of its coupon. */
export async function findCode(access: StripeAccess, id: string): Promise<PromotionCode | undefined> {
  const call = { path: '/promotion_codes', form: { coupon: id }, item: PromotionCode, doing: 'list codes' }
  return (await listStripe(access, call))[0]
}

/** Makes a code with its discount, or archives it. Idempotent. Earlier redemptions keep their discount. */
export async function putCode(access: StripeAccess, desired: DesiredPromotionCode): Promise<void> {
  const known = await findCode(access, desired.id)
  if (known === undefined && desired.active) {
    await createCoupon(access, desired)
    await createCode(access, desired)
  } else if (known !== undefined && known.active && !desired.active) {
    await callStripe(access, {
      method: 'POST',
      path: `/promotion_codes/${encodeURIComponent(known.id)}`,
      form: { active: false },
      result: PromotionCode,
      doing: 'change codes',
      write: { action: 'code.archived', target: desired.code },
    })
  }
}

async function createCoupon(access: StripeAccess, desired: DesiredPromotionCode): Promise<void> {
  try {
    await callStripe(access, {
      method: 'POST',
      path: '/coupons',
      form: {
        id: desired.id,
        duration: desired.duration,
        metadata: { project: desired.projectId },
        percent_off: desired.percentOff ?? undefined,
        amount_off: desired.amountOff ?? undefined,
        currency: desired.currency ?? undefined,
      },
      result: z.object({ id: z.string() }),
      doing: 'create coupons',
      write: { action: 'coupon.created', target: desired.code },
    })
  } catch (error) {
    // An earlier attempt created the coupon and ended before it created the code. `putCode` creates the code next.
    if (error instanceof StripeError && error.code === 'resource_already_exists') return
    throw error
  }
}

const createCode = (access: StripeAccess, desired: DesiredPromotionCode): Promise<PromotionCode> =>
  callStripe(access, {
    method: 'POST',
    path: '/promotion_codes',
    form: {
      promotion: { type: 'coupon', coupon: desired.id },
      code: desired.code,
      max_redemptions: desired.maxRedemptions ?? undefined,
      metadata: { project: desired.projectId },
    },
    result: PromotionCode,
    doing: 'create codes',
    write: { action: 'code.created', target: desired.code },
  })
