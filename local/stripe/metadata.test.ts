import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Stripe } from 'stripe'
import { testStripe } from '../testing/stripe.ts'

const GIVEN = { kept: 'yes', empty: '' }

describe('metadata of objects of the payment provider', () => {
  const world = testStripe()
  const stripe = world.client()
  after(() => world.close())

  const metadata = GIVEN
  const createProduct = () => stripe.products.create({ name: 'Plant', metadata })
  const createPrice = async (more: Partial<Stripe.PriceCreateParams> = {}) =>
    stripe.prices.create({
      product: (await createProduct()).id,
      unit_amount: 100,
      currency: 'usd',
      metadata,
      ...more,
    })
  const createSubscription = async () => {
    const { id: customer } = await stripe.customers.create()
    const { id: price } = await createPrice({ recurring: { interval: 'month' } })
    return stripe.subscriptions.create({ customer, items: [{ price }], metadata })
  }
  const creations: Record<string, () => Promise<{ metadata: Stripe.Metadata | null }>> = {
    product: createProduct,
    price: createPrice,
    coupon: () => stripe.coupons.create({ percent_off: 5, metadata }),
    'promotion code': async () => {
      const { id: coupon } = await stripe.coupons.create({ percent_off: 5 })
      return stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon }, metadata })
    },
    customer: () => stripe.customers.create({ metadata }),
    'checkout session': async () =>
      stripe.checkout.sessions.create({
        mode: 'payment',
        line_items: [{ price: (await createPrice()).id }],
        success_url: 'http://app.test/',
        metadata,
      }),
    subscription: createSubscription,
    'webhook endpoint': () =>
      stripe.webhookEndpoints.create({ url: 'https://a.test/', enabled_events: ['*'], metadata }),
    'portal configuration': () =>
      stripe.billingPortal.configurations.create({
        features: { invoice_history: { enabled: true } },
        metadata,
      }),
  }

  for (const [kind, create] of Object.entries(creations))
    test(`a new Stripe ${kind} does not store a metadata key with an empty value`, async () => {
      assert.deepEqual((await create()).metadata, { kept: 'yes' })
    })

  test('updating metadata removes keys with an empty value, and an empty string as metadata removes all keys', async () => {
    const { id } = await stripe.customers.create({ metadata: { a: '1', b: '2' } })
    const update = async (change: Stripe.Emptyable<Stripe.MetadataParam>) =>
      (await stripe.customers.update(id, { metadata: change })).metadata
    assert.deepEqual(
      [await update({ a: '' }), await update({ c: '3' }), await update('')],
      [{ b: '2' }, { b: '2', c: '3' }, {}],
    )
  })

  test("metadata has Stripe's limits: 50 keys of 40 characters, with values of 500 characters", async () => {
    const keys = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`key-${n}`, 'x']))
    const { id, metadata: most } = await stripe.customers.create({ metadata: keys(50) })
    assert.equal(Object.keys(most).length, 50)
    assert.equal(
      Object.keys((await stripe.customers.update(id, { metadata: { 'key-0': '', new: 'x' } })).metadata)
        .length,
      50,
    )
    const refused = [keys(51), { ['k'.repeat(41)]: 'x' }, { key: 'x'.repeat(501) }]
    for (const one of refused)
      await assert.rejects(
        stripe.customers.create({ metadata: one }),
        (error) => error instanceof Error && /metadata/.test(error.message),
      )
    await assert.rejects(stripe.customers.update(id, { metadata: { another: 'x' } }), { param: 'metadata' })
    const longest = { ['ü'.repeat(40)]: '😀'.repeat(250) }
    assert.deepEqual((await stripe.customers.create({ metadata: longest })).metadata, longest)
  })
})
