import { type Room, secondsNow, type Stripe } from '../context.ts'
import { listOfKind, markDeleted, findDeleted, insert, load, newStripeId, save } from '../objects.ts'
import { listPage, Paging } from '../protocol/list.ts'
import { type Operation, operation } from '../protocol/operation.ts'
import {
  valueOrPrevious,
  Created,
  isWithin,
  mergeMetadata,
  MetadataIn,
  NewMetadata,
  Removable,
  Text,
} from '../protocol/params.ts'
import type { Customer, Metadata } from '../types.ts'
import { endSubscription } from './subscriptions.ts'

const RESOURCE_TYPE = 'customer' as const

const Written = {
  description: Removable.optional(),
  email: Removable.optional(),
  metadata: MetadataIn.optional(),
  name: Removable.optional(),
}

export function createCustomer(
  stripe: Stripe,
  room: Room,
  given: {
    email: string | null
    name?: string | null
    description?: string | null
    metadata?: Metadata | null
  },
): Customer {
  return insert<'customer'>(stripe, room, {
    id: newStripeId('cus'),
    object: 'customer',
    created: secondsNow(stripe),
    description: given.description ?? null,
    email: given.email,
    livemode: room.isLive,
    metadata: given.metadata ?? {},
    name: given.name ?? null,
  })
}

export const customerOperations: Operation[] = [
  operation({
    route: 'POST /customers',
    resource: RESOURCE_TYPE,
    params: { ...Written, metadata: NewMetadata.optional() },
    act: ({ stripe, room, params }) =>
      createCustomer(stripe, room, {
        email: params.email ?? null,
        name: params.name ?? null,
        description: params.description ?? null,
        metadata: params.metadata ?? null,
      }),
  }),
  operation({
    route: 'GET /customers',
    resource: RESOURCE_TYPE,
    params: { ...Paging, created: Created, email: Text.optional() },
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
    act: ({ stripe, room, id }) =>
      findDeleted(stripe, room, 'customer', id) ?? load(stripe, room, 'customer', id),
  }),
  operation({
    route: 'POST /customers/:id',
    resource: RESOURCE_TYPE,
    params: Written,
    act: ({ stripe, room, id, params }) => {
      const customer = load(stripe, room, 'customer', id)
      return save<'customer'>(stripe, room, {
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
    act: ({ stripe, room, id, request }) => {
      load(stripe, room, 'customer', id)
      for (const one of listOfKind(stripe, room, 'subscription'))
        if (one.customer === id && one.status !== 'canceled') endSubscription({ stripe, room, request }, one)
      return markDeleted(stripe, room, 'customer', id)
    },
  }),
]
