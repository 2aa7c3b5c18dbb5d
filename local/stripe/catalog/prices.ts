import * as z from 'zod'
import { invalidParameterError, secondsNow } from '../context.ts'
import { listObjects, findObject, insertObject, newStripeId, loadObject, saveObject } from '../objects.ts'
import { listPage, Paging } from '../protocol/list.ts'
import { type StripeCall, type Operation, operation } from '../protocol/operation.ts'
import {
  valueOrPrevious,
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
import type { Price } from '../types.ts'

const RESOURCE_TYPE = 'plan' as const

/** The longest billing period, three years, in intervals of each kind. */
const INTERVALS_MAX = { day: 1095, week: 156, month: 36, year: 3 }

const Interval = z.enum(['day', 'week', 'month', 'year'])
const UsageType = z.literal('licensed')

// Without these limits, a renewal could be due at the same time as the previous renewal, and the renewal loop would never end.
const Recurring = z
  .strictObject({
    interval: Interval,
    interval_count: Int.optional(),
    usage_type: UsageType.optional(),
    trial_period_days: Int.optional(),
  })
  .refine(({ interval, interval_count: count = 1 }) => count >= 1 && count <= INTERVALS_MAX[interval], {
    path: ['interval_count'],
    message: 'A billing period has at least one interval and at most three years',
  })

const priceFields = {
  currency: Currency,
  metadata: NewMetadata.optional(),
  recurring: Recurring.optional(),
  tax_behavior: Text.optional(),
  unit_amount: Int,
}
/** A price that is created together with its product. */
export const PriceData = z.strictObject(priceFields)
/** An empty string removes the lookup key of a price. */
const LookupKey = z
  .string()
  .max(200)
  .transform((text) => (text === '' ? null : text))
const lookupFields = { lookup_key: LookupKey.optional(), transfer_lookup_key: Flag.optional() }
const NewPrice = {
  ...priceFields,
  ...lookupFields,
  active: Flag.optional(),
  nickname: Text.optional(),
  product: Text,
}

/**
 * Frees a lookup key, which is unique, for a price. Throws the provider's error when another price has the key, unless the call transfers
 * the key.
 */
function freeLookupKey(
  { stripe, account }: Pick<StripeCall<unknown>, 'stripe' | 'account'>,
  { lookup_key: key, transfer_lookup_key: isTransferred }: z.output<z.ZodObject<typeof lookupFields>>,
  ownId: string | null,
): void {
  if (key === undefined || key === null) return
  const holder = listObjects(stripe, account, 'price').find(
    (one) => one.lookup_key === key && one.id !== ownId,
  )
  if (holder === undefined) return
  if (isTransferred !== true)
    throw invalidParameterError(`A price (\`${holder.id}\`) already uses that lookup key.`, 'lookup_key')
  saveObject<'price'>(stripe, account, { ...holder, lookup_key: null })
}

/** Creates a price. Its amount and interval never change. */
export function createPrice(
  { stripe, account }: Pick<StripeCall<unknown>, 'stripe' | 'account' | 'request'>,
  params: z.output<z.ZodObject<typeof NewPrice>>,
): Price {
  if (findObject(stripe, account, 'product', params.product) === null)
    throw invalidParameterError(`No such product: '${params.product}'`, 'product', 'resource_missing')
  if (params.unit_amount < 0)
    throw invalidParameterError(
      'This value must be greater than or equal to 0.',
      'unit_amount',
      'parameter_invalid_integer',
    )
  freeLookupKey({ stripe, account }, params, null)
  const { recurring } = params
  return insertObject<'price'>(stripe, account, {
    id: newStripeId('price'),
    object: 'price',
    active: params.active ?? true,
    billing_scheme: 'per_unit',
    created: secondsNow(stripe),
    currency: params.currency,
    livemode: account.isLive,
    lookup_key: params.lookup_key ?? null,
    metadata: params.metadata ?? {},
    nickname: params.nickname ?? null,
    product: params.product,
    recurring:
      recurring === undefined
        ? null
        : {
            interval: recurring.interval,
            interval_count: recurring.interval_count ?? 1,
            meter: null,
            usage_type: 'licensed',
          },
    type: recurring === undefined ? 'one_time' : 'recurring',
    unit_amount: params.unit_amount,
    unit_amount_decimal: String(params.unit_amount),
  })
}

export const priceOperations: Operation[] = [
  operation({
    route: 'POST /prices',
    resource: RESOURCE_TYPE,
    params: NewPrice,
    act: (call) => createPrice(call, call.params),
  }),
  operation({
    route: 'GET /prices',
    resource: RESOURCE_TYPE,
    params: {
      ...Paging,
      active: Flag.optional(),
      created: CreatedRange,
      currency: Currency.optional(),
      lookup_keys: z.array(Text).max(10).optional(),
      product: Text.optional(),
      recurring: z
        .strictObject({ interval: Interval.optional(), usage_type: UsageType.optional() })
        .optional(),
      type: z.enum(['one_time', 'recurring']).optional(),
    },
    act: (call) => {
      const { active, created, currency, lookup_keys: keys, product, recurring, type } = call.params
      return listPage(
        call,
        'price',
        '/v1/prices',
        (price) =>
          (active === undefined || price.active === active) &&
          (currency === undefined || price.currency === currency) &&
          (product === undefined || price.product === product) &&
          (type === undefined || price.type === type) &&
          (keys === undefined || keys.some((key) => key === price.lookup_key)) &&
          (recurring === undefined || price.recurring !== null) &&
          (recurring?.interval === undefined || recurring.interval === price.recurring?.interval) &&
          isWithin(price.created, created),
      )
    },
  }),
  operation({
    route: 'GET /prices/:id',
    resource: RESOURCE_TYPE,
    act: ({ stripe, account, id }) => loadObject(stripe, account, 'price', id),
  }),
  operation({
    route: 'POST /prices/:id',
    resource: RESOURCE_TYPE,
    params: {
      ...lookupFields,
      active: Flag.optional(),
      metadata: MetadataIn.optional(),
      nickname: Text.optional(),
    },
    act: ({ stripe, account, id, params }) => {
      const price = loadObject(stripe, account, 'price', id)
      const isDefault = findObject(stripe, account, 'product', price.product)?.default_price === id
      if (params.active === false && isDefault)
        throw invalidParameterError(
          "This price cannot be archived because it is the default price of its product. You can unset this as the product's default price by passing `default_price=''` to the product update endpoint.",
          'active',
        )
      freeLookupKey({ stripe, account }, params, id)
      return saveObject<'price'>(stripe, account, {
        ...price,
        lookup_key: valueOrPrevious(params.lookup_key, price.lookup_key),
        active: params.active ?? price.active,
        metadata: mergeMetadata(price.metadata, params.metadata),
        nickname: params.nickname ?? price.nickname,
      })
    },
  }),
]
