import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { Stripe } from 'stripe'
import { testStripe, type TestStripe } from '../../testing/stripe.ts'

describe('webhook endpoints and events of the payment provider', () => {
  let world: TestStripe
  let stripe: Stripe
  beforeEach(() => {
    world = testStripe()
    stripe = world.client()
  })
  afterEach(() => world.close())

  const create = (more: Partial<Stripe.WebhookEndpointCreateParams> = {}, client = stripe) =>
    client.webhookEndpoints.create({ url: 'https://shop.test/hook', enabled_events: ['*'], ...more })
  const paramOf = async (call: Promise<{ object: string }>) => {
    try {
      return (await call).object
    } catch (error) {
      return (error as Stripe.errors.StripeError).param
    }
  }
  const without = ({ lastResponse: _response, ...rest }: Stripe.Response<Stripe.WebhookEndpoint>) => rest

  test("a webhook endpoint's secret is returned only at its creation", async () => {
    const { secret = '', ...made } = without(await create({ description: 'Shop', metadata: { a: 'b' } }))
    assert.match(secret, /^whsec_[A-Za-z0-9]{32}$/)
    assert.match(made.id, /^we_[A-Za-z0-9]{24}$/)
    assert.deepEqual(
      { ...made, id: '' },
      {
        id: '',
        object: 'webhook_endpoint',
        api_version: null,
        application: null,
        created: Math.floor(world.clock.now() / 1000),
        description: 'Shop',
        enabled_events: ['*'],
        livemode: false,
        metadata: { a: 'b' },
        status: 'enabled',
        url: 'https://shop.test/hook',
      },
    )
    assert.deepEqual(
      [
        without(await stripe.webhookEndpoints.retrieve(made.id)),
        (await stripe.webhookEndpoints.list()).data,
        without(await stripe.webhookEndpoints.update(made.id, {})),
      ],
      [made, [made], made],
    )
  })

  test('an update of a webhook endpoint changes only the named fields, and `disabled` only the status', async () => {
    const { secret: _secret, ...made } = without(
      await create({ description: 'Shop', metadata: { a: '1', b: '2' } }),
    )
    const disabled = without(await stripe.webhookEndpoints.update(made.id, { disabled: true }))
    const changed = without(
      await stripe.webhookEndpoints.update(made.id, {
        description: '',
        enabled_events: ['charge.refunded'],
        metadata: { a: '' },
        url: 'http://other.test/',
      }),
    )
    const enabled = without(await stripe.webhookEndpoints.update(made.id, { disabled: false }))
    const expected = {
      ...made,
      description: null,
      enabled_events: ['charge.refunded'],
      metadata: { b: '2' },
      status: 'disabled',
      url: 'http://other.test/',
    }
    assert.deepEqual(
      [disabled, changed, enabled],
      [{ ...made, status: 'disabled' }, expected, { ...expected, status: 'enabled' }],
    )
  })

  test('a Stripe account has at most 16 webhook endpoints in each mode', async () => {
    const made = []
    for (let i = 0; i < 16; i++) made.push(await create())
    await assert.rejects(create(), {
      statusCode: 400,
      message: 'You have reached the maximum of 16 test webhook endpoints.',
    })
    await create({}, world.client('sk_live_local_shop'))
    await stripe.webhookEndpoints.del(made[0]?.id ?? '')
    await create()
  })

  test('a webhook endpoint needs an http or https URL and at least one event type', async () => {
    assert.deepEqual(
      [
        await paramOf(create({ url: 'shop.test/hook' })),
        await paramOf(create({ url: 'file:///etc/passwd' })),
        await paramOf(create({ enabled_events: [] })),
        await paramOf(create({ url: 'http://shop.localhost:4320/hook' })),
      ],
      ['url', 'url', 'enabled_events', 'webhook_endpoint'],
    )
    const { id } = await create()
    assert.equal(await paramOf(stripe.webhookEndpoints.update(id, { url: '' })), 'url')
  })

  test('a webhook endpoint cannot be read, changed or deleted by another account', async () => {
    const { id } = await create()
    const { webhookEndpoints } = world.client('sk_test_local_other')
    for (const call of [
      webhookEndpoints.retrieve(id),
      webhookEndpoints.update(id, { disabled: true }),
      webhookEndpoints.del(id),
    ])
      await assert.rejects(call, { code: 'resource_missing', statusCode: 404 })
    assert.equal((await stripe.webhookEndpoints.retrieve(id)).status, 'enabled')
    await stripe.webhookEndpoints.del(id)
    await assert.rejects(stripe.webhookEndpoints.del(id), { code: 'resource_missing', statusCode: 404 })
  })

  test('Stripe events are filtered by type, types and time, and an event names the request that caused it', async () => {
    const { id: product } = await stripe.products.create({ name: 'Club' })
    const recurring = { interval: 'month' } as const
    const { id: price } = await stripe.prices.create({ product, unit_amount: 0, currency: 'usd', recurring })
    const { id: customer } = await stripe.customers.create()
    const made = await stripe.subscriptions.create(
      { customer, items: [{ price }] },
      { idempotencyKey: 'once' },
    )
    world.clock.advance(5000)
    const ended = await stripe.subscriptions.cancel(made.id)
    const list = async (params: Stripe.EventListParams) =>
      (await stripe.events.list(params)).data.map(({ type }) => type)
    const [paid, created, deleted] = [
      'invoice.paid',
      'customer.subscription.created',
      'customer.subscription.deleted',
    ]
    assert.deepEqual(
      [
        await list({}),
        await list({ type: 'invoice.paid' }),
        await list({ type: 'customer.subscription.*' }),
        await list({ type: '*.paid' }),
        await list({ type: 'invoice' }),
        await list({ type: 'invoice.pai?' }),
        await list({ types: ['invoice.paid', 'customer.subscription.deleted'] }),
        await list({ created: { gt: made.created } }),
        (await world.client('sk_live_local_shop').events.list()).data,
      ],
      [[deleted, paid, created], [paid], [deleted, created], [paid], [], [], [deleted, paid], [deleted], []],
    )
    const { data } = await stripe.events.list()
    assert.deepEqual(
      data.map(({ request }) => request),
      [
        { id: ended.lastResponse.requestId, idempotency_key: null },
        { id: made.lastResponse.requestId, idempotency_key: 'once' },
        { id: made.lastResponse.requestId, idempotency_key: 'once' },
      ],
    )
    assert.deepEqual((await stripe.events.retrieve(data[0]?.id ?? '')).data, data[0]?.data)
    await assert.rejects(stripe.events.retrieve('evt_none'), { code: 'resource_missing', statusCode: 404 })
  })
})
