import { type StripeAccount, secondsNow, type Stripe } from '../context.ts'
import {
  listObjects,
  markDeleted,
  findDeleted,
  insertObject,
  loadObject,
  newStripeId,
  saveObject,
} from '../objects.ts'
import { listPage, Paging } from '../protocol/list.ts'
import { type Operation, operation } from '../protocol/operation.ts'
import {
  valueOrPrevious,
  CreatedRange,
  isWithin,
  mergeMetadata,
  MetadataIn,
  NewMetadata,
  ClearableText,
  Text,
} from '../protocol/params.ts'
import type { Customer, Metadata } from '../types.ts'
import { endSubscription } from './subscriptions.ts'

const RESOURCE_TYPE = 'customer' as const

const Written = {
  description: ClearableText.optional(),
  email: ClearableText.optional(),
  metadata: MetadataIn.optional(),
  name: ClearableText.optional(),
}

export function createCustomer(
  stripe: Stripe,
  account: StripeAccount,
  given: {
    email: string | null
    name?: string | null
    description?: string | null
    metadata?: Metadata | null
  },
): Customer {
  return insertObject<'customer'>(stripe, account, {
    id: newStripeId('cus'),
    object: 'customer',
    created: secondsNow(stripe),
    description: given.description ?? null,
    email: given.email,
    livemode: account.isLive,
    metadata: given.metadata ?? {},
    name: given.name ?? null,
  })
}

export const customerOperations: Operation[] = [
  operation({
    route: 'POST /customers',
    resource: RESOURCE_TYPE,
    params: { ...Written, metadata: NewMetadata.optional() },
    act: ({ stripe, account, params }) =>
      createCustomer(stripe, account, {
        email: params.email ?? null,
        name: params.name ?? null,
        description: params.description ?? null,
        metadata: params.metadata ?? null,
      }),
  }),
  operation({
    route: 'GET /customers',
    resource: RESOURCE_TYPE,
    params: { ...Paging, created: CreatedRange, email: Text.optional() },
    act: (call) =>
      listPage(
        call,
        'customer',
        '/v1/customers',
        ({ email, created }) =>
          (call.params.email === undefined || email === call.params.email) &&
          isWithin(created, call.params.created),
      ),
  }),
  operation({
    route: 'GET /customers/:id',
    resource: RESOURCE_TYPE,
    act: ({ stripe, account, id }) =>
      findDeleted(stripe, account, 'customer', id) ?? loadObject(stripe, account, 'customer', id),
  }),
  operation({
    route: 'POST /customers/:id',
    resource: RESOURCE_TYPE,
    params: Written,
    act: ({ stripe, account, id, params }) => {
      const customer = loadObject(stripe, account, 'customer', id)
      return saveObject<'customer'>(stripe, account, {
        ...customer,
        description: valueOrPrevious(params.description, customer.description),
        email: valueOrPrevious(params.email, customer.email),
        metadata: mergeMetadata(customer.metadata, params.metadata),
        name: valueOrPrevious(params.name, customer.name),
      })
    },
  }),
  operation({
    route: 'DELETE /customers/:id',
    resource: RESOURCE_TYPE,
    act: ({ stripe, account, id, request }) => {
      loadObject(stripe, account, 'customer', id)
      for (const one of listObjects(stripe, account, 'subscription'))
        if (one.customer === id && one.status !== 'canceled')
          endSubscription({ stripe, account, request }, one)
      return markDeleted(stripe, account, 'customer', id)
    },
  }),
]
