import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { Stripe } from 'stripe'
import { testStripe, type TestStripe } from '../testing/stripe.ts'
import { Store } from '../world/store.ts'
import { stripeKindsSchema, stripeSchema } from './schema.ts'

describe('objects of the payment provider', () => {
  let world: TestStripe
  let stripe: Stripe
  beforeEach(() => {
    world = testStripe()
    stripe = world.client()
  })
  afterEach(() => world.close())

  test('a product and a coupon with the same id are changed and deleted independently', async () => {
    await stripe.products.create({ id: 'gold', name: 'Gold' })
    await stripe.coupons.create({ id: 'gold', percent_off: 10, name: 'Tenth' })
    await stripe.products.update('gold', { name: 'Golden' })
    await stripe.coupons.del('gold')
    assert.equal((await stripe.products.retrieve('gold')).name, 'Golden')
    await assert.rejects(stripe.coupons.retrieve('gold'), { code: 'resource_missing', statusCode: 404 })
  })

  test("a Stripe object's id is found only by requests for its own kind of object", async () => {
    const { id } = await stripe.products.create({ name: 'Plant' })
    for (const call of [stripe.prices.retrieve(id), stripe.customers.retrieve(id), stripe.coupons.del(id)])
      await assert.rejects(call, { code: 'resource_missing', statusCode: 404, param: 'id' })
    assert.equal((await stripe.products.retrieve(id)).id, id)
  })

  test('migrating the stored Stripe objects keeps their order, and new objects follow them', () => {
    const dir = mkdtempSync(join(tmpdir(), 'slipway-stripe-'))
    const path = join(dir, 'world.db')
    const insert = (store: Store, id: string, object: string) =>
      store.run(
        "INSERT INTO stripe_objects (room, id, object, body, hidden) VALUES ('a/test', ?, ?, '{}', '{}')",
        id,
        object,
      )
    const before = new Store(path, [stripeSchema])
    for (const id of ['third', 'first']) insert(before, id, 'product')
    assert.throws(() => insert(before, 'first', 'coupon'), /UNIQUE/)
    before.close()
    const after = new Store(path, [stripeSchema, stripeKindsSchema])
    insert(after, 'first', 'coupon')
    assert.throws(() => insert(after, 'first', 'coupon'), /UNIQUE/)
    assert.deepEqual(
      after
        .all<{ id: string; object: string }>('SELECT id, object FROM stripe_objects ORDER BY seq')
        .map(({ id, object }) => [id, object]),
      [
        ['third', 'product'],
        ['first', 'product'],
        ['first', 'coupon'],
      ],
    )
    after.close()
    rmSync(dir, { recursive: true, force: true })
  })
})
