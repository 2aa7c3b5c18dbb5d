import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { ObjectState, SyncStorage } from 'cloudflare:workers'
import { accountHandlers, userListHandlers } from '../auth/objects/objects.ts'
import { Alarms } from '../kernel/objects/alarms.ts'
import { Hold } from '../kernel/objects/hold.ts'
import type { Objects, Tier } from '../kernel/objects/objects.ts'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import { importInWorkerd } from '../kernel/objects/workerd.test.fixture.ts'
import { grantHandlers } from './grants.ts'
import type { OrderCalls } from './calls.ts'
import type { ObjectOrders } from './object.ts'
import type { UnvalidatedFields } from '../kernel/fields.ts'
import type { PaidEvent, PayCalls } from './types.ts'
import { replaceFetch } from '../testing/fetch.test.fixture.ts'

export async function importPay() {
  const [{ ObjectOrders: Orders }, { handlePay }, { endPayments }, { paySettingsOf }] = await importInWorkerd(
    () =>
      Promise.all([
        import('./object.ts'),
        import('./rpc.ts'),
        import('./end-payments.ts'),
        import('./settings.ts'),
      ]),
  )
  return { Orders, handlePay, endPayments, paySettingsOf }
}
export type Modules = Awaited<ReturnType<typeof importPay>>

export const ADA = `u_${'a'.repeat(26)}`
export const BOB = `u_${'b'.repeat(26)}`
export const ORIGIN = 'https://shop.example.test'
export const SECRET = 'whsec_of_the_live_endpoint'
export const TEST_SECRET = 'whsec_of_the_test_endpoint'
const AT = '2026-11-24T10:00:00.000Z'

interface StripeRequest {
  method: string
  path: string
  form: Record<string, string>
  once: string | null
  key: string
}

/** An in-memory Stripe with only the calls that an app makes. */
export class Stripe {
  readonly calls: StripeRequest[] = []
  readonly products = new Map<string, UnvalidatedFields>()
  readonly codes: UnvalidatedFields[] = []
  readonly sessions = new Map<string, UnvalidatedFields>()
  readonly subscriptions = new Map<string, UnvalidatedFields>()
  readonly invoices = new Map<string, UnvalidatedFields>()
  readonly #once = new Map<string, UnvalidatedFields>()
  hasPortal = true
  readonly configurations: UnvalidatedFields[] = []
  /** While set, calls whose path begins with `path` fail with `status`; 0 means no response. */
  broken: { path: string; status: number } | null = null

  product(
    id: string,
    { amount = 1200, currency = 'usd', interval = null as string | null, project = 'p1' } = {},
  ) {
    const default_price = {
      id: `price_${id}`,
      unit_amount: amount,
      currency,
      recurring: interval && { interval },
    }
    this.products.set(id, { id, name: `Product ${id}`, active: true, metadata: { project }, default_price })
  }

  readonly fetch = async (input: string, init: RequestInit): Promise<Response> => {
    const headers = init.headers as Headers
    const { pathname, searchParams } = new URL(input)
    const path = pathname.replace('/v1', '')
    const form = Object.fromEntries(new URLSearchParams((init.body as string | undefined) ?? ''))
    const once = headers.get('idempotency-key')
    const key = headers.get('authorization') ?? ''
    this.calls.push({ method: init.method ?? 'GET', path, form, once, key })
    assert.equal(headers.get('stripe-version'), '2026-10-28.endive')
    if (this.broken !== null && path.startsWith(this.broken.path)) {
      if (this.broken.status === 0) throw new TypeError('fetch failed')
      return Response.json(
        { error: { message: 'broken', param: 'customer' } },
        { status: this.broken.status },
      )
    }
    if (path === '/billing_portal/sessions' && !this.hasPortal && form['configuration'] === undefined)
      return Response.json({ error: { message: 'No configuration provided' } }, { status: 400 })
    if (once !== null && this.#once.has(once)) return Response.json(this.#once.get(once))
    const answer = this.#respond(init.method ?? 'GET', path, form, searchParams)
    if (answer === null) return Response.json({ error: { code: 'resource_missing' } }, { status: 404 })
    if (once !== null) this.#once.set(once, answer)
    return Response.json(answer)
  }

  #respond(
    method: string,
    path: string,
    form: Record<string, string>,
    query: URLSearchParams,
  ): UnvalidatedFields | null {
    const [, kind = '', id = '', , action] =
      /^\/(products|promotion_codes|checkout\/sessions|subscriptions|billing_portal\/(?:sessions|configurations)|invoices)(?:\/([^/]+))?(\/(.*))?$/.exec(
        path,
      ) ?? []
    switch (kind) {
      case 'products':
        return id === ''
          ? { data: [...this.products.values()], has_more: false }
          : (this.products.get(id) ?? null)
      case 'promotion_codes':
        return { data: this.codes.filter(({ code }) => code === query.get('code')) }
      case 'invoices':
        return this.invoices.get(id) ?? null
      case 'billing_portal/configurations': {
        if (method === 'GET') return { data: this.configurations }
        const made = {
          id: `bpc_${this.configurations.length + 1}`,
          metadata: { project: form['metadata[project]'] },
        }
        this.configurations.push(made)
        return made
      }
      case 'billing_portal/sessions':
        return { url: `https://billing.stripe.test/${form['customer']}` }
      case 'subscriptions': {
        const found = this.subscriptions.get(id)
        if (method === 'DELETE') return this.subscriptions.delete(id) ? { id } : null
        return found ?? null
      }
      default: {
        if (id === '') {
          const made = {
            id: `cs_${this.sessions.size + 1}`,
            url: `https://checkout.stripe.test/${this.sessions.size + 1}`,
          }
          this.sessions.set(made.id, { ...made, form })
          return made
        }
        if (action === 'expire') return this.sessions.delete(id) ? { id } : null
        return this.sessions.get(id) ?? null
      }
    }
  }

  get opened(): StripeRequest {
    const call = this.calls.findLast(({ method, path }) => method === 'POST' && path === '/checkout/sessions')
    assert.ok(call)
    return call
  }
}

interface Directory {
  storage: SyncStorage
  hold: Hold
  users: ReturnType<typeof userListHandlers>
  orders: ObjectOrders
  work: Promise<unknown>[]
}

interface Delivery {
  secret?: string
  atMs?: number
  tier?: Tier
  tamper?: (text: string) => string
}

/** An app with two people. The storage of its objects survives a restart of the workers. */
export class Shop {
  readonly stripe = new Stripe()
  readonly env: Record<string, unknown> = {
    STRIPE_KEY: 'sk_live_one',
    STRIPE_TEST_KEY: 'sk_test_one',
    STRIPE_WEBHOOK_SECRET: SECRET,
    STRIPE_TEST_WEBHOOK_SECRET: TEST_SECRET,
    PAY_PROJECT: 'p1',
    PAY_SUCCESS_PATH: '/thanks',
    PAY_TRIAL_DAYS: '0',
  }
  readonly jobs: PaidEvent[] = []
  /** How many times the app's job fails before it succeeds. */
  jobFailures = 0
  /** While true, the next call to a person's Durable Object is interrupted. */
  isCut = false
  readonly sessions = new Map<string, string>()
  readonly #modules: Modules
  readonly #directories = new Map<Tier, Directory>()
  readonly #storages = new Map<string, ReturnType<typeof memoryStorage>>()
  #events = 0

  constructor(modules: Modules) {
    this.#modules = modules
    replaceFetch(this.stripe.fetch)
    for (const [id, email] of [
      [ADA, 'ada@example.test'],
      [BOB, 'bob@example.test'],
    ] as const) {
      const user = { email, emailVerified: true, name: 'A person', role: 'member' as const, createdAt: AT }
      for (const tier of ['production', 'preview'] as const) {
        const users = this.directory(tier).users
        users.reserve({ id, ...user })
        users.activate({ id })
        this.account(tier, id).create({ ...user, password: null })
      }
      const { sessionId, secret } = this.account('production', id).open({ device: 'desk', days: 300 })
      this.sessions.set(id, `${id}.${sessionId}.${secret}`)
      const preview = this.account('preview', id).open({ device: 'desk', days: 300 })
      this.sessions.set(`preview ${id}`, `${id}.${preview.sessionId}.${preview.secret}`)
    }
  }

  directory(tier: Tier): Directory {
    const known = this.#directories.get(tier)
    if (known !== undefined) return known
    const storage = { ...memoryStorage(), setAlarm: async () => {}, deleteAll: async () => {} }
    const hold = new Hold(storage)
    const users = userListHandlers(storage, hold)
    const work: Promise<unknown>[] = []
    const ctx = {
      storage,
      waitUntil: (one: Promise<unknown>) => void work.push(one),
    } as unknown as ObjectState
    const runPaidJob = async (event: PaidEvent) => {
      if (this.jobFailures > 0) {
        this.jobFailures -= 1
        return { ok: false, error: 'not now' }
      }
      this.jobs.push(event)
      return { ok: true }
    }
    const env = { ...this.env, APP: { paid: runPaidJob }, APP_PREVIEW: { paid: runPaidJob } }
    const parts = { ctx, env, tier, hold, alarms: new Alarms(storage) }
    const orders: ObjectOrders = new this.#modules.Orders(parts, (id) => users.find({ id }) !== null)
    const made = { storage, hold, users, orders, work }
    this.#directories.set(tier, made)
    return made
  }

  account(tier: Tier, id: string) {
    return accountHandlers(this.storageOf(tier, id))
  }

  storageOf(tier: Tier, id: string) {
    const name = `${tier} ${id}`
    const storage = this.#storages.get(name) ?? memoryStorage()
    this.#storages.set(name, storage)
    return storage
  }

  get objects(): Objects {
    const stubOf = (name: string) => {
      const tier: Tier = name.startsWith('pv:') ? 'preview' : 'production'
      const own = name.replace('pv:', '')
      if (own === 'dir') {
        const { orders } = this.directory(tier)
        return { orders: async (kind: keyof OrderCalls, ask: never) => orders.answer(kind, ask) }
      }
      const id = own.replace('data:', '')
      const account = this.account(tier, id) as unknown as Record<string, (ask: unknown) => unknown>
      const grants = grantHandlers(this.storageOf(tier, id), () => account['read']?.(null) !== null)
      return {
        account: async (kind: string, ask: unknown) => account[kind]?.(ask),
        grants: async (kind: 'read' | 'take', ask: never) => {
          if (kind === 'take' && this.isCut) {
            this.isCut = false
            throw new Error('the worker ended')
          }
          return grants[kind](ask)
        },
      }
    }
    return { getByName: stubOf } as unknown as Objects
  }

  async ask<Kind extends keyof PayCalls>(kind: Kind, ask: PayCalls[Kind]['ask'], tier: Tier = 'production') {
    const answer = await this.#modules.handlePay({ objects: this.objects, tier, env: this.env }, kind, ask)
    if (answer.ok) return answer.value
    throw Object.assign(new Error(answer.error.message), answer.error)
  }

  checkout(
    productId: string,
    {
      user = ADA,
      code = null,
      tier = 'production',
    }: { user?: string; code?: string | null; tier?: Tier } = {},
  ) {
    const session = this.sessions.get(tier === 'preview' ? `preview ${user}` : user) ?? ''
    return this.ask('checkout', { session, productId, code, origin: ORIGIN }, tier)
  }

  owned(user = ADA, tier: Tier = 'production') {
    const session = this.sessions.get(tier === 'preview' ? `preview ${user}` : user) ?? ''
    return this.ask('entitlements', { session }, tier)
  }

  async ownedIds(user = ADA, tier: Tier = 'production') {
    return (await this.owned(user, tier)).map(({ productId }) => productId)
  }

  orders(tier: Tier = 'production', withTest = tier === 'preview') {
    const answer = this.directory(tier).orders.answer('list', { limit: 100, withTest })
    assert.ok(answer.ok)
    return answer.value
  }

  event(type: string, object: object, id = `evt_${++this.#events}`) {
    return { id, type, data: { object } }
  }

  async deliver(
    event: object,
    { secret = SECRET, atMs = Date.now(), tier = 'production', tamper = (text) => text }: Delivery = {},
  ) {
    const text = JSON.stringify(event)
    const seconds = Math.floor(atMs / 1000)
    const v1 = createHmac('sha256', secret).update(`${seconds}.${text}`).digest('hex')
    const bytes = new TextEncoder().encode(tamper(text)).buffer
    await this.ask('webhook', { signature: `t=${seconds},v1=${v1}`, bytes }, tier)
  }

  get metadata(): Record<string, string> {
    const { form } = this.stripe.opened
    return Object.fromEntries(
      ['project', 'tier', 'product', 'order'].map((name) => [name, form[`metadata[${name}]`] ?? '']),
    )
  }

  completed(more: object = {}) {
    const { form } = this.stripe.opened
    return this.event('checkout.session.completed', {
      id: `cs_${this.stripe.sessions.size}`,
      mode: form['mode'],
      payment_status: 'paid',
      amount_total: 1200,
      currency: 'usd',
      customer: 'cus_1',
      payment_intent: form['mode'] === 'payment' ? 'pi_1' : null,
      subscription: form['mode'] === 'payment' ? null : 'sub_1',
      client_reference_id: form['client_reference_id'],
      metadata: this.metadata,
      ...more,
    })
  }

  refunded(more: object = {}, metadata: object = this.metadata) {
    const charge = { payment_intent: 'pi_1', amount_refunded: 1200, refunded: true, metadata, ...more }
    return this.event('charge.refunded', charge)
  }

  disputed(status: string) {
    return this.event('charge.dispute.closed', { payment_intent: 'pi_1', amount: 1200, status, metadata: {} })
  }

  endPayments(user: string) {
    const { endPayments, paySettingsOf } = this.#modules
    return endPayments(this.objects, paySettingsOf(this.env), { tier: 'production', user })
  }

  /** Runs the alarm and waits for the work it starts. */
  async wake(tier: Tier = 'production') {
    const { orders, work } = this.directory(tier)
    orders.wake()
    await Promise.all(work.splice(0))
  }
}
