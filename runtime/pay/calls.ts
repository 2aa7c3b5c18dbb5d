import type { MessageDump } from '../kernel/messages.ts'
import type { Entitlement, ListedEntitlement, OrderKind, OrderList, PayMode } from './types.ts'

/** A checkout that a person begins. */
export interface CheckoutOrder {
  id: string
  user: string
  product: string
  kind: OrderKind
  mode: PayMode
  amount: number
  currency: string
  code: string | null
  /** Equal wishes of an hour share one session. */
  price: string
  /** What Stripe is sent. Kept, because a repeated call must send the same. */
  form: string
}

/** What an event of Stripe changes of one order. */
export type Change =
  | {
      what: 'paid'
      order: string
      /** For an order of which nothing is known here. */
      user: string | null
      product: string
      kind: OrderKind
      amount: number
      currency: string
      customer: string | null
      payment: string | null
      subscription: string | null
      session: string
    }
  /** Sent to Stripe, and the money comes later or not at all. */
  | { what: 'failed'; order: string }
  | {
      what: 'subscription'
      order: string
      subscription: string
      /** Which look at Stripe this is: an older one changes nothing. */
      look: number
      status: string
      isGranted: boolean
      /** Null: no end is known. Of one that is overdue the store decides it. */
      untilAt: string | null
    }
  /** An invoice of a subscription: the payment of its first order, or a renewal. */
  | {
      what: 'billed'
      order: string
      invoice: string
      isRenewal: boolean
      amount: number
      currency: string
      payment: string | null
    }
  | { what: 'refunded'; order: string | null; payment: string; amount: number; isFull: boolean }

/** An entitlement with the mode that it was paid in. */
export type Grant = Entitlement & { mode: PayMode }

/** What the object of a person has to know. */
export interface PersonGrants {
  user: string
  /** Grows with every change. */
  rev: number
  grants: Grant[]
}

/** An order as it is stored and as it moves with the project. */
export interface OrderRow {
  id: string
  user: string | null
  product: string
  kind: OrderKind
  mode: PayMode
  status: 'open' | 'paid' | 'failed' | 'refunded'
  amount: number
  currency: string
  code: string | null
  created_at: string
  paid_at: string | null
  refunded: number
  is_granted: number
  until_at: string | null
  /** HMAC of the payment's id: a refund finds the order by it, also when the person is erased. */
  payment: string | null
  subscription: string | null
  sub_status: string | null
  session: string | null
  price: string | null
  form: string | null
  url: string | null
  /** Looks at the subscription that were begun, and the latest one that was applied. */
  look: number
  seen: number
}

/** What belongs to a person at Stripe, for an erasure. */
export interface PersonAtStripe {
  subscriptions: { id: string; mode: PayMode }[]
  /** Sessions that may still be paid. */
  sessions: { id: string; mode: PayMode }[]
}

/** The orders of one person, or those without a person, on their way to another account. */
export interface OrderDump {
  orders: OrderRow[]
  customers: { mode: PayMode; customer: string }[]
}

/** What else the directory has of payments. */
export interface PayDump {
  /** The key of the HMACs. */
  key: string
  orders: OrderDump
  jobs: MessageDump | null
}

/** Calls of the directory about orders. */
export interface OrderCalls {
  /** Returns what is sent for this order, or where the same one already leads. Throws `conflict` for what is owned. */
  begin: { ask: CheckoutOrder; answer: { id: string; form: string; url: string | null } }
  opened: { ask: { id: string; session: string; url: string }; answer: void }
  /** Removes an order that Stripe has refused. */
  drop: { ask: { id: string }; answer: void }
  customer: {
    ask: { user: string; mode: PayMode }
    answer: { customer: string | null; hadSubscription: boolean }
  }
  forgetCustomer: { ask: { user: string; mode: PayMode }; answer: void }
  status: { ask: { id: string; user: string }; answer: OrderRow['status'] | null }
  /** Whether an event was applied, and what its person's object has to know. */
  seen: { ask: { event: string }; answer: { isSeen: boolean; told: PersonGrants | null } }
  /** Counts a look at a subscription before it begins. */
  look: { ask: { order: string }; answer: number }
  /** Applies an event of Stripe whole, once. */
  settle: { ask: { event: string; mode: PayMode; changes: Change[] }; answer: PersonGrants | null }
  list: { ask: { limit: number; withTest: boolean }; answer: OrderList }
  entitlements: { ask: { limit: number; withTest: boolean }; answer: ListedEntitlement[] }
  atStripe: { ask: { user: string }; answer: PersonAtStripe }
  count: {
    ask: { user: string }
    answer: { entitlements: number; subscriptions: number; paidOrders: number }
  }
  /** Takes a person out of their orders. */
  strip: { ask: { user: string }; answer: void }
  /** Tries at once what waits for the app. */
  resume: { ask: null; answer: void }
  dump: { ask: null; answer: { people: Record<string, OrderDump>; pay: PayDump } | null }
  restore: { ask: { user: string | null; dump: OrderDump }; answer: PersonGrants | null }
  restorePay: { ask: PayDump; answer: void }
}

/** Calls of the object of a person. */
export interface GrantCalls {
  /** Returns everything, also what has ended. */
  read: { ask: null; answer: Grant[] }
  take: { ask: PersonGrants; answer: void }
}
