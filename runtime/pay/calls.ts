import type { MessageDump } from '../kernel/objects/messages.ts'
import type { Entitlement, ListedEntitlement, OrderKind, OrderList, PayMode } from './types.ts'

export interface CheckoutOrder {
  id: string
  user: string
  product: string
  kind: OrderKind
  mode: PayMode
  amount: number
  currency: string
  code: string | null
  /** Stripe's id of the price. Equal orders within an hour share one checkout session. */
  price: string
  /** The body of the request to Stripe. Stored, because a retry must send exactly the same body. */
  form: string
}

/** The change that a Stripe event makes to one order. */
export type OrderChange =
  | {
      what: 'paid'
      order: string
      /** The buyer. Used only to recreate the order when no order with this id is stored any more. */
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
  /** The checkout has expired, or a payment that takes days, such as a bank transfer, has failed. */
  | { what: 'failed'; order: string }
  | {
      what: 'subscription'
      order: string
      subscription: string
      /**
       * The number that `look` returned before the subscription was read from Stripe. When a later read was
       * already applied, this change is ignored.
       */
      look: number
      status: string
      isGranted: boolean
      /** Null when no end is known. For an overdue subscription the store sets the end. */
      untilAt: string | null
    }
  /** An invoice of a subscription, for its first payment or a renewal. */
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

export type PayGrant = Entitlement & { mode: PayMode }

export interface PersonGrants {
  user: string
  /** Increases with every change. */
  rev: number
  grants: PayGrant[]
}

/** An order as a table row. When an app moves to another cloud account, the row is copied unchanged. */
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
  /** The HMAC of the payment's id. A refund finds the order by this value, even after the person was erased. */
  payment: string | null
  subscription: string | null
  sub_status: string | null
  session: string | null
  price: string | null
  form: string | null
  url: string | null
  /** Sequence numbers of reads of the subscription: the last one started (`look`), and the last one applied (`seen`). */
  look: number
  seen: number
}

export interface PersonStripeIds {
  subscriptions: { id: string; mode: PayMode }[]
  /** Checkout sessions that may still be paid. */
  sessions: { id: string; mode: PayMode }[]
  /** Orders whose session Stripe may have opened, although its response has not arrived. */
  unopened: { order: string; form: string; mode: PayMode }[]
}

/** The orders of one person, or all orders without a person, to be copied to another cloud account. */
export interface OrderDump {
  orders: OrderRow[]
  customers: { mode: PayMode; customer: string }[]
}

export interface PayDump {
  key: string
  orders: OrderDump
  jobs: MessageDump | null
}

export interface OrderCalls {
  /**
   * Returns the form to send to Stripe, or the checkout address that an equal order already has. Throws `conflict` for a product that the
   * person already has.
   */
  begin: { ask: CheckoutOrder; answer: { id: string; form: string; url: string | null } }
  opened: { ask: { id: string; session: string; url: string }; answer: void }
  /** Removes an order that Stripe has rejected. */
  drop: { ask: { id: string }; answer: void }
  customer: {
    ask: { user: string; mode: PayMode }
    answer: { customer: string | null; hadSubscription: boolean }
  }
  forgetCustomer: { ask: { user: string; mode: PayMode }; answer: void }
  status: { ask: { id: string; user: string }; answer: OrderRow['status'] | null }
  /**
   * Returns whether an event was applied before (`isSeen`), and the entitlements to send to the Durable
   * Object of its person (`told`).
   */
  seen: { ask: { event: string }; answer: { isSeen: boolean; told: PersonGrants | null } }
  /** Returns the next sequence number. Called before a subscription is read, so that the result of a slower, older read is ignored. */
  look: { ask: { order: string }; answer: number }
  /** Applies all changes of an event, once per event. */
  settle: { ask: { event: string; mode: PayMode; changes: OrderChange[] }; answer: PersonGrants | null }
  list: { ask: { limit: number; withTest: boolean }; answer: OrderList }
  entitlements: { ask: { limit: number; withTest: boolean }; answer: ListedEntitlement[] }
  atStripe: { ask: { user: string }; answer: PersonStripeIds }
  count: {
    ask: { user: string }
    answer: { entitlements: number; subscriptions: number; paidOrders: number }
  }
  strip: { ask: { user: string }; answer: void }
  /** Called after the app's worker was deployed: runs due jobs now instead of at the next check for the worker. */
  resume: { ask: null; answer: void }
  dump: { ask: null; answer: { people: Record<string, OrderDump>; pay: PayDump } | null }
  restore: { ask: { user: string | null; dump: OrderDump }; answer: PersonGrants | null }
  restorePay: { ask: PayDump; answer: void }
}

/** RPC methods of the Durable Object of a person. */
export interface GrantCalls {
  /** Includes entitlements that have ended. */
  read: { ask: null; answer: PayGrant[] }
  take: { ask: PersonGrants; answer: void }
}
