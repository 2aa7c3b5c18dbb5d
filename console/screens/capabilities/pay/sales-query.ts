import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type { ListEntitlementsResponses, ListOrdersResponses } from '@slipway/sdk/client/types.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../../../api/query-keys.ts'
import { call } from '../../../api/request/client.ts'
import { productsQuery } from './query.ts'

export type Orders = ListOrdersResponses[200]['data']
export type Entitlement = ListEntitlementsResponses[200]['data'][number]

/** The most orders that the service returns at once. */
export const SALES_MAX = 1000

/** The orders of the live app, newest first, with sums over all of them. */
export const ordersQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.live(projectId, 'pay', 'orders'),
    queryFn: ({ signal }) =>
      call(api.listOrders({ path: { projectId }, query: { limit: SALES_MAX }, signal })),
  })

export const entitlementsQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.live(projectId, 'pay', 'entitlements'),
    queryFn: ({ signal }) =>
      call(api.listEntitlements({ path: { projectId }, query: { limit: SALES_MAX }, signal })),
  })

export const productNamesQuery = (projectId: string) =>
  queryOptions({
    ...productsQuery(projectId),
    select: (products) => new Map(products.map(({ id, name }) => [id, name])),
  })
