import type { Tier } from '../kernel/objects/objects.ts'
import type { Part, PartContext } from '../kernel/objects/part.ts'
import type { Methods } from './object-types.ts'
import { callOrders } from './ask.ts'
import { endPayments } from './end-payments.ts'
import { grantHandlers } from './grants.ts'
import { countsTest, paySettingsOf } from './settings.ts'
import type { ListedEntitlement, OrderList } from './types.ts'

interface PayReads {
  /** Returns orders, newest first, and sums over all orders. */
  orders(tier: Tier, limit: number): Promise<OrderList>
  /** Returns what people may use now, newest first. */
  entitlements(tier: Tier, limit: number): Promise<ListedEntitlement[]>
}

const createOrders = async (parts: PartContext) => (await parts.load()).createOrders(parts)

const createGrants = (parts: PartContext) => grantHandlers(parts.ctx.storage, () => parts.isPerson)

export const part: Part<Methods, object, PayReads> = {
  methods: {
    orders: (parts) => async (kind, ask) => (await parts.once(createOrders)).answer(kind, ask),
    grants: (parts) => async (kind, ask) => parts.once(createGrants)[kind](ask),
  },
  reads: {
    orders: (at) => (tier, limit) => {
      const withTest = countsTest(paySettingsOf(at.env), tier)
      return callOrders(at.objects, tier, 'list', { limit, withTest })
    },
    entitlements: (at) => (tier, limit) => {
      const withTest = countsTest(paySettingsOf(at.env), tier)
      return callOrders(at.objects, tier, 'entitlements', { limit, withTest })
    },
  },
  erasure: {
    count: async ({ objects, tier, userId: user }) => {
      const { entitlements, subscriptions, paidOrders } = await callOrders(objects, tier, 'count', { user })
      return { removed: { entitlements, subscriptionsCancelled: subscriptions }, kept: { paidOrders } }
    },
    // Payments end first, because without an account the person could no longer cancel a subscription.
    begin: ({ objects, tier, env, userId: user }) => endPayments(objects, paySettingsOf(env), { tier, user }),
    forget: ({ objects, tier, userId: user }) => callOrders(objects, tier, 'strip', { user }),
  },
  wake: { directory: { paid: async (parts) => (await parts.once(createOrders)).wake() } },
}
