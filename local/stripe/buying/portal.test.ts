import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { Stripe } from 'stripe'
import { testStripe, type TestStripe } from '../../testing/stripe.ts'

const FEATURES: Stripe.BillingPortal.ConfigurationCreateParams.Features = {
  payment_method_update: { enabled: true },
  subscription_cancel: { enabled: true },
}

describe('the customer portal of the payment provider', () => {
  let world: TestStripe
  let stripe: Stripe
  let customer: string
  let small: string
  let large: string
  let subscription: Stripe.Subscription
  beforeEach(async () => {
    world = testStripe()
    stripe = world.client()
    const { id: product } = await stripe.products.create({ name: 'Club' })
    const createPrice = async (amount: number) =>
      (
        await stripe.prices.create({
          product,
          unit_amount: amount,
          currency: 'usd',
          recurring: { interval: 'month' },
        })
      ).id
    small = await createPrice(500)
    large = await createPrice(900)
    customer = (await stripe.customers.create({ email: 'ada@example.test' })).id
    subscription = await stripe.subscriptions.create({ customer, items: [{ price: small }] })
  })
  afterEach(() => world.close())

  const configure = async (features: Stripe.BillingPortal.ConfigurationCreateParams.Features = FEATURES) =>
    (await stripe.billingPortal.configurations.create({ features })).id
  const configureChange = async (enabled = true, prices = [large]) => {
    const { product } = await stripe.prices.retrieve(large)
    return configure({
      subscription_update: {
        enabled,
        default_allowed_updates: ['price', 'quantity'],
        products: [{ product: String(product), prices }],
      },
    })
  }
  const open = async (more: Partial<Stripe.BillingPortal.SessionCreateParams> = {}) =>
    stripe.billingPortal.sessions.create({ customer, configuration: await configure(), ...more })
  const openChange = (
    configuration: string,
    item: { id?: string; price?: string; quantity?: number } = {},
    of = subscription.id,
  ) =>
    open({
      configuration,
      flow_data: {
        type: 'subscription_update_confirm',
        subscription_update_confirm: {
          subscription: of,
          items: [{ id: subscription.items.data[0]?.id ?? '', price: large, ...item }],
        },
        after_completion: { type: 'redirect', redirect: { return_url: 'http://shop.test/changed' } },
      },
    })
  const paramOf = async (call: Promise<{ object: string }>) => {
    try {
      return (await call).object
    } catch (error) {
      return (error as Stripe.errors.StripeError).param
    }
  }
  const readItem = async () => {
    const { items } = await stripe.subscriptions.retrieve(subscription.id)
    return [items.data[0]?.price.id, items.data[0]?.quantity]
  }

  test("a portal session is returned with its page's address and its configuration", async () => {
    const configuration = await configure()
    const {
      id,
      lastResponse: _response,
      ...session
    } = await open({ configuration, return_url: 'http://shop.test/' })
    assert.match(id, /^bps_[A-Za-z0-9]{24}$/)
    assert.deepEqual(session, {
      object: 'billing_portal.session',
      configuration,
      created: Math.floor(world.clock.now() / 1000),
      customer,
      livemode: false,
      metadata: {},
      return_url: 'http://shop.test/',
      url: `http://stripe.test/stripe/portal/${id}`,
    })
  })

  test('a portal session needs a configuration, an existing customer and an http or https return_url', async () => {
    await assert.rejects(stripe.billingPortal.sessions.create({ customer }), {
      statusCode: 400,
      message: /your test mode default configuration has not been created/,
    })
    assert.deepEqual(
      [
        await paramOf(open({ configuration: 'bpc_none' })),
        await paramOf(open({ customer: 'cus_none' })),
        await paramOf(open({ return_url: 'javascript:alert(1)' })),
        await paramOf(open({ return_url: 'shop' })),
      ],
      ['configuration', 'customer', 'return_url', 'return_url'],
    )
  })

  test('a portal session cannot use a customer or configuration of another account', async () => {
    const other = world.client('sk_test_local_other')
    const own = await other.billingPortal.configurations.create({ features: FEATURES })
    const theirs = await other.customers.create()
    const openTheirs = (params: Stripe.BillingPortal.SessionCreateParams) =>
      paramOf(other.billingPortal.sessions.create(params))
    assert.deepEqual(
      [
        await openTheirs({ customer, configuration: own.id }),
        await openTheirs({ customer: theirs.id, configuration: await configure() }),
        await openTheirs({ customer: theirs.id, configuration: own.id }),
      ],
      ['customer', 'configuration', 'billing_portal.session'],
    )
  })

  test("a portal session for a change that its configuration does not allow is refused with the wrong parameter's name", async () => {
    const at = 'flow_data[subscription_update_confirm]'
    const allowed = await configureChange()
    assert.deepEqual(
      [
        await paramOf(openChange(await configure())),
        await paramOf(openChange(await configureChange(false))),
        await paramOf(openChange(await configureChange(true, [small]))),
        await paramOf(openChange(await configureChange(true, [small]), { price: small })),
        await paramOf(openChange(allowed, { id: 'si_none' })),
        await paramOf(openChange(allowed, {}, 'sub_none')),
        await paramOf(openChange(allowed, { quantity: 0 })),
        await paramOf(openChange(allowed)),
      ],
      [
        `${at}[items][0][price]`,
        `${at}[items][0][price]`,
        `${at}[items][0][price]`,
        `${at}[items][0][price]`,
        `${at}[subscription]`,
        `${at}[subscription]`,
        `${at}[items][0][quantity]`,
        'billing_portal.session',
      ],
    )
  })

  test("a portal session cannot change an ended subscription or another customer's subscription", async () => {
    const { id: other } = await stripe.customers.create()
    const theirs = await stripe.subscriptions.create({ customer: other, items: [{ price: small }] })
    const configuration = await configureChange()
    const refused = 'flow_data[subscription_update_confirm][subscription]'
    assert.equal(
      await paramOf(openChange(configuration, { id: theirs.items.data[0]?.id ?? '' }, theirs.id)),
      refused,
    )
    await stripe.subscriptions.cancel(subscription.id)
    assert.equal(await paramOf(openChange(configuration)), refused)
  })

  test('a portal change of price and quantity takes effect once, and each confirmation redirects to the app', async () => {
    const { url } = await openChange(await configureChange(), { quantity: 3 })
    assert.match(await world.show(url), /Club, \$9\.00 per month × 3/)
    const answers = [await world.submit(url, ['do', 'confirm']), await world.submit(url, ['do', 'confirm'])]
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers.get('location')]),
      Array.from({ length: 2 }, () => [303, 'http://shop.test/changed']),
    )
    const { data } = await stripe.events.list({ type: 'customer.subscription.updated' })
    assert.deepEqual([await readItem(), data.length], [[large, 3], 1])
  })

  test('a portal session can change the quantity of a subscription without changing its price', async () => {
    const configuration = await configureChange(true, [small, large])
    const { url } = await openChange(configuration, { price: small, quantity: 2 })
    await world.submit(url, ['do', 'confirm'])
    assert.deepEqual(await readItem(), [small, 2])
  })

  test('a portal change that is confirmed after the subscription has ended does nothing', async () => {
    const { url } = await openChange(await configureChange())
    await stripe.subscriptions.cancel(subscription.id)
    assert.equal((await world.submit(url, ['do', 'confirm'])).status, 303)
    const { data } = await stripe.events.list({ type: 'customer.subscription.updated' })
    assert.deepEqual([await readItem(), data], [[small, 1], []])
  })

  test('portal configurations are filtered by active and is_default, and none is the default', async () => {
    const ids = [await configure(), await configure()].toReversed()
    const list = async (params: Stripe.BillingPortal.ConfigurationListParams) =>
      (await stripe.billingPortal.configurations.list(params)).data.map(({ id }) => id)
    assert.deepEqual(
      [
        await list({}),
        await list({ active: false }),
        await list({ is_default: true }),
        await list({ is_default: false }),
      ],
      [ids, [], [], ids],
    )
    await assert.rejects(stripe.billingPortal.configurations.retrieve('bpc_none'), { statusCode: 404 })
  })
})
