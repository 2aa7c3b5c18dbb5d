import * as z from 'zod'
import { endpoint, group } from '../../http/endpoint.ts'
import { limitParam } from '../../http/query.ts'
import { refuseUnbuilt } from '../operator/unbuilt.ts'

const limited = z.object({ limit: limitParam(1000).optional() })

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
  until: Time.nullable(),
})

export const payRoutes = group('Capabilities', {
  listOrders: endpoint({
    route: 'GET /projects/:projectId/capabilities/pay/orders',
    scope: 'projects:read',
    summary: 'The orders of the app, newest first, with their sums',
    query: limited,
    returns: Orders,
    fails: ['not_enabled'],
    handle: ({ ctx, params }) => refuseUnbuilt(ctx, params, 'pay'),
  }),
  listEntitlements: endpoint({
    route: 'GET /projects/:projectId/capabilities/pay/entitlements',
    scope: 'projects:read',
    summary: 'Who has bought what, one row per user and product in force',
    query: limited,
    returns: z.array(Entitlement),
    fails: ['not_enabled'],
    handle: ({ ctx, params }) => refuseUnbuilt(ctx, params, 'pay'),
  }),
})
