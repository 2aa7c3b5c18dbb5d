import type { SyncStorage } from 'cloudflare:workers'
import { ApiError } from '../kernel/errors.ts'
import type {
  OrderChange,
  PayGrant,
  OrderDump,
  OrderRow,
  PayDump,
  PersonStripeIds,
  PersonGrants,
  CheckoutOrder,
} from './calls.ts'
import { GRACE_MS, isActiveGrant } from './grants.ts'
import { newOrderRow, OrderTable } from './table.ts'
import type { ListedEntitlement, ListedOrder, OrderList, PaidEvent, PayMode } from './types.ts'
import { DAY_MS, HOUR_MS } from '../kernel/durations.ts'

/** Within this time, an equal order reuses the same checkout session. */
const SAME_ORDER_MS = HOUR_MS
/** Stripe expires a checkout session after 24 hours. One hour more, so that no open session is missed. */
const CHECKOUT_SESSION_MS = 25 * HOUR_MS
/** Longer than the time in which Stripe repeats an event, so that every repetition is detected. */
const EVENTS_KEPT_MS = 30 * DAY_MS

export interface Payment {
  order: string
  isRenewal: boolean
}

type CustomerRow = OrderDump['customers'][number] & { user: string }

type EntitlementRow = Omit<ListedEntitlement, 'userId' | 'productId'> &
  Pick<OrderRow, 'product'> & { user: string }

interface CurrencyTotals {
  currency: string
  orders: number
  paid: number
  revenue: number
  settled: number
}

/** Subscription states in which Stripe charges nothing more. */
const ENDED_STATUSES = `('canceled', 'incomplete_expired')`

/** The orders of production or of the preview. Every method is synchronous, so each is one transaction. */
export class OrderStore {
  readonly #storage: SyncStorage
  readonly #table: OrderTable

  constructor(storage: SyncStorage) {
    this.#storage = storage
    this.#table = new OrderTable(storage)
  }

  get isThere(): boolean {
    return this.#table.isThere
  }

  order(id: string): OrderRow | null {
    return this.isThere ? (this.#table.rows('where id = ?', id)[0] ?? null) : null
  }

  /** Returns the event for the app's job; null when there is no such order. `userId` is null once the person is erased. */
  paidEvent({ order, isRenewal }: Payment): PaidEvent | null {
    const row = this.order(order)
    if (row === null) return null
    const { id, user, product, kind, amount, currency, paid_at, created_at } = row
    const paidAt = paid_at ?? created_at
    return { orderId: id, userId: user, productId: product, kind, amount, currency, paidAt, isRenewal }
  }

  /** Stores an order, or returns an equal one of the last hour. Throws `conflict` for a product that the person already has. */
  begin(order: CheckoutOrder, now: Date): { id: string; form: string; url: string | null } {
    const { id, user, product, kind, mode, amount, currency, code, price, form } = order
    this.#table.create()
    const at = now.toISOString()
    if (this.#isOwned(order, at))
      throw new ApiError('conflict', 'productId: was already bought', { field: 'productId' })
    const [same] = this.#table.rows(
      `where user = ? and product = ? and mode = ? and price = ? and code is ? and status = 'open'
       and form is not null and created_at > ? order by created_at desc limit 1`,
      user,
      product,
      mode,
      price,
      code,
      new Date(now.getTime() - SAME_ORDER_MS).toISOString(),
    )
    if (same !== undefined) return { id: same.id, form: same.form ?? form, url: same.url }
    this.#table.add({
      ...newOrderRow(id, at),
      user,
      product,
      kind,
      mode,
      amount,
      currency,
      code,
      price,
      form,
    })
    return { id, form, url: null }
  }

  /**
   * Returns whether the person already has the product. A subscription whose renewal is overdue counts, because a person with a second
   * subscription would pay for both.
   */
  #isOwned({ user, product, mode }: CheckoutOrder, at: string): boolean {
    return (
      this.#table.rows(
        `where user = ? and product = ? and mode = ? and (sub_status in ('active', 'trialing', 'past_due', 'unpaid')
         or is_granted = 1 and (until_at is null or until_at > ?)) limit 1`,
        user,
        product,
        mode,
        at,
      ).length > 0
    )
  }

  opened(id: string, session: string, url: string): void {
    this.#table.run('update pay_orders set session = ?, url = ? where id = ?', session, url, id)
  }

  drop(id: string): void {
    this.#table.run("delete from pay_orders where id = ? and status = 'open' and session is null", id)
  }

  customer(user: string, mode: PayMode): { customer: string | null; hadSubscription: boolean } {
    if (!this.isThere) return { customer: null, hadSubscription: false }
    const [row] = this.#table.run<{ customer: string }>(
      'select customer from pay_customers where user = ? and mode = ?',
      user,
      mode,
    )
    const before = "where user = ? and mode = ? and kind = 'subscription' and paid_at is not null limit 1"
    return {
      customer: row?.customer ?? null,
      hadSubscription: this.#table.rows(before, user, mode).length > 0,
    }
  }

  forgetCustomer(user: string, mode: PayMode): void {
    this.#table.run('delete from pay_customers where user = ? and mode = ?', user, mode)
  }

  /** Returns the person of an event that was applied; undefined when the event is new. */
  findEventUser(event: string): string | null | undefined {
    if (!this.isThere) return undefined
    const sql = 'select user from pay_events where id = ?'
    return this.#table.run<{ user: string | null }>(sql, event)[0]?.user
  }

  countCheck(order: string): number {
    if (!this.isThere) return 0
    const sql = 'update pay_orders set look = look + 1 where id = ? returning look'
    return this.#table.run<{ look: number }>(sql, order)[0]?.look ?? 0
  }

  /**
   * Applies an event once. `isPerson` returns whether a person still has an account. Returns the person whose entitlements may have
   * changed, and the new payments.
   */
  settle(
    { event, mode, changes }: { event: string; mode: PayMode; changes: readonly OrderChange[] },
    isPerson: (id: string) => boolean,
    now: Date,
  ): { user: string | null; paid: Payment[] } {
    return this.#storage.transactionSync(() => {
      this.#table.create()
      const known = this.findEventUser(event)
      if (known !== undefined) return { user: known, paid: [] }
      const paid: Payment[] = []
      const orders = changes.map((change) => this.#applyChange(change, mode, { isPerson, now, paid }))
      // The event belongs to another project in the same Stripe account, so store nothing.
      if (orders.every((order) => order === null)) return { user: null, paid: [] }
      const user = orders.find((order) => order !== null && order.user !== null)?.user ?? null
      if (user !== null) this.#table.set('rev', this.#table.rev + 1)
      this.#table.run('delete from pay_events where at < ?', now.getTime() - EVENTS_KEPT_MS)
      this.#table.run('insert into pay_events values (?, ?, ?)', event, user, now.getTime())
      return { user, paid }
    })
  }

  #applyChange(
    change: OrderChange,
    mode: PayMode,
    { isPerson, now, paid }: { isPerson: (id: string) => boolean; now: Date; paid: Payment[] },
  ): OrderRow | null {
    const at = now.toISOString()
    const known =
      change.what === 'refunded'
        ? this.#refundedOrder(change.order, change.payment)
        : this.order(change.order)
    switch (change.what) {
      case 'paid': {
        const { order: id, product, kind, amount, currency, customer, session, subscription } = change
        const user = change.user !== null && isPerson(change.user) ? change.user : null
        const before = known ?? { ...newOrderRow(id, at), user, product, kind, mode }
        const isFirst = before.paid_at === null
        const isRefunded = before.status === 'refunded'
        const order: OrderRow = {
          ...before,
          amount,
          currency,
          status: isRefunded ? 'refunded' : 'paid',
          paid_at: before.paid_at ?? at,
          // Only a one-time purchase grants access when it is paid. A subscription grants access by its status.
          is_granted: kind === 'once' && isFirst ? Number(!isRefunded) : before.is_granted,
          payment: this.#table.hashOf(change.payment) ?? before.payment,
          ...(before.user !== null && { subscription: subscription ?? before.subscription, session }),
          form: null,
          url: null,
        }
        this.#table.add(order)
        if (order.user !== null && customer !== null)
          this.#table.run('insert or replace into pay_customers values (?, ?, ?)', order.user, mode, customer)
        if (isFirst && !isRefunded) paid.push({ order: id, isRenewal: false })
        return order
      }
      case 'failed':
        if (known?.status !== 'open') return null
        this.#table.run(
          "update pay_orders set status = 'failed', form = null, url = null where id = ?",
          known.id,
        )
        return known
      case 'subscription': {
        if (known === null || known.user === null || change.look < known.seen) return known
        const isOverdue = change.status === 'past_due'
        const lateUntil = new Date(now.getTime() + GRACE_MS).toISOString()
        const untilAt = isOverdue
          ? known.sub_status === 'past_due'
            ? known.until_at
            : lateUntil
          : change.untilAt
        this.#table.run(
          `update pay_orders set subscription = ?, sub_status = ?, is_granted = ?, until_at = ?, seen = ? where id = ?`,
          change.subscription,
          change.status,
          Number(change.isGranted),
          untilAt,
          change.look,
          known.id,
        )
        return known
      }
      case 'billed': {
        if (known === null) return null
        const payment = this.#table.hashOf(change.payment)
        if (!change.isRenewal) {
          this.#table.run(
            'update pay_orders set payment = coalesce(payment, ?) where id = ?',
            payment,
            known.id,
          )
          return known
        }
        const id = `ord_${this.#table.hashOf(change.invoice)?.slice(0, 32)}`
        if (this.order(id) !== null) return known
        const { user, product, kind } = known
        const { amount, currency } = change
        const order = { ...newOrderRow(id, at), user, product, kind, mode, amount, currency, payment }
        this.#table.add({ ...order, status: 'paid', paid_at: at })
        paid.push({ order: id, isRenewal: true })
        return known
      }
      case 'refunded': {
        if (known === null) return null
        const refunded = Math.max(known.refunded, change.amount)
        const isOver = change.isFull || known.status === 'refunded'
        const isGranted = isOver && known.kind === 'once' ? 0 : known.is_granted
        const sql =
          'update pay_orders set refunded = ?, status = ?, is_granted = ?, form = null, url = null where id = ?'
        this.#table.run(sql, refunded, isOver ? 'refunded' : known.status, isGranted, known.id)
        return known
      }
    }
  }

  #refundedOrder(order: string | null, payment: string): OrderRow | null {
    const named = order === null ? null : this.order(order)
    return named ?? this.#table.rows('where payment = ? limit 1', this.#table.hashOf(payment))[0] ?? null
  }

  /**
   * Returns the entitlements to copy to the Durable Object of the person: one for each order that grants
   * something.
   */
  personGrants(user: string): PersonGrants {
    return { user, rev: this.#table.rev, grants: this.grantsOf(user) }
  }

  grantsOf(user: string): PayGrant[] {
    if (!this.isThere) return []
    return this.#table.rows('where user = ? and is_granted = 1 order by created_at, id', user).map((row) => ({
      productId: row.product,
      kind: row.kind,
      since: row.paid_at ?? row.created_at,
      until: row.until_at,
      mode: row.mode,
    }))
  }

  list(limit: number, withTest: boolean): OrderList {
    const rollup: OrderList['rollup'] = { orders: 0, paid: 0, revenue: {} }
    if (!this.isThere) return { items: [], rollup }
    const items = this.#table.rows(
      `${MODE_CONDITION} order by created_at desc, id desc limit ?`,
      Number(withTest),
      limit,
    )
    const sums = this.#table.run<CurrencyTotals>(
      `select currency, count(*) as orders, sum(paid_at is not null and status = 'paid') as paid,
       sum(case when paid_at is null then 0 else amount - refunded end) as revenue, count(paid_at) as settled
       from pay_orders ${MODE_CONDITION} group by currency`,
      Number(withTest),
    )
    for (const { currency, orders, paid, revenue, settled } of sums) {
      rollup.orders += orders
      rollup.paid += paid
      if (settled > 0) rollup.revenue[currency] = revenue
    }
    return { items: items.map(toListedOrder), rollup }
  }

  /** Returns one row for each person and product that they may use now, newest first. */
  entitlements(limit: number, withTest: boolean, now: Date): ListedEntitlement[] {
    if (!this.isThere) return []
    return this.#table
      .run<EntitlementRow>(
        `select user, product, min(kind) as kind, min(coalesce(paid_at, created_at)) as since,
       case when sum(until_at is null) > 0 then null else max(until_at) end as until from pay_orders ${MODE_CONDITION}
       and user is not null and is_granted = 1 and (until_at is null or until_at > ?)
       group by user, product order by since desc, user, product limit ?`,
        Number(withTest),
        now.toISOString(),
        limit,
      )
      .map(({ user, product, ...rest }) => ({ userId: user, productId: product, ...rest }))
  }

  atStripe(user: string, now: Date): PersonStripeIds {
    if (!this.isThere) return { subscriptions: [], sessions: [], unopened: [] }
    const subscriptions = this.#table.rows(
      `where user = ? and subscription is not null and coalesce(sub_status, '') not in ${ENDED_STATUSES}`,
      user,
    )
    const from = new Date(now.getTime() - CHECKOUT_SESSION_MS).toISOString()
    const open = this.#table.rows("where user = ? and status = 'open' and created_at > ?", user, from)
    return {
      subscriptions: subscriptions.map(({ subscription, mode }) => ({ id: subscription ?? '', mode })),
      sessions: open.flatMap(({ session: id, mode }) => (id === null ? [] : [{ id, mode }])),
      unopened: open.flatMap(({ id: order, session, form, mode }) =>
        session !== null || form === null ? [] : [{ order, form, mode }],
      ),
    }
  }

  count(user: string, now: Date): { entitlements: number; subscriptions: number; paidOrders: number } {
    if (!this.isThere) return { entitlements: 0, subscriptions: 0, paidOrders: 0 }
    const at = now.toISOString()
    const owned = this.grantsOf(user).filter((one) => isActiveGrant(one, at))
    return {
      entitlements: new Set(owned.map(({ productId }) => productId)).size,
      subscriptions: this.atStripe(user, now).subscriptions.length,
      paidOrders: this.#table.rows('where user = ? and paid_at is not null', user).length,
    }
  }

  strip(user: string): void {
    if (!this.isThere) return
    this.#storage.transactionSync(() => {
      this.#table.run('delete from pay_orders where user = ? and paid_at is null', user)
      this.#table.run(
        `update pay_orders set user = null, is_granted = 0, subscription = null, sub_status = null, session = null,
         code = null, form = null, url = null where user = ?`,
        user,
      )
      this.#table.run('delete from pay_customers where user = ?', user)
      this.#table.run('update pay_events set user = null where user = ?', user)
    })
  }

  dump(): { people: Record<string, OrderDump>; key: string; orders: OrderDump } | null {
    if (!this.isThere) return null
    const people: Record<string, OrderDump> = {}
    const orders: OrderDump = { orders: [], customers: [] }
    const dumpOf = (user: string | null) =>
      user === null ? orders : (people[user] ??= { orders: [], customers: [] })
    for (const row of this.#table.rows('order by id')) dumpOf(row.user).orders.push(row)
    const sql = 'select user, mode, customer from pay_customers'
    for (const { user, ...customer } of this.#table.run<CustomerRow>(sql))
      dumpOf(user).customers.push(customer)
    return { people, key: this.#table.key(), orders }
  }

  /** Stores orders unchanged. `user` is null for orders without a person. Idempotent. */
  restore(user: string | null, { orders, customers }: OrderDump): void {
    this.#storage.transactionSync(() => {
      this.#table.create()
      for (const order of orders) this.#table.add(order)
      if (user === null) return
      for (const { mode, customer } of customers)
        this.#table.run('insert or replace into pay_customers values (?, ?, ?)', user, mode, customer)
      this.#table.set('rev', this.#table.rev + 1)
    })
  }

  restoreKey({ key }: PayDump): void {
    this.#table.create()
    this.#table.set('key', key)
  }
}

const MODE_CONDITION = `where (mode = 'live' or ?)`

const toListedOrder = (row: OrderRow): ListedOrder => ({
  id: row.id,
  userId: row.user,
  productId: row.product,
  amount: row.amount,
  currency: row.currency,
  status: row.status,
  code: row.code,
  mode: row.mode,
  createdAt: row.created_at,
  paidAt: row.paid_at,
  refundedAmount: row.refunded,
})
