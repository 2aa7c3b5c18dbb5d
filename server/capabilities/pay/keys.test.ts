import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { readBindings } from '../../cloudflare/products/workers.ts'
import { type CloudApp, openCloudApp, until } from '../../releases/testing.ts'
import { liveName } from '../../resource-names.ts'
import { addStripeFault, clearStripeFaults, Shop, type StripeObject } from './testing.ts'
import { leaves } from '../../testing/effects.ts'

interface Endpoint extends StripeObject {
  url: string
  status: string
  enabled_events: string[]
}

describe('the keys and endpoints of payments', () => {
  let cloud: CloudApp
  before(async () => {
    cloud = await openCloudApp()
  })
  afterEach(() => clearStripeFaults(cloud))
  after(() => cloud.close())

  const endpoints = async (shop: Shop, mode: 'live' | 'test') =>
    (await shop.listed('webhook_endpoints', shop.keys[mode])) as Endpoint[]
  const stored = async (shop: Shop) => {
    const { rows } = await cloud.app.platform.pool.query<{ name: string }>(
      "select name from capability_secrets where project_id = $1 and key = 'pay' order by name",
      [shop.project.id],
    )
    return rows.map(({ name }) => name)
  }
  const liveSecrets = async (shop: Shop) => {
    const account = await cloud.accountOf(shop.person.organizationId)
    const bound = (await readBindings(account, liveName(shop.project))) ?? []
    return bound
      .filter(({ type, name }) => type === 'secret_text' && name.startsWith('STRIPE_'))
      .map(({ name }) => name)
      .toSorted()
  }

  test('a Stripe key that Stripe refuses is not saved, and the error names its field', async () => {
    const shop = await Shop.open(cloud)
    await shop.revoke(shop.keys.live)
    const { status, error } = await shop.put(true, { stripeKey: shop.keys.live })
    assert.deepEqual([status, error?.code], [400, 'invalid_request'])
    assert.match(error?.message ?? '', /^secrets\.stripeKey: is refused by Stripe/)
    const { enabled, hasStripeKey, keyCheck } = await shop.read()
    assert.deepEqual([enabled, hasStripeKey, keyCheck], [false, false, null])
    const swapped = await shop.put(true, { stripeTestKey: 'sk_live_local_someone' })
    assert.match(swapped.error?.message ?? '', /^secrets\.stripeTestKey: must be a test key/)
  })

  test('the check of a restricted Stripe key names every missing permission and creates no product, coupon, customer or subscription', async () => {
    leaves({
      activity: {
        'webhook_endpoint.created': 1,
        'webhook_endpoint.disabled': 1,
        'worker.address': 1,
        'worker.secrets': 2,
        'worker.upload': 2,
      },
      jobs: { provision: 2 },
    })
    const shop = await Shop.open(cloud)
    const levels = { product: 'write', plan: 'write', coupon: 'read', customer: 'read', webhook: 'write' }
    const key = await shop.restrictedKey('live', levels)
    const { keyCheck } = await shop.turnOn({ stripeKey: key })
    assert.deepEqual([keyCheck?.ok, keyCheck?.mode], [false, 'live'])
    assert.deepEqual(keyCheck?.missing.map(({ permission }) => permission).toSorted(), [
      'rak_checkout_session_read',
      'rak_checkout_session_write',
      'rak_coupon_write',
      'rak_customer_portal_read',
      'rak_customer_portal_write',
      'rak_customer_write',
      'rak_invoice_read',
      'rak_promotion_code_read',
      'rak_promotion_code_write',
      'rak_subscription_read',
      'rak_subscription_write',
    ])
    for (const path of ['products', 'coupons', 'customers', 'subscriptions'])
      assert.deepEqual(await shop.listed(path), [], path)
    const refused = await shop.call('POST codes', { percentOff: 5 })
    assert.deepEqual([refused.status, refused.error?.code], [502, 'upstream_error'])
    assert.match(refused.error?.message ?? '', /rak_promotion_code_read/)
    const whole = await shop.turnOn({ stripeKey: shop.keys.live })
    assert.deepEqual([whole.keyCheck?.ok, whole.keyCheck?.missing], [true, []])
    const again = await shop.call<{ ok: boolean }>('POST key/check')
    assert.equal(again.data.ok, true)
  })

  test('a revoked Stripe key is reported both when the keys are checked and when a product is created', async () => {
    leaves({
      activity: {
        'webhook_endpoint.created': 1,
        'webhook_endpoint.disabled': 1,
        'worker.address': 1,
        'worker.secrets': 1,
        'worker.upload': 2,
      },
      jobs: { provision: 2 },
    })
    const shop = await Shop.open(cloud)
    await shop.turnOn({ stripeTestKey: shop.keys.test })
    await shop.revoke(shop.keys.test)
    for (const [route, body] of [
      ['POST key/check', undefined],
      ['POST products', { amount: 100 }],
    ] as const) {
      const { status, error } = await shop.call(route, body)
      assert.deepEqual([status, error?.code], [502, 'upstream_error'])
      assert.match(error?.message ?? '', /does not accept the stored key/)
      assert.doesNotMatch(error?.message ?? '', /sk_test/)
    }
    const { provision } = await shop.turnOn()
    assert.deepEqual([provision.state, provision.error?.code], ['error', 'bad_secret'])
  })

  test("Stripe's test and live mode each have one webhook endpoint, disabled before the first deployment and while payments are off", async () => {
    leaves({
      events: { 'project.deleted': 1, 'project.deployed': 2 },
      activity: {
        'assets.upload': 1,
        'project.deleted': 1,
        'project.deployed': 2,
        'webhook_endpoint.created': 2,
        'webhook_endpoint.disabled': 3,
        'webhook_endpoint.enabled': 2,
        'webhook_endpoint.removed': 2,
        'worker.address': 2,
        'worker.delete': 3,
        'worker.deploy': 1,
        'worker.rebind': 1,
        'worker.secrets': 3,
        'worker.upload': 6,
        'worker.version': 1,
      },
      jobs: { deploy: 2, provision: 3 },
    })
    const shop = await Shop.open(cloud)
    await shop.turnOn({ stripeTestKey: shop.keys.test, stripeKey: shop.keys.live })
    const before = { live: await endpoints(shop, 'live'), test: await endpoints(shop, 'test') }
    assert.deepEqual(
      [...before.live, ...before.test].map(({ status }) => status),
      ['disabled', 'disabled'],
    )
    assert.deepEqual(before.live[0]?.['metadata'], { project: shop.project.id })
    assert.deepEqual(await stored(shop), ['stripeKey', 'stripeTestKey', 'testWebhookSecret', 'webhookSecret'])
    const url = await shop.ship()
    const [live] = await endpoints(shop, 'live')
    assert.deepEqual(
      [live?.id, live?.url, live?.status],
      [before.live[0]?.id, `${url}/_app/pay/webhook`, 'enabled'],
    )
    const [inTest] = await endpoints(shop, 'test')
    assert.match(inTest?.url ?? '', /-preview\./)
    assert.deepEqual(await liveSecrets(shop), [
      'STRIPE_KEY',
      'STRIPE_TEST_KEY',
      'STRIPE_TEST_WEBHOOK_SECRET',
      'STRIPE_WEBHOOK_SECRET',
    ])
    await shop.turnOn(undefined, false)
    assert.equal((await endpoints(shop, 'live'))[0]?.status, 'disabled')
    assert.deepEqual(await liveSecrets(shop), [])
    await shop.turnOn()
    await shop.ship()
    assert.equal((await endpoints(shop, 'live'))[0]?.status, 'enabled')
    const { data } = await shop.person.call<{ teardown: { remaining: number } }>(`DELETE ${shop.path}`)
    assert.equal(data.teardown.remaining, 0)
    assert.deepEqual([await endpoints(shop, 'live'), await endpoints(shop, 'test')], [[], []])
  })

  test('a deployed app with only a Stripe test key receives test payments until it has a live-mode key', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'assets.upload': 1,
        'project.deployed': 1,
        'webhook_endpoint.created': 2,
        'webhook_endpoint.disabled': 2,
        'webhook_endpoint.enabled': 1,
        'worker.address': 2,
        'worker.secrets': 3,
        'worker.upload': 4,
      },
      jobs: { deploy: 1, provision: 2 },
    })
    const shop = await Shop.open(cloud)
    await shop.turnOn({ stripeTestKey: shop.keys.test })
    const url = await shop.ship()
    const [only] = await endpoints(shop, 'test')
    assert.deepEqual([only?.url, only?.status], [`${url}/_app/pay/webhook`, 'enabled'])
    await shop.turnOn({ stripeKey: shop.keys.live })
    assert.match((await endpoints(shop, 'test'))[0]?.url ?? '', /-preview\./)
    assert.deepEqual(
      (await endpoints(shop, 'live')).map(({ status }) => status),
      ['enabled'],
    )
  })

  test("a webhook endpoint whose secret is lost, in Stripe's response or in the database, is replaced by one new endpoint", async () => {
    leaves({
      activity: {
        'webhook_endpoint.created': 2,
        'webhook_endpoint.created failed': 1,
        'webhook_endpoint.disabled': 2,
        'webhook_endpoint.removed': 2,
        'worker.address': 1,
        'worker.secrets': 3,
        'worker.upload': 2,
      },
      jobs: { provision: 2 },
    })
    const shop = await Shop.open(cloud)
    await addStripeFault(
      cloud,
      { method: 'POST', path: '/webhook_endpoints', nth: 2, times: 3 },
      { commitThenDrop: true },
    )
    const { provision } = await shop.turnOn({ stripeKey: shop.keys.live })
    assert.equal(provision.error, null)
    assert.equal((await endpoints(shop, 'live')).length, 1)
    const { pool } = cloud.app.platform
    await pool.query("delete from capability_secrets where project_id = $1 and name = 'webhookSecret'", [
      shop.project.id,
    ])
    const [former] = await endpoints(shop, 'live')
    await shop.turnOn()
    const [next, ...more] = await endpoints(shop, 'live')
    assert.notEqual(next?.id, former?.id)
    assert.deepEqual(more, [])
    assert.ok((await stored(shop)).includes('webhookSecret'))
    assert.ok((await liveSecrets(shop)).includes('STRIPE_WEBHOOK_SECRET'))
  })

  test('a webhook endpoint that an earlier version created for fewer events receives all events after the next change of the settings', async () => {
    leaves({
      activity: {
        'webhook_endpoint.created': 1,
        'webhook_endpoint.disabled': 2,
        'worker.address': 1,
        'worker.secrets': 1,
        'worker.upload': 2,
      },
      jobs: { provision: 2 },
    })
    const shop = await Shop.open(cloud)
    await shop.turnOn({ stripeKey: shop.keys.live })
    const [made] = await endpoints(shop, 'live')
    await shop.stripe(`webhook_endpoints/${made?.id}`, shop.keys.live, {
      'enabled_events[0]': 'charge.refunded',
    })
    await shop.turnOn()
    const [changed] = await endpoints(shop, 'live')
    assert.deepEqual([changed?.id, changed?.enabled_events], [made?.id, made?.enabled_events])
    assert.ok(changed?.enabled_events.includes('charge.dispute.closed'))
  })

  test('reconciling a project re-enables a webhook endpoint that a person disabled at Stripe', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'assets.upload': 1,
        'project.deployed': 1,
        'project.reconciled': 1,
        'webhook_endpoint.created': 1,
        'webhook_endpoint.disabled': 1,
        'webhook_endpoint.enabled': 2,
        'worker.address': 2,
        'worker.secrets': 1,
        'worker.upload': 4,
      },
      jobs: { deploy: 2, provision: 1 },
    })
    const shop = await Shop.open(cloud)
    await shop.turnOn({ stripeKey: shop.keys.live })
    await shop.ship()
    const [made] = await endpoints(shop, 'live')
    await shop.stripe(`webhook_endpoints/${made?.id}`, shop.keys.live, { disabled: 'true' })
    const reconcile = async () => {
      const answer = await shop.person.call(`POST ${shop.path}/reconcile`)
      assert.equal(answer.error, undefined)
      await shop.settled()
    }
    await reconcile()
    assert.deepEqual(
      (await endpoints(shop, 'live')).map(({ id, status }) => [id, status]),
      [[made?.id, 'enabled']],
    )
  })

  test('removing a Stripe key, or replacing it with a key of another Stripe account, removes its webhook endpoint', async () => {
    leaves({
      activity: {
        'webhook_endpoint.created': 2,
        'webhook_endpoint.disabled': 2,
        'webhook_endpoint.removed': 2,
        'worker.address': 1,
        'worker.secrets': 5,
        'worker.upload': 2,
      },
      jobs: { provision: 4 },
    })
    const shop = await Shop.open(cloud)
    const other = await Shop.open(cloud)
    await shop.turnOn({ stripeKey: shop.keys.live })
    const [made] = await endpoints(shop, 'live')
    const rolled = await shop.restrictedKey(
      'live',
      Object.fromEntries(
        ['product', 'plan', 'coupon', 'promotion_code', 'checkout_session', 'customer', 'subscription']
          .concat('customer_portal', 'webhook')
          .map((name) => [name, 'write']),
      ),
    )
    await shop.turnOn({ stripeKey: rolled })
    assert.deepEqual(
      (await endpoints(shop, 'live')).map(({ id }) => id),
      [made?.id],
    )
    await shop.turnOn({ stripeKey: other.keys.live })
    assert.deepEqual(await endpoints(shop, 'live'), [])
    assert.equal((await endpoints(other, 'live')).length, 1)
    const { hasStripeKey, keyCheck } = await shop.turnOn({ stripeKey: null })
    assert.deepEqual([hasStripeKey, keyCheck], [false, null])
    assert.deepEqual(await endpoints(other, 'live'), [])
    const { data } = await shop.person.call<{ managed: { kind: string }[] }>(`GET ${shop.path}/deployments`)
    assert.ok(!data.managed.some(({ kind }) => kind === 'webhook_endpoint'))
  })

  test('a discount code that is archived while the codes of a saved live key are created cannot be redeemed in either mode', async () => {
    leaves({
      activity: {
        'code.archived': 1,
        'code.created': 1,
        'coupon.created': 1,
        'product.created': 4,
        'webhook_endpoint.created': 2,
        'webhook_endpoint.disabled': 2,
        'worker.address': 1,
        'worker.secrets': 3,
        'worker.upload': 2,
      },
      jobs: { provision: 2 },
    })
    const shop = await Shop.open(cloud)
    await shop.turnOn({ stripeTestKey: shop.keys.test })
    const held = (await shop.call<StripeObject>('POST products', { amount: 500 })).data
    const newest = (await shop.call<StripeObject>('POST products', { amount: 500 })).data
    const code = (await shop.call<StripeObject>('POST codes', { percentOff: 5 })).data
    // The job reads products and codes, and then creates the newest product, the delayed product, and the code.
    await addStripeFault(cloud, { method: 'GET', path: `/products/${held.id}` }, { delayMs: 2_000 })
    await shop.put(true, { stripeKey: shop.keys.live })
    await until(async () => (await shop.stripe(`products/${newest.id}`)).id === newest.id)
    assert.equal((await shop.call<StripeObject>(`POST codes/${code.id}/archive`)).data['active'], false)
    await shop.settled()
    for (const key of Object.values(shop.keys))
      assert.deepEqual(await shop.listed('promotion_codes?active=true', key), [])
  })

  test('a check of a Stripe key that is replaced meanwhile does not hide what the new key lacks', async () => {
    leaves({
      activity: {
        'webhook_endpoint.created': 1,
        'webhook_endpoint.disabled': 1,
        'worker.address': 1,
        'worker.secrets': 2,
        'worker.upload': 2,
      },
      jobs: { provision: 2 },
    })
    const shop = await Shop.open(cloud)
    await shop.turnOn({ stripeKey: shop.keys.live })
    const restricted = await shop.restrictedKey('live', { product: 'write', webhook: 'write' })
    const calls = () => cloud.countCalls('GET', '/webhook_endpoints')
    const before = await calls()
    await addStripeFault(cloud, { method: 'GET', path: '/invoices' }, { delayMs: 2_000 })
    const checked = shop.call<{ ok: boolean }>('POST key/check')
    await until(async () => (await calls()) > before)
    assert.equal((await shop.put(true, { stripeKey: restricted })).error, undefined)
    assert.equal((await checked).data.ok, false)
    assert.equal((await shop.read()).keyCheck?.ok, false)
    await shop.settled()
  })

  test('a refused settings change that would also remove a Stripe key keeps its webhook endpoint, so orders are still confirmed', async () => {
    leaves({
      activity: {
        'webhook_endpoint.created': 1,
        'webhook_endpoint.disabled': 1,
        'worker.address': 1,
        'worker.secrets': 1,
        'worker.upload': 2,
      },
      jobs: { provision: 1 },
    })
    const shop = await Shop.open(cloud)
    await shop.turnOn({ stripeKey: shop.keys.live })
    const before = await endpoints(shop, 'live')
    const body = { enabled: true, settings: { currency: 'dollars' }, secrets: { stripeKey: null } }
    const refused = await shop.person.call(`PUT ${shop.path}/capabilities/pay`, body)
    assert.match(refused.error?.message ?? '', /^settings\.currency: /)
    assert.equal((await shop.read()).hasStripeKey, true)
    assert.deepEqual([before.length, await endpoints(shop, 'live')], [1, before])
  })

  test('the seventeenth webhook endpoint of a Stripe account is refused with an error that names the limit', async () => {
    leaves({
      activity: { 'webhook_endpoint.created failed': 1, 'worker.address': 1, 'worker.upload': 2 },
      jobs: { provision: 1 },
    })
    const shop = await Shop.open(cloud)
    for (let at = 0; at < 16; at++)
      await shop.stripe('webhook_endpoints', shop.keys.live, {
        url: 'https://example.com/hook',
        'enabled_events[]': '*',
      })
    const { provision } = await shop.turnOn({ stripeKey: shop.keys.live })
    assert.deepEqual([provision.state, provision.error?.code], ['error', 'ceiling'])
    assert.match(provision.error?.message ?? '', /maximum of 16/)
  })

  test('no table, pay response or export contains a readable Stripe key or the secret of a webhook endpoint', async () => {
    leaves({
      activity: {
        'account.exported': 1,
        'webhook_endpoint.created': 1,
        'webhook_endpoint.disabled': 1,
        'worker.address': 1,
        'worker.secrets': 1,
        'worker.upload': 2,
      },
      jobs: { provision: 1 },
    })
    const shop = await Shop.open(cloud)
    await shop.turnOn({ stripeKey: shop.keys.live })
    const { pool } = cloud.app.platform
    const { rows } = await pool.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`,
    )
    const texts = rows.map(({ name }) =>
      pool.query<{ text: string }>(`select t::text as text from ${name} t`),
    )
    const stored = (await Promise.all(texts)).flatMap((result) => result.rows.map(({ text }) => text))
    const routes = ['/account/export', '/activity/export', shop.path, `${shop.path}/capabilities`]
    const responses = await Promise.all(
      routes.map(async (route) => (await shop.person.raw(`GET ${route}`)).text()),
    )
    const isThere = (text: string) => text.includes('webhook_endpoint.created')
    assert.deepEqual([...responses.map(isThere), stored.some(isThere)], [true, true, false, false, true])
    const told = [JSON.stringify(await shop.read()), ...responses, ...stored]
    for (const secret of [shop.keys.live, 'whsec_'])
      assert.deepEqual(
        told.filter((text) => text.includes(secret)),
        [],
      )
  })
})
