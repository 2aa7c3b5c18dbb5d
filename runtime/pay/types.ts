import type { ResultMethod } from '../kernel/objects/calls.ts'

declare module '../kernel/objects/calls.ts' {
  interface LiveBindings {
    pay: PayBinding
  }
}

export type PayMode = 'live' | 'test'

export type OrderKind = 'once' | 'subscription'

/** A product that the app sells. `amount` is in the smallest unit of the currency. */
export interface Product {
  id: string
  name: string
  amount: number
  currency: string
  /** How often a subscription is charged; null for a one-time payment. */
  interval: 'day' | 'week' | 'month' | 'year' | null
}

/** A product that a person may use now. */
export interface Entitlement {
  productId: string
  kind: OrderKind
  /** An ISO 8601 timestamp. */
  since: string
  /** When access ends without a further payment; null when it never does. */
  until: string | null
}

/** The argument of `server/jobs/paid.ts`, which is run once for each order and each renewal. */
export interface PaidEvent {
  orderId: string
  /** Null when the account has been erased since. */
  userId: string | null
  productId: string
  kind: OrderKind
  /** The amount in the smallest unit of the currency. */
  amount: number
  currency: string
  paidAt: string
  isRenewal: boolean
}

export interface ListedOrder {
  id: string
  userId: string | null
  productId: string
  amount: number
  currency: string
  status: 'open' | 'paid' | 'failed' | 'refunded'
  code: string | null
  mode: PayMode
  createdAt: string
  paidAt: string | null
  refundedAmount: number
}

/** The sums cover all orders, not only the listed ones. */
export interface OrderList {
  items: ListedOrder[]
  rollup: { orders: number; paid: number; revenue: Record<string, number> }
}

export type ListedEntitlement = Entitlement & { userId: string }

/** RPC calls about payments. The live worker identifies the person by the session. */
export interface PayCalls {
  /** The handler validates `productId` and `code`, which come unchecked from a request. */
  checkout: {
    ask: { session: string; productId: unknown; code: unknown; origin: string }
    answer: { url: string }
  }
  portal: { ask: { session: string; origin: string }; answer: { url: string } }
  entitlements: { ask: { session: string }; answer: Entitlement[] }
  entitled: { ask: { userId: string; productId: string }; answer: boolean }
  products: { ask: null; answer: Product[] }
  /** Returns the page to open when a browser returns from Stripe. Grants nothing. */
  returned: { ask: { session: string; orderId: string }; answer: { path: string } }
  webhook: { ask: { signature: string; bytes: ArrayBuffer }; answer: null }
}

/**
 * The RPC methods that the app's worker calls on the live worker, which has the project's Durable Objects. Deployed older
 * releases still call them, so add methods but never change or remove one.
 */
export interface PayBinding {
  pay: ResultMethod<PayCalls>
}
