import * as z from 'zod'
import { group } from '../../endpoint.ts'
import { limitParam } from '../../http/query.ts'
import { callOperator } from '../operator/call.ts'
import { operatorEndpoint } from '../operator/operator-endpoint.ts'

const LIMIT_DEFAULT = 100
const limitQuery = z.object({ limit: limitParam(1000).optional() })

const Time = z.string()

const Orders = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      userId: z.string().nullable(),
      productId: z.string(),
      amount: z.int(),
      currency: z.string(),
      status: z.enum(['open', 'paid', 'failed', 'refunded']),
      code: z.string().nullable(),
      mode: z.enum(['live', 'test']).describe('Paid with money, or with a test card.'),
      createdAt: Time,
      paidAt: Time.nullable(),
      refundedAmount: z.int(),
    }),
  ),
  rollup: z.object({ orders: z.int(), paid: z.int(), revenue: z.record(z.string(), z.int()) }),
})

const Entitlement = z.object({
  userId: z.string(),
  productId: z.string(),
  kind: z.enum(['once', 'subscription']),
  since: Time,
  until: Time.nullable().describe('When access ends unless another payment comes.'),
})

export const payRoutes = group('Capabilities', {
  listOrders: operatorEndpoint('pay', {
    route: 'GET /projects/:projectId/capabilities/pay/orders',
    scope: 'projects:read',
    summary: 'List the orders of the app, newest first, with their sums',
    description:
      'The sums count all orders, also those beyond `limit`; `revenue` is the amount paid less refunds, by currency, in its smallest unit. Orders of test mode are left out once a live key is stored.',
    query: limitQuery,
    returns: Orders,
    handle: ({ ctx, project, query }) =>
      callOperator(ctx, project, {
        tier: 'production',
        method: 'GET',
        path: `/pay/orders?limit=${query.limit ?? LIMIT_DEFAULT}`,
        result: Orders,
      }),
  }),
  listEntitlements: operatorEndpoint('pay', {
    route: 'GET /projects/:projectId/capabilities/pay/entitlements',
    scope: 'projects:read',
    summary: 'List who has bought what: one row per user and active product',
    query: limitQuery,
    returns: z.array(Entitlement),
    handle: ({ ctx, project, query }) =>
      callOperator(ctx, project, {
        tier: 'production',
        method: 'GET',
        path: `/pay/entitlements?limit=${query.limit ?? LIMIT_DEFAULT}`,
        result: z.array(Entitlement),
      }),
  }),
})
