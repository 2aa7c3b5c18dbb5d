import type { SyncStorage } from 'cloudflare:workers'
import type { OrderRow } from './calls.ts'
import { hmac, newSecret } from '../kernel/secrets.ts'

export const newOrderRow = (id: string, at: string): OrderRow => ({
  id,
  user: null,
  product: '',
  kind: 'once',
  mode: 'test',
  status: 'open',
  amount: 0,
  currency: '',
  code: null,
  created_at: at,
  paid_at: null,
  refunded: 0,
  is_granted: 0,
  until_at: null,
  payment: null,
  subscription: null,
  sub_status: null,
  session: null,
  price: null,
  form: null,
  url: null,
  look: 0,
  seen: 0,
})

// An order has a field for each column.
const ORDER_COLUMNS = Object.keys(newOrderRow('', '')) as (keyof OrderRow)[]

export class OrderTable {
  readonly #storage: SyncStorage

  constructor(storage: SyncStorage) {
    this.#storage = storage
  }

  run<Row = unknown>(sql: string, ...values: unknown[]): Row[] {
    return this.#storage.sql.exec<Row>(sql, ...values).toArray()
  }

  rows(where: string, ...values: unknown[]): OrderRow[] {
    return this.run<OrderRow>(`select ${ORDER_COLUMNS.join(', ')} from pay_orders ${where}`, ...values)
  }

  // Not cached, because a transaction that created the tables may be rolled back.
  get isThere(): boolean {
    return this.run("select 1 from sqlite_master where name = 'pay_events'").length > 0
  }

  create(): void {
    if (this.isThere) return
    this.run(`create table pay_orders (id text primary key, user text, product text not null, kind text not null,
      mode text not null, status text not null, amount integer not null, currency text not null, code text,
      created_at text not null, paid_at text, refunded integer not null, is_granted integer not null, until_at text,
      payment text, subscription text, sub_status text, session text, price text, form text, url text,
      look integer not null, seen integer not null) without rowid`)
    for (const name of ['user', 'payment', 'created_at'])
      this.run(`create index pay_orders_${name} on pay_orders (${name})`)
    this.run(`create table pay_customers (user text not null, mode text not null, customer text not null,
      primary key (user, mode)) without rowid`)
    this.run('create table pay_meta (key text primary key, value) without rowid')
    this.run('create table pay_events (id text primary key, user text, at integer not null) without rowid')
  }

  add(order: OrderRow): void {
    const marks = ORDER_COLUMNS.map(() => '?').join(', ')
    const sql = `insert or replace into pay_orders (${ORDER_COLUMNS.join(', ')}) values (${marks})`
    this.run(sql, ...ORDER_COLUMNS.map((name) => order[name]))
  }

  get rev(): number {
    return Number(
      this.run<{ value: string | number }>("select value from pay_meta where key = 'rev'")[0]?.value ?? 0,
    )
  }

  set(key: string, value: string | number): void {
    this.run('insert or replace into pay_meta values (?, ?)', key, value)
  }

  /** Returns the HMAC of a Stripe id, so that an order can be found by the id without storing it. */
  hashOf(id: string | null): string | null {
    if (id === null) return null
    return hmac(this.key(), id).toString('hex')
  }

  key(): string {
    const stored = this.run<{ value: string }>("select value from pay_meta where key = 'key'")[0]?.value
    if (typeof stored === 'string') return stored
    const made = newSecret()
    this.set('key', made)
    return made
  }
}
