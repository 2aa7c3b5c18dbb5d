import type { MessageDump } from '../kernel/messages.ts'
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
  /** Equal wishes within an hour share one session. */
  price: string
  /** The body of the call to Stripe. Stored, because a retry must send the same. */
  form: string
}

/** The change that an event of Stripe makes to one order. */
export type Change =
  | {
      what: 'paid'
      order: string
      /** Needed for an order that is not known here. */
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
  /** The order was sent to Stripe; the money comes later or not at all. */
  | { what: 'failed'; order: string }
  | {
      what: 'subscription'
      order: string
      subscription: string
      /** The number of the read from Stripe: an older one changes nothing. */
      look: number
      status: string
      isGranted: boolean
      /** Null: no end is known. For an overdue one the store decides it. */
      untilAt: string | null
    }
  /** An invoice of a subscription: its first payment or a renewal. */
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

export type Grant = Entitlement & { mode: PayMode }

export interface PersonGrants {
  user: string
  /** Grows with every change. */
  rev: number
  grants: Grant[]
}

/** As it is stored. It moves in the same form. */
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
  /** HMAC of the payment's id, by which a refund finds the order, also after its person was erased. */
  payment: string | null
  subscription: string | null
  sub_status: string | null
  session: string | null
  price: string | null
  form: string | null
  url: string | null
  /** Numbers of the reads of the subscription: the last one begun, and the last one applied. */
  look: number
  seen: number
}

export interface PersonAtStripe {
  subscriptions: { id: string; mode: PayMode }[]
  /** Sessions that may still be paid. */
  sessions: { id: string; mode: PayMode }[]
}

/** For a move: the orders of one person, or those without a person. */
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
   * Returns the form to send for this wish, or the address that an equal one got. Throws `conflict` for a product that the person
   * has.
   */
  begin: { ask: CheckoutOrder; answer: { id: string; form: string; url: string | null } }
  opened: { ask: { id: string; session: string; url: string }; answer: void }
  /** For an order that Stripe has refused. */
  drop: { ask: { id: string }; answer: void }
  customer: {
    ask: { user: string; mode: PayMode }
    answer: { customer: string | null; hadSubscription: boolean }
  }
  forgetCustomer: { ask: { user: string; mode: PayMode }; answer: void }
  status: { ask: { id: string; user: string }; answer: OrderRow['status'] | null }
  /** Whether an event was applied, and what the object of its person has to know. */
  seen: { ask: { event: string }; answer: { isSeen: boolean; told: PersonGrants | null } }
  /** Counted before the read of a subscription begins, so that a slower, older read changes nothing. */
  look: { ask: { order: string }; answer: number }
  /** Applies all changes of an event, once. */
  settle: { ask: { event: string; mode: PayMode; changes: Change[] }; answer: PersonGrants | null }
  list: { ask: { limit: number; withTest: boolean }; answer: OrderList }
  entitlements: { ask: { limit: number; withTest: boolean }; answer: ListedEntitlement[] }
  atStripe: { ask: { user: string }; answer: PersonAtStripe }
  count: {
    ask: { user: string }
    answer: { entitlements: number; subscriptions: number; paidOrders: number }
  }
  strip: { ask: { user: string }; answer: void }
  /** Makes jobs that wait for the app due at once. */
  resume: { ask: null; answer: void }
  dump: { ask: null; answer: { people: Record<string, OrderDump>; pay: PayDump } | null }
  restore: { ask: { user: string | null; dump: OrderDump }; answer: PersonGrants | null }
  restorePay: { ask: PayDump; answer: void }
}

/** Calls of the object of a person. */
export interface GrantCalls {
  /** Also entitlements that have ended. */
  read: { ask: null; answer: Grant[] }
  take: { ask: PersonGrants; answer: void }
}
