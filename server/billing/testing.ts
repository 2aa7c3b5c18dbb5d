import assert from 'node:assert/strict'
import { Stripe } from 'stripe'
import type { Config } from '../config.ts'
import type { Client, TestApp } from '../testing/app.ts'

const WEBHOOK = 'POST /api/v1/billing/webhook'

export interface BillingRead {
  plan: string
  managed: boolean
  projects: { used: number; limit: number | null }
  liveProjects: { used: number; limit: number | null }
  builds: { used: number; limit: number | null }
  renewsAt: string | null
  subscription: { plan: string; endsAt: string | null; overdue: { keptUntil: string } | null } | null
}

let accounts = 0

/**
 * The service operator's account at the Stripe stand-in, with a price for each plan. Its methods use Stripe's
 * own client library.
 */
export class BillingAccount {
  readonly stripe: Stripe
  readonly config: { key: string; webhookSecret: string; prices: { starter: string[]; pro: string[] } }
  #app: TestApp | null = null

  private constructor(stripe: Stripe, key: string) {
    this.stripe = stripe
    this.config = { key, webhookSecret: 'whsec_test', prices: { starter: [], pro: [] } }
  }

  /** Creates an account with its prices at the stand-in. `config` then has the settings of a service that sells these plans. */
  static async open(restUrl: string): Promise<BillingAccount> {
    const key = `sk_test_local_operator${process.pid}n${(accounts += 1)}`
    const stripe = new Stripe(key, { host: '127.0.0.1', port: new URL(restUrl).port, protocol: 'http' })
    const account = new BillingAccount(stripe, key)
    for (const [plan, amount] of [
      ['starter', 2000],
      ['pro', 9000],
    ] as const) {
      const product = await stripe.products.create({ name: `Slipway ${plan}` })
      const price = { product: product.id, unit_amount: amount, currency: 'usd' }
      const { id } = await stripe.prices.create({ ...price, recurring: { interval: 'month' } })
      account.config.prices[plan].push(id)
    }
    return account
  }

  settings(restUrl: string): Partial<Config> {
    const stripe = { real: 'http://127.0.0.1:9/v1', local: `${restUrl}/v1` }
    return { billing: this.config, stripe, defaultPlan: 'free' }
  }

  for(app: TestApp): void {
    this.#app = app
  }

  async pay(url: string, card = '4242424242424242'): Promise<void> {
    const body = new URLSearchParams({ pay: 'yes', card, email: 'ada@example.com' })
    const answer = await fetch(url, { method: 'POST', body, redirect: 'manual' })
    assert.equal(answer.status, 303, await answer.text())
  }

  async press(url: string, button: string, card?: string): Promise<void> {
    const shown = await (await fetch(url)).text()
    const [, subscription = ''] = /name="subscription" value="([^"]+)"/.exec(shown) ?? []
    const body = new URLSearchParams({ do: button, subscription, ...(card !== undefined && { card }) })
    const answer = await fetch(url, { method: 'POST', body, redirect: 'manual' })
    assert.equal(answer.status, 303)
  }

  /** Returns the events of a customer, oldest first. */
  async events(customer: string): Promise<Stripe.Event[]> {
    const { data } = await this.stripe.events.list({ limit: 100 })
    return data
      .filter(({ data: { object } }) => (object as { customer?: string }).customer === customer)
      .toReversed()
  }

  /** Signs and sends an event as Stripe would. Returns the status of the response. */
  async deliver(event: object, { secret = this.config.webhookSecret, ageSeconds = 0 } = {}): Promise<number> {
    assert.ok(this.#app)
    const payload = JSON.stringify(event)
    const timestamp = Math.floor(this.#app.clock.now().getTime() / 1000) - ageSeconds
    const signature = this.stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
    const headers = { 'stripe-signature': signature, 'content-type': 'application/json' }
    return (await this.#app.request(WEBHOOK, { headers, body: payload })).status
  }

  async customerOf(person: Client): Promise<string> {
    assert.ok(this.#app)
    const row = await this.#app.platform.db
      .selectFrom('billing_customers')
      .select('customer_id')
      .where('org_id', '=', person.organizationId)
      .executeTakeFirstOrThrow()
    return row.customer_id
  }
}

export const read = async (person: Client): Promise<BillingRead> =>
  (await person.call<BillingRead>('GET /billing')).data
