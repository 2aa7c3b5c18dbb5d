import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { appSaying, type CloudApp, openCloudApp, until } from '../releases/testing.ts'
import type { Client } from '../testing/app.ts'
import { syncStaleSubscriptions } from './sync-stale-subscriptions.ts'
import { BillingAccount, read } from './testing.ts'
import { leaves } from '../testing/effects.ts'
import { DAY_MS } from '@slipway/runtime/kernel/durations.ts'

const MONTH_MS = 32 * DAY_MS

/**
 * Follows one organization over several months, on the clock of the Stripe stand-in. Each test continues the
 * previous one.
 */
describe('the life of a subscription', () => {
  let cloud: CloudApp
  let account: BillingAccount
  let person: Client
  let customer: string
  const sent = new Set<string>()

  before(async () => {
    // The stand-in for Stripe starts together with the service. So the service starts without keys and prices. They
    // are added to the service's configuration once the account has been created at the stand-in.
    const config = { key: '', webhookSecret: '', prices: { starter: [], pro: [] } }
    cloud = await openCloudApp(undefined, { billing: config, defaultPlan: 'free' })
    account = await BillingAccount.open(cloud.world.restUrl)
    Object.assign(config, account.config)
    account.for(cloud.app)
    ;({ person } = await cloud.personWithProject('First'))
  })
  after(() => cloud?.close())

  const urlFrom = async (route: string, body?: object) => {
    const { data, error } = await person.call<{ url: string }>(route, body ?? {})
    assert.equal(error, undefined)
    return data.url
  }
  /** Advances the clock of the Stripe stand-in, which decides when a subscription renews. */
  const advanceClock = async (advanceMs: number) => {
    const answer = await fetch(`${cloud.world.restUrl}/_control/clock`, {
      method: 'POST',
      headers: { authorization: `Bearer ${cloud.world.controlToken}` },
      body: JSON.stringify({ advanceMs }),
    })
    assert.ok(answer.ok)
  }
  const deliverEvents = async (order: 'as they happened' | 'backwards' = 'as they happened') => {
    customer = await account.customerOf(person)
    const news = (await account.events(customer)).filter(({ id }) => !sent.has(id))
    for (const event of order === 'backwards' ? news.toReversed() : news) {
      sent.add(event.id)
      assert.ok([200, 204].includes(await account.deliver(event)))
    }
    await waitForFollowUps()
    return news
  }
  const waitForFollowUps = () =>
    until(async () => {
      const { rows } = await cloud.app.platform.pool.query(
        `select 1 from pgboss.job where name = 'follow-subscription' and state in ('created', 'retry', 'active')`,
      )
      return rows.length === 0
    })
  const listActions = async () =>
    (
      await cloud.app.platform.db
        .selectFrom('activity')
        .select(['action', 'detail'])
        .where('org_id', '=', person.organizationId)
        .where('action', 'in', ['plan.changed', 'plan.payment_failed'])
        .orderBy('id')
        .execute()
    ).map(({ action, detail }) => `${action} ${detail}`)

  test('an organization without a subscription is on the Free plan, and opening checkouts without paying changes nothing', async () => {
    leaves({ activity: { 'plan.checkout_opened': 2 }, jobs: { 'follow-subscription': 1 } })
    const before = await read(person)
    assert.deepEqual(
      [before.plan, before.managed, before.subscription, before.renewsAt],
      ['free', true, null, null],
    )
    assert.deepEqual(before.projects, { used: 1, limit: 10 })
    assert.deepEqual(before.liveProjects, { used: 0, limit: 1 })
    const first = await urlFrom('POST /billing/checkout', { plan: 'pro' })
    const second = await urlFrom('POST /billing/checkout', { plan: 'starter' })
    assert.match(await (await fetch(first)).text(), /expired/)
    assert.match(await (await fetch(second)).text(), /Slipway starter/)
    await deliverEvents()
    assert.equal((await read(person)).plan, 'free')
  })

  test('a paid checkout changes the plan, even when its events arrive in reverse order and twice', async () => {
    leaves({
      activity: { 'plan.changed': 1, 'plan.checkout_opened': 1 },
      jobs: { 'follow-subscription': 4 },
    })
    // The stand-in accepts this card now and declines it at the first renewal.
    await account.pay(await urlFrom('POST /billing/checkout', { plan: 'starter' }), '4000000000000341')
    const news = await deliverEvents('backwards')
    assert.ok(news.length >= 3)
    for (const event of news) assert.ok([200, 204].includes(await account.deliver(event)))
    await waitForFollowUps()
    const paid = await read(person)
    assert.deepEqual([paid.plan, paid.subscription?.plan, paid.liveProjects.limit], ['starter', 'starter', 5])
    assert.ok(paid.renewsAt !== null)
    assert.deepEqual(await listActions(), ['plan.changed free to starter'])
    const again = await person.call('POST /billing/checkout', { plan: 'starter' })
    assert.equal(again.error?.code, 'conflict')
  })

  test("a change of plan is confirmed in Stripe's customer portal and creates no second subscription", async () => {
    leaves({
      activity: { 'plan.changed': 1, 'plan.checkout_opened': 1 },
      jobs: { 'follow-subscription': 1 },
    })
    await account.press(await urlFrom('POST /billing/checkout', { plan: 'pro' }), 'confirm')
    await deliverEvents()
    assert.equal((await read(person)).plan, 'pro')
    const { data } = await account.stripe.subscriptions.list({ customer, status: 'all' })
    assert.equal(data.length, 1)
  })

  test('after a failed payment the paid plan continues for a week, and a payment within that week removes the overdue warning', async () => {
    leaves({
      activity: { 'plan.payment_failed failed': 1, 'plan.portal_opened': 1 },
      jobs: { 'follow-subscription': 'some' },
    })
    await advanceClock(MONTH_MS)
    await deliverEvents()
    const overdue = await read(person)
    assert.equal(overdue.plan, 'pro')
    const kept = new Date(overdue.subscription?.overdue?.keptUntil ?? 0).getTime()
    assert.equal(kept - cloud.app.clock.now().getTime(), 7 * DAY_MS)
    const refused = await person.call('POST /billing/checkout', { plan: 'starter' })
    assert.match(refused.error?.message ?? '', /Pay it in the portal/)
    await account.press(await urlFrom('POST /billing/portal'), 'card', '4242424242424242')
    await advanceClock(4 * DAY_MS)
    await deliverEvents()
    const good = await read(person)
    assert.deepEqual([good.plan, good.subscription?.overdue], ['pro', null])
  })

  test('a payment overdue for more than a week ends the paid plan, and paying it later restores the plan', async () => {
    leaves({
      activity: { 'plan.changed': 2, 'plan.payment_failed failed': 1, 'plan.portal_opened': 2 },
      jobs: { 'follow-subscription': 'some' },
    })
    await account.press(await urlFrom('POST /billing/portal'), 'card', '4000000000000002')
    // The clock is then one to four days past the next renewal, depending on the lengths of the months. Stripe ends
    // an overdue subscription only after six days.
    await advanceClock(27 * DAY_MS)
    await deliverEvents()
    assert.ok((await read(person)).subscription?.overdue)
    cloud.app.clock.advance(8 * DAY_MS)
    await syncStaleSubscriptions.run(cloud.app.platform, new AbortController().signal)
    await waitForFollowUps()
    assert.equal((await read(person)).plan, 'free')
    await account.press(await urlFrom('POST /billing/portal'), 'card', '4242424242424242')
    await advanceClock(4 * DAY_MS)
    await deliverEvents('backwards')
    assert.equal((await read(person)).plan, 'pro')
  })

  test('after a downgrade all live projects stay online, and deploying one more is refused', async () => {
    leaves({
      events: { 'project.created': 2 },
      activity: { 'plan.changed': 1, 'plan.portal_opened': 1 },
      jobs: { 'follow-subscription': 'some' },
    })
    const { db } = cloud.app.platform
    const ids: string[] = []
    for (const name of ['Second', 'Third'])
      ids.push((await person.call<{ id: string }>('POST /projects', { name })).data.id)
    const setLive = () => db.updateTable('projects').set({ lifecycle: 'live' }).where('id', 'in', ids)
    await setLive().execute()
    await account.press(await urlFrom('POST /billing/portal'), 'cancel')
    await deliverEvents()
    const ending = await read(person)
    assert.deepEqual([ending.plan, ending.renewsAt], ['pro', null])
    assert.ok(ending.subscription?.endsAt)
    await advanceClock(MONTH_MS)
    await deliverEvents('backwards')
    const ended = await read(person)
    assert.deepEqual([ended.plan, ended.subscription], ['free', null])
    assert.deepEqual(ended.liveProjects, { used: 2, limit: 1 })
    const { data } = await person.call<{ items: { id: string; name: string }[] }>('GET /projects')
    const first = data.items.find(({ name }) => name === 'First')?.id ?? ''
    await cloud.build(first, appSaying('one'))
    assert.equal((await person.call(`POST /projects/${first}/deploy`)).error?.code, 'payment_required')
    const kept = await db.selectFrom('projects').select('id').where('lifecycle', '=', 'live').execute()
    assert.equal(kept.length, 2)
  })

  test('an old Stripe event sent again changes nothing, and a change whose event was lost is read from Stripe after a day', async () => {
    leaves({
      activity: { 'plan.changed': 1, 'plan.checkout_opened': 1 },
      jobs: { 'follow-subscription': 2 },
    })
    const [oldest] = await account.events(customer)
    assert.equal(await account.deliver({ ...oldest, id: 'evt_sent_again' }), 200)
    await waitForFollowUps()
    assert.equal((await read(person)).plan, 'free')
    await account.pay(await urlFrom('POST /billing/checkout', { plan: 'starter' }))
    assert.equal((await read(person)).plan, 'free')
    cloud.app.clock.advance(DAY_MS + 1)
    await syncStaleSubscriptions.run(cloud.app.platform, new AbortController().signal)
    await waitForFollowUps()
    assert.equal((await read(person)).plan, 'starter')
  })

  test('the Enterprise plan that an operator set is not changed by Stripe events, and its checkout is refused', async () => {
    leaves({ jobs: { 'follow-subscription': 3 } })
    const { db } = cloud.app.platform
    const of = person.organizationId
    await db
      .updateTable('organization_settings')
      .set({ plan: 'enterprise' })
      .where('org_id', '=', of)
      .execute()
    await deliverEvents()
    assert.equal((await read(person)).plan, 'enterprise')
    const refused = await person.call('POST /billing/checkout', { plan: 'pro' })
    assert.deepEqual([refused.status, refused.error?.code], [409, 'conflict'])
  })

  test('the subscription of a deleted organization is cancelled, and its open checkout cannot be paid any more', async () => {
    leaves({ jobs: { 'follow-subscription': 1 } })
    const { db } = cloud.app.platform
    const open = await account.stripe.checkout.sessions.create({
      mode: 'subscription',
      customer,
      line_items: [{ price: account.config.prices.pro[0] ?? '', quantity: 1 }],
      success_url: 'https://example.com/paid',
    })
    await db.deleteFrom('organization').where('id', '=', person.organizationId).execute()
    await syncStaleSubscriptions.run(cloud.app.platform, new AbortController().signal)
    await waitForFollowUps()
    const { data } = await account.stripe.subscriptions.list({ customer })
    assert.deepEqual(data, [])
    assert.equal((await account.stripe.checkout.sessions.retrieve(open.id)).status, 'expired')
    assert.deepEqual(await db.selectFrom('billing_customers').select('org_id').execute(), [])
  })
})
