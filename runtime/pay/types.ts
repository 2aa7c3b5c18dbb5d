import type { ResultMethod } from '../kernel/calls.ts'

export type PayMode = 'live' | 'test'

export type OrderKind = 'once' | 'subscription'

/** What the app sells. `amount` is in the smallest unit of the currency. */
export interface Product {
  id: string
  name: string
  amount: number
  currency: string
  /** How often a subscription is paid; null: paid once. */
  interval: 'day' | 'week' | 'month' | 'year' | null
}

/** A product that a person may use now. */
export interface Entitlement {
  productId: string
  kind: OrderKind
  /** ISO 8601. */
  since: string
  /** When access ends unless another payment comes; null: never. */
  until: string | null
}

/** The argument of `server/jobs/paid.ts`, once for each order and each renewal. */
export interface PaidEvent {
  orderId: string
  /** Null: the account was erased meanwhile. */
  userId: string | null
  productId: string
  kind: OrderKind
  /** In the smallest unit of the currency. */
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

/** The sums are over all orders, not only over those listed. */
export interface OrderList {
  items: ListedOrder[]
  rollup: { orders: number; paid: number; revenue: Record<string, number> }
}

export type ListedEntitlement = Entitlement & { userId: string }

/** Calls of the app's worker. The objects find out whose session it is. */
export interface PayCalls {
  checkout: {
    ask: { session: string; productId: string; code: string | null; origin: string }
    answer: { url: string }
  }
  portal: { ask: { session: string; origin: string }; answer: { url: string } }
  entitlements: { ask: { session: string }; answer: Entitlement[] }
  entitled: { ask: { userId: string; productId: string }; answer: boolean }
  products: { ask: null; answer: Product[] }
  /** Returns the page for a browser that comes back from Stripe. Grants nothing. */
  returned: { ask: { session: string; orderId: string }; answer: { path: string } }
  webhook: { ask: { signature: string; bytes: ArrayBuffer }; answer: null }
}

/** For the app's worker. Methods are added, never changed: older releases call them. */
export interface PayBinding {
  pay: ResultMethod<PayCalls>
}
