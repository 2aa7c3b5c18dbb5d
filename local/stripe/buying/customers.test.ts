import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { Stripe } from 'stripe'
import { testStripe, type TestStripe } from '../../testing/stripe.ts'

describe('customers of the payment provider', () => {
  let world: TestStripe
  let stripe: Stripe
  beforeEach(() => {
    world = testStripe()
    stripe = world.client()
  })
  afterEach(() => world.close())

  test('a Stripe customer is returned as it was created, and missing fields are null', async () => {
    const created = Math.floor(world.clock.now() / 1000)
    const {
      id,
      lastResponse: _full,
      ...full
    } = await stripe.customers.create({
      name: 'Ada',
      email: 'ada@example.test',
      description: 'First',
      metadata: { user: 'u_1' },
    })
    const { id: _id, lastResponse: _bare, ...bare } = await stripe.customers.create({ name: '', email: '' })
    assert.match(id, /^cus_[A-Za-z0-9]{24}$/)
    assert.deepEqual(
      [full, bare],
      [
        {
          object: 'customer',
          created,
          description: 'First',
          email: 'ada@example.test',
          livemode: false,
          metadata: { user: 'u_1' },
          name: 'Ada',
        },
        {
          object: 'customer',
          created,
          description: null,
          email: null,
          livemode: false,
          metadata: {},
          name: null,
        },
      ],
    )
  })

  test('updating a Stripe customer changes only the named fields, and an empty string removes a field or metadata key', async () => {
    const made = await stripe.customers.create({
      name: 'Ada',
      email: 'a@example.test',
      metadata: { a: '1', b: '2' },
    })
    const { lastResponse: _changed, ...changed } = await stripe.customers.update(made.id, {
      email: '',
      description: 'New',
      metadata: { a: '', c: '3' },
    })
    const { lastResponse: _made, ...before } = made
    assert.deepEqual(changed, { ...before, email: null, description: 'New', metadata: { b: '2', c: '3' } })
    assert.deepEqual((await stripe.customers.update(made.id, { metadata: '' })).metadata, {})
    await assert.rejects(stripe.customers.update('cus_none', { name: 'x' }), {
      code: 'resource_missing',
      statusCode: 404,
    })
  })

  test("a customer's metadata has at most 50 keys of 40 characters, with values of at most 500 characters", async () => {
    const keys = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`key_${at}`, 'x']))
    const outcome = async (metadata: Record<string, string>) => {
      try {
        const made = await stripe.customers.create({ metadata })
        assert.deepEqual(made.metadata, metadata)
        return 'created'
      } catch (error) {
        return (error as Stripe.errors.StripeError).param
      }
    }
    assert.deepEqual(
      [
        await outcome({ 0: 'a', 1: 'b' }),
        await outcome({ 2026: 'a', 2027: 'b' }),
        await outcome({ 7: 'a' }),
        await outcome({ '007': 'a', __proto__x: 'b', 'with space & sign': '100 % = "all"' }),
        await outcome(keys(50)),
        await outcome(keys(51)),
        await outcome({ ['k'.repeat(40)]: 'x'.repeat(500) }),
        await outcome({ ['k'.repeat(41)]: 'x' }),
        await outcome({ k: 'x'.repeat(501) }),
      ],
      [
        'created',
        'created',
        'created',
        'created',
        'created',
        'metadata',
        'created',
        `metadata[${'k'.repeat(41)}]`,
        'metadata[k]',
      ],
    )
  })

  test('the limit of 50 metadata keys of a customer includes the existing keys', async () => {
    const keys = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`key_${from + at}`, 'x']))
    const { id } = await stripe.customers.create({ metadata: keys(0, 49) })
    await assert.rejects(stripe.customers.update(id, { metadata: keys(49, 2) }), {
      param: 'metadata',
      statusCode: 400,
    })
    const { metadata } = await stripe.customers.update(id, { metadata: { ...keys(49, 2), key_0: '' } })
    assert.equal(Object.keys(metadata).length, 50)
  })

  test("the list of customers is filtered by email and creation time, and omits other accounts' customers", async () => {
    const add = async (email: string) => {
      world.clock.advance(1000)
      return stripe.customers.create({ email })
    }
    const [first, second, third] = [
      await add('a@example.test'),
      await add('b@example.test'),
      await add('a@example.test'),
    ]
    await world.client('sk_test_local_other').customers.create({ email: 'a@example.test' })
    const list = async (params: Stripe.CustomerListParams) =>
      (await stripe.customers.list(params)).data.map(({ id }) => id)
    assert.deepEqual(
      [
        await list({}),
        await list({ email: 'a@example.test' }),
        await list({ email: 'A@example.test' }),
        await list({ created: { gt: first.created, lte: second.created } }),
        await list({ email: 'a@example.test', starting_after: second.id }),
      ],
      [[third.id, second.id, first.id], [third.id, first.id], [], [second.id], [first.id]],
    )
  })

  test("deleting a customer cancels only that customer's running subscriptions, each once", async () => {
    const { id: product } = await stripe.products.create({ name: 'Club' })
    const recurring = { interval: 'month' } as const
    const { id: price } = await stripe.prices.create({ product, unit_amount: 5, currency: 'usd', recurring })
    const [{ id: ada }, { id: bob }] = [await stripe.customers.create(), await stripe.customers.create()]
    const subscribe = async (customer: string) =>
      (await stripe.subscriptions.create({ customer, items: [{ price }] })).id
    const [running, ended, other] = [await subscribe(ada), await subscribe(ada), await subscribe(bob)]
    await stripe.subscriptions.cancel(ended)
    const { lastResponse: _deleted, ...deleted } = await stripe.customers.del(ada)
    const statusOf = async (id: string) => (await stripe.subscriptions.retrieve(id)).status
    const { data } = await stripe.events.list({ type: 'customer.subscription.deleted' })
    assert.deepEqual(
      [
        deleted,
        [await statusOf(running), await statusOf(ended), await statusOf(other)],
        data.map(({ data: { object } }) => (object as Stripe.Subscription).id),
      ],
      [{ id: ada, object: 'customer', deleted: true }, ['canceled', 'canceled', 'active'], [running, ended]],
    )
    await assert.rejects(stripe.customers.del(ada), { code: 'resource_missing', statusCode: 404 })
  })

  test('a deleted Stripe customer is returned as deleted, even by expand, and cannot be listed, changed or subscribed', async () => {
    const { id } = await stripe.customers.create({ email: 'gone@example.test' })
    const { id: product } = await stripe.products.create({ name: 'Club' })
    const recurring = { interval: 'month' } as const
    const { id: price } = await stripe.prices.create({ product, unit_amount: 5, currency: 'usd', recurring })
    const subscription = await stripe.subscriptions.create({ customer: id, items: [{ price }] })
    await stripe.customers.del(id)
    const deleted = { id, object: 'customer', deleted: true }
    const { lastResponse: _response, ...read } = await stripe.customers.retrieve(id)
    assert.deepEqual(read, deleted)
    const { customer } = await stripe.subscriptions.retrieve(subscription.id, { expand: ['customer'] })
    assert.deepEqual(customer, deleted)
    assert.deepEqual((await stripe.customers.list({ email: 'gone@example.test' })).data, [])
    const missing = { code: 'resource_missing', statusCode: 404 }
    await assert.rejects(stripe.customers.update(id, { name: 'Ada' }), missing)
    await assert.rejects(stripe.subscriptions.create({ customer: id, items: [{ price }] }), {
      code: 'resource_missing',
    })
    await assert.rejects(world.client('sk_test_local_other').customers.retrieve(id), missing)
  })
})
