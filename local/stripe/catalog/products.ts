import * as z from 'zod'
import { invalidParameterError, secondsNow, StripeFailure } from '../context.ts'
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
  valueOrPrevious,
  CreatedRange,
  Flag,
  isWithin,
  mergeMetadata,
  MetadataIn,
  NewMetadata,
  ClearableText,
  Text,
} from '../protocol/params.ts'
import { PriceData, createPrice } from './prices.ts'

const RESOURCE_TYPE = 'product' as const

const Written = {
  active: Flag.optional(),
  description: ClearableText.optional(),
  // An empty string removes all images.
  images: z.preprocess((given) => (given === '' ? [] : given), z.array(Text)).optional(),
  metadata: MetadataIn.optional(),
  tax_code: Text.optional(),
  unit_label: Text.optional(),
  url: Text.optional(),
}

/** A product that has prices cannot be deleted, only archived. */
export const productOperations: Operation[] = [
  operation({
    route: 'POST /products',
    resource: RESOURCE_TYPE,
    params: {
      ...Written,
      id: Text.optional(),
      metadata: NewMetadata.optional(),
      name: Text,
      default_price_data: PriceData.optional(),
    },
    act: ({ stripe, account, params, request }) => {
      const id = params.id ?? newStripeId('prod')
      if (findObject(stripe, account, 'product', id) !== null)
        throw new StripeFailure(400, `Product already exists.`, {
          code: 'resource_already_exists',
          param: 'id',
        })
      const now = secondsNow(stripe)
      const product = insertObject<'product'>(stripe, account, {
        id,
        object: 'product',
        active: params.active ?? true,
        created: now,
        default_price: null,
        description: params.description ?? null,
        images: params.images ?? [],
        livemode: account.isLive,
        metadata: params.metadata ?? {},
        name: params.name,
        type: 'service',
        updated: now,
      })
      if (params.default_price_data === undefined) return product
      const price = createPrice({ stripe, account, request }, { ...params.default_price_data, product: id })
      return saveObject<'product'>(stripe, account, { ...product, default_price: price.id })
    },
  }),
  operation({
    route: 'GET /products',
    resource: RESOURCE_TYPE,
    params: { ...Paging, active: Flag.optional(), created: CreatedRange, ids: z.array(Text).optional() },
    act: (call) =>
      listPage(
        call,
        'product',
        '/v1/products',
        ({ id, active, created }) =>
          (call.params.active === undefined || active === call.params.active) &&
          (call.params.ids === undefined || call.params.ids.includes(id)) &&
          isWithin(created, call.params.created),
      ),
  }),
  operation({
    route: 'GET /products/:id',
    resource: RESOURCE_TYPE,
    act: ({ stripe, account, id }) => loadObject(stripe, account, 'product', id),
  }),
  operation({
    route: 'POST /products/:id',
    resource: RESOURCE_TYPE,
    params: { ...Written, name: Text.optional(), default_price: ClearableText.optional() },
    act: ({ stripe, account, id, params }) => {
      const product = loadObject(stripe, account, 'product', id)
      const priceId = valueOrPrevious(params.default_price, product.default_price)
      if (priceId !== null && priceId !== product.default_price) {
        const price = loadObject(stripe, account, 'price', priceId, 'default_price')
        if (price.product !== id)
          throw invalidParameterError(`The price specified belongs to another product.`, 'default_price')
        if (!price.active) throw invalidParameterError('The default price must be active.', 'default_price')
      }
      return saveObject<'product'>(stripe, account, {
        ...product,
        active: params.active ?? product.active,
        default_price: priceId,
        description: valueOrPrevious(params.description, product.description),
        images: params.images ?? product.images,
        metadata: mergeMetadata(product.metadata, params.metadata),
        name: params.name ?? product.name,
        updated: secondsNow(stripe),
      })
    },
  }),
  operation({
    route: 'DELETE /products/:id',
    resource: RESOURCE_TYPE,
    act: ({ stripe, account, id }) => {
      loadObject(stripe, account, 'product', id)
      if (listObjects(stripe, account, 'price').some(({ product }) => product === id))
        throw new StripeFailure(
          400,
          'This product cannot be deleted because it has one or more user-created prices.',
        )
      deleteObject(stripe, account, 'product', id)
      return { id, object: 'product', deleted: true }
    },
  }),
]
