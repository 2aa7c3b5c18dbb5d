import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type LocalWorld, startLocalWorld } from '../process/local-world.ts'
import { until } from '../releases/testing.ts'
import { type Client, type TestApp, testApp } from '../testing/app.ts'
import { silentLog } from '../testing/database.ts'
import { findStored } from '../testing/stored.ts'
import { expireCheckouts } from '../stripe/subscriptions.ts'
import { syncStaleSubscriptions } from './sync-stale-subscriptions.ts'
import { syncSubscriptionJob } from './sync-subscription.ts'
import { openBilling } from './provider.ts'
import { BillingAccount, read } from './testing.ts'
import { leaves } from '../testing/effects.ts'

const CHECKOUT = 'POST /billing/checkout'
const PORTAL = 'POST /billing/portal'

/** Jobs are stored and not run, so that a test can see what a request stores. */
describe('the billing of a service', () => {
  let dataDir: string
  let world: LocalWorld
  let account: BillingAccount
  let app: TestApp
  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'slipway-billing-'))
    world = await startLocalWorld({ dataDir, port: 0, appsPort: 0, control: true, log: silentLog })
    account = await BillingAccount.open(world.restUrl)
    app = await testApp(account.settings(world.restUrl))
    account.for(app)
  })
  after(async () => {
    await app?.close()
    await world?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const failStripe = (match: object, effect: object | null) =>
    fetch(`${world.restUrl}/_control/faults`, {
      method: effect === null ? 'DELETE' : 'POST',
      headers: { authorization: `Bearer ${world.controlToken}` },
      ...(effect !== null && {
        body: JSON.stringify({ match: { provider: 'stripe', ...match }, do: effect }),
      }),
    })
  /** Pays for a plan. Returns the event of the new subscription, which is not delivered yet. */
  const payForPlan = async (person: Client) => {
    await account.pay((await person.call<{ url: string }>(CHECKOUT, { plan: 'pro' })).data.url)
    const events = await account.events(await account.customerOf(person))
    const event = events.find(({ type }) => type === 'customer.subscription.created')
    assert.ok(event)
    return event
  }
  const jobsOf = async (person: Client) => {
    const { rows } = await app.platform.pool.query(
      `select 1 from pgboss.job where name = 'follow-subscription' and data->>'customerId' = $1`,
      [await account.customerOf(person)],
    )
    return rows.length
  }

  test('without billing a new organization gets the Enterprise plan, and checkout and portal are refused with a reason', async (t) => {
    const own = await testApp()
    t.after(() => own.close())
    const person = await own.signUp()
    const { plan, managed, projects, builds } = await read(person)
    assert.deepEqual([plan, managed], ['enterprise', false])
    assert.deepEqual([projects, builds.limit], [{ used: 0, limit: null }, null])
    await own.platform.db
      .updateTable('organization_settings')
      .set({ plan: 'free' })
      .where('org_id', '=', person.organizationId)
      .execute()
    for (const route of [CHECKOUT, PORTAL]) {
      const refused = await person.call(route, { plan: 'pro' })
      assert.deepEqual([refused.status, refused.error?.code], [404, 'not_enabled'])
      assert.match(refused.error?.message ?? '', /the operator of this service sets them/)
    }
    assert.equal((await own.request('POST /api/v1/billing/webhook', { body: '{}' })).status, 404)
  })

  test('an API key can use no billing route, and a member can read the plan but not buy one', async () => {
    const person = await app.signUp()
    const key = await app.keyFor(person)
    for (const [route, body] of [['GET /billing'], [CHECKOUT, { plan: 'pro' }], [PORTAL, {}]] as const) {
      const refused = await key.call(route, body)
      assert.deepEqual([refused.status, refused.error?.code], [403, 'forbidden'], route)
    }
    await app.platform.db
      .updateTable('member')
      .set({ role: 'member' })
      .where('organizationId', '=', person.organizationId)
      .execute()
    assert.equal((await read(person)).plan, 'free')
    assert.equal((await person.call(CHECKOUT, { plan: 'pro' })).error?.code, 'forbidden')
    assert.equal((await person.call(PORTAL, {})).error?.code, 'forbidden')
  })

  test('checkout refuses the Free, Enterprise and unknown plans, and the customer portal opens only after the first purchase', async () => {
    leaves({ activity: { 'plan.checkout_opened': 1, 'plan.portal_opened': 2 } })
    const person = await app.signUp()
    for (const plan of ['free', 'enterprise', 'gold', null])
      assert.equal((await person.call(CHECKOUT, { plan })).error?.code, 'invalid_request')
    const early = await person.call(PORTAL, {})
    assert.deepEqual([early.status, early.error?.code], [409, 'conflict'])
    await payForPlan(person)
    assert.equal((await person.call(PORTAL, {})).status, 200)
    assert.equal((await person.call(PORTAL, {})).status, 200)
    const { data } = await account.stripe.billingPortal.configurations.list()
    assert.equal(data.length, 1)
  })

  test('simultaneous checkouts, and a checkout after the stored customer id was lost, all use one Stripe customer and update its name', async () => {
    leaves({ activity: { 'plan.checkout_opened': 5 } })
    const person = await app.signUp('Grace')
    const listCustomers = async () =>
      (await account.stripe.customers.list({ limit: 100 })).data.filter(
        ({ metadata }) => metadata['organization'] === person.organizationId,
      )
    const opened = await Promise.all([1, 2, 3].map(() => person.call(CHECKOUT, { plan: 'pro' })))
    assert.deepEqual([...new Set(opened.map(({ status }) => status))], [200])
    assert.equal((await listCustomers()).length, 1)
    // Produces the state of a service that died after Stripe's response, before it stored the row.
    const { db } = app.platform
    await db.deleteFrom('billing_customers').where('org_id', '=', person.organizationId).execute()
    await db
      .updateTable('organization')
      .set({ name: 'Grace and sons' })
      .where('id', '=', person.organizationId)
      .execute()
    await person.call(CHECKOUT, { plan: 'pro' })
    const [customer, ...more] = await listCustomers()
    assert.deepEqual([customer?.name, customer?.email, more], ['Grace and sons', person.email, []])
    // The operator may have deleted a customer in Stripe's dashboard.
    await account.stripe.customers.del(customer?.id ?? '')
    assert.equal((await person.call(CHECKOUT, { plan: 'pro' })).status, 200)
    assert.notEqual(await account.customerOf(person), customer?.id)
  })

  test('after simultaneous checkouts of one organization exactly one checkout session stays open at Stripe', async () => {
    leaves({ activity: { 'plan.checkout_opened': 5 } })
    const person = await app.signUp()
    const opened = await Promise.all([1, 2, 3, 4, 5].map(() => person.call(CHECKOUT, { plan: 'pro' })))
    assert.deepEqual([...new Set(opened.map(({ status }) => status))], [200])
    const customer = await account.customerOf(person)
    const { data } = await account.stripe.checkout.sessions.list({ customer, limit: 100 })
    const open = data.filter(({ status }) => status === 'open')
    assert.deepEqual([data.length, open.length], [5, 1])
  })

  test('simultaneous calls that expire the same open checkout all succeed', async () => {
    leaves({ activity: { 'plan.checkout_opened': 1 } })
    const person = await app.signUp()
    await person.call(CHECKOUT, { plan: 'pro' })
    const customer = await account.customerOf(person)
    const access = openBilling(app.platform)?.access
    assert.ok(access)
    await Promise.all([1, 2, 3].map(() => expireCheckouts(access, customer)))
    const { data } = await account.stripe.checkout.sessions.list({ customer })
    assert.deepEqual(
      data.map(({ status }) => status),
      ['expired'],
    )
  })

  test('exactly one job is stored for a Stripe event before it is acknowledged, however often the event is delivered', async () => {
    leaves({ activity: { 'plan.checkout_opened': 1 }, jobs: { 'follow-subscription': 2 } })
    const person = await app.signUp()
    const event = await payForPlan(person)
    for (let times = 0; times < 3; times += 1) assert.equal(await account.deliver(event), 200)
    await Promise.all([1, 2, 3].map(() => account.deliver({ ...event, id: 'evt_at_once' })))
    assert.equal(await jobsOf(person), 2)
    assert.equal((await read(person)).plan, 'free')
  })

  test('a forged, stale or altered Stripe event is refused and nothing is stored', async () => {
    leaves({ activity: { 'plan.checkout_opened': 1 }, jobs: { 'follow-subscription': 1 } })
    const person = await app.signUp()
    const event = await payForPlan(person)
    assert.equal(await account.deliver(event, { secret: 'whsec_other' }), 401)
    assert.equal(await account.deliver(event, { ageSeconds: 301 }), 401)
    assert.equal(await account.deliver(event, { ageSeconds: -301 }), 401)
    const payload = JSON.stringify(event)
    const timestamp = Math.floor(app.clock.now().getTime() / 1000)
    const secret = account.config.webhookSecret
    const header = account.stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
    const postWebhook = async (body: string, signature?: string) =>
      (
        await app.request('POST /api/v1/billing/webhook', {
          body,
          ...(signature !== undefined && { headers: { 'stripe-signature': signature } }),
        })
      ).status
    assert.equal(await postWebhook(payload), 401)
    assert.equal(await postWebhook(`${payload} `, header), 401)
    assert.equal(await postWebhook(payload, `t=${timestamp + 1},${header}`), 401)
    assert.equal(await postWebhook('x'.repeat(1024 * 1024 + 1), header), 413)
    assert.equal(await jobsOf(person), 0)
    // While a webhook secret is being replaced, Stripe signs with both secrets.
    const [time, v1] = header.split(',')
    assert.equal(await postWebhook(payload, `${time},v1=${'0'.repeat(64)},${v1},v0=${'1'.repeat(64)}`), 200)
  })

  test('a signed Stripe event about a customer of another installation is ignored', async () => {
    leaves({ activity: { 'plan.checkout_opened': 1 } })
    const person = await app.signUp()
    const event = await payForPlan(person)
    const other = { ...event, id: 'evt_other', data: { object: { customer: 'cus_other' } } }
    const unrelated = { ...event, id: 'evt_type', type: 'product.created' }
    for (const ignored of [other, unrelated, { object: 'v2.core.event' }, []])
      assert.equal(await account.deliver(ignored), 204)
    assert.equal(await jobsOf(person), 0)
  })

  test('when Stripe fails, is busy or refuses the key, the member gets an error that reveals no part of the key', async () => {
    leaves({ activity: { 'plan.checkout_opened': 1 } })
    const person = await app.signUp()
    for (const [effect, status, code] of [
      [{ status: 500 }, 502, 'upstream_error'],
      [{ status: 429 }, 503, 'unavailable'],
      [{ status: 401 }, 502, 'upstream_error'],
    ] as const) {
      await failStripe({ path: '/v1/customers', times: 9 }, effect)
      const refused = await person.call(CHECKOUT, { plan: 'pro' })
      await failStripe({}, null)
      assert.deepEqual([refused.status, refused.error?.code], [status, code])
      assert.doesNotMatch(refused.error?.message ?? '', /sk_|settings of Payments/)
    }
    await payForPlan(person)
    for (const [effect, code] of [
      [{ status: 500 }, 'upstream_error'],
      [{ status: 429 }, 'unavailable'],
    ] as const) {
      await failStripe({ path: '/v1/billing_portal/sessions', times: 9 }, effect)
      const refused = await person.call(PORTAL, {})
      await failStripe({}, null)
      assert.equal(refused.error?.code, code)
    }
  })

  test("a Stripe price that no billing setting names does not change the organization's plan", async (t) => {
    leaves({ activity: { 'plan.checkout_opened': 1 }, jobs: { 'follow-subscription': 1 } })
    const person = await app.signUp()
    const event = await payForPlan(person)
    const sold = account.config.prices.pro
    account.config.prices.pro = ['price_new']
    t.after(() => (account.config.prices.pro = sold))
    await app.platform.db
      .updateTable('organization_settings')
      .set({ plan: 'pro' })
      .where('org_id', '=', person.organizationId)
      .execute()
    await account.deliver(event)
    const job = { attempt: 1, signal: new AbortController().signal }
    await syncSubscriptionJob.run(app.platform, {
      ...job,
      data: { customerId: await account.customerOf(person) },
    })
    assert.equal((await read(person)).plan, 'pro')
  })

  test('the hourly task reaches a due customer within three runs, although 500 other customers cannot be read at Stripe', async (t) => {
    leaves({ jobs: { 'follow-subscription': 'some' } })
    const person = await app.signUp()
    const { pool, clock } = app.platform
    const read_at = clock.now().getTime() - 2 * 86_400_000
    const insert = `insert into billing_customers (org_id, customer_id, ends_with_period, read_at, created_at)`
    await pool.query(
      `${insert} select 'org_stuck' || n, 'cus_stuck' || n, false, $1, $1 from generate_series(1, 500) n`,
      [new Date(read_at - 1)],
    )
    await pool.query(`${insert} values ($1, 'cus_waits', false, $2, $2)`, [
      person.organizationId,
      new Date(read_at),
    ])
    t.after(async () => {
      await pool.query(`delete from billing_customers where customer_id ~ '^cus_(stuck|waits)'`)
      await pool.query(`delete from pgboss.job where data->>'customerId' ~ '^cus_(stuck|waits)'`)
    })
    // Each round reads 500 of the 501 rows. The chance that three rounds leave out the same row is below 10^-8.
    for (let round = 0; round < 3 && (await jobsOf(person)) === 0; round++)
      await syncStaleSubscriptions.run(app.platform, new AbortController().signal)
    assert.ok((await jobsOf(person)) > 0)
  })

  test('a subscription that cannot be read at Stripe has at most one waiting job, however often the hourly task runs', async () => {
    leaves({ jobs: { 'follow-subscription': 1 } })
    const person = await app.signUp()
    const { pool, clock } = app.platform
    await pool.query(
      `insert into billing_customers (org_id, customer_id, ends_with_period, read_at, created_at)
       values ($1, 'cus_unread', false, $2, $2)`,
      [person.organizationId, new Date(clock.now().getTime() - 2 * 86_400_000)],
    )
    for (let hour = 0; hour < 3; hour++)
      await syncStaleSubscriptions.run(app.platform, new AbortController().signal)
    assert.equal(await jobsOf(person), 1)
  })

  test('the subscription of a deleted organization is cancelled, even when no billing setting names its price any more', async (t) => {
    leaves({ activity: { 'connection.connected': 'some' }, jobs: { 'connect-local-cloud': 'some' } })
    const person = await app.signUp()
    await payForPlan(person)
    const customerId = await account.customerOf(person)
    const sold = account.config.prices.pro
    account.config.prices.pro = ['price_new']
    t.after(() => (account.config.prices.pro = sold))
    await app.platform.db.deleteFrom('organization').where('id', '=', person.organizationId).execute()
    const job = { attempt: 1, signal: new AbortController().signal }
    await syncSubscriptionJob.run(app.platform, { ...job, data: { customerId } })
    const { data } = await account.stripe.subscriptions.list({ customer: customerId })
    assert.deepEqual(data, [])
  })

  test('Stripe events accepted while no jobs run take effect once jobs run, even when Stripe fails at the first attempt', async () => {
    const person = await app.signUp()
    const foreign = await app.signUp()
    await account.deliver(await payForPlan(person))
    assert.equal((await read(person)).plan, 'free')
    // Stripe fails during the job's first attempt.
    await failStripe({ path: '/v1/subscriptions', times: 2 }, { status: 500 })
    await app.work()
    await until(async () => (await read(person)).plan === 'pro', 60_000)
    await failStripe({}, null)
    assert.equal((await read(foreign)).plan, 'free')
    assert.deepEqual(findStored(app.config.dataDir, [account.config.key]), [])
  })
})
