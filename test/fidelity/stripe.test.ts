import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { Stripe } from 'stripe'
import { press, readForm } from '../../local/testing/forms.ts'
import {
  askApp,
  control,
  deployWorker,
  missingRoutes,
  startTestWorld,
  type TestWorld,
  workerUpload,
} from './world.ts'
import { waitUntil } from '../support/wait-until.ts'

const DAY_MS = 86_400_000

describe("Stripe's own client against the local Stripe emulator", () => {
  let world: TestWorld
  let stripe: Stripe
  before(async () => {
    world = await startTestWorld({ SLIPWAY_LOCAL_TIME_SCALE: '0.02' })
    stripe = connectClient('sk_test_local_shop')
  })
  after(async () => {
    assert.deepEqual(await missingRoutes(world, 30), [])
    await world.remove()
  })

  const connectClient = (key: string, settings: object = {}) =>
    new Stripe(key, { host: '127.0.0.1', port: new URL(world.restUrl).port, protocol: 'http', ...settings })
  const createProduct = async (
    client = stripe,
    amount = 1200,
    recurring?: Stripe.PriceCreateParams.Recurring,
  ) => {
    const made = await client.products.create({ name: 'Plant', metadata: { project: 'prj_1' } })
    const price = await client.prices.create({
      product: made.id,
      unit_amount: amount,
      currency: 'usd',
      ...(recurring && { recurring }),
    })
    await client.products.update(made.id, { default_price: price.id })
    return { id: made.id, price: price.id }
  }
  const openCheckout = (price: string, more: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
    stripe.checkout.sessions.create({
      mode: 'payment',
      line_items: [{ price, quantity: 1 }],
      success_url: 'http://shop.localhost/thanks?session={CHECKOUT_SESSION_ID}',
      cancel_url: 'http://shop.localhost/',
      ...more,
    })
  /** Fills in and submits the hosted checkout page, as a browser would. */
  const payCheckout = async (url: string, fields: Record<string, string> = {}) => {
    const shown = await (await fetch(url)).text()
    const form = press(readForm(shown), 'pay', 'yes')
    for (const [name, value] of Object.entries({ email: 'ada@example.com', ...fields })) form.set(name, value)
    const answer = await fetch(url, { method: 'POST', body: form, redirect: 'manual' })
    return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() }
  }

  test('a Stripe product is read with its default price in one call, and a default price cannot be archived', async () => {
    const { id, price } = await createProduct()
    const found = await stripe.products.retrieve(id, { expand: ['default_price'] })
    assert.equal((found.default_price as Stripe.Price).id, price)
    assert.equal((found.default_price as Stripe.Price).unit_amount, 1200)
    assert.equal(found.metadata['project'], 'prj_1')
    const second = await stripe.prices.create({ product: id, unit_amount: 1500, currency: 'usd' })
    await assert.rejects(stripe.prices.update(price, { active: false }), /default price/)
    await stripe.products.update(id, { default_price: second.id, active: false })
    assert.equal((await stripe.prices.update(price, { active: false })).active, false)
    assert.equal((await stripe.products.retrieve(id)).active, false)
    await assert.rejects(openCheckout(second.id), /not active/)
  })

  test('a Stripe product id can be used once in test mode and once in live mode, but not twice in one mode', async () => {
    const live = connectClient('sk_live_local_shop')
    for (const client of [stripe, live]) await client.products.create({ id: 'prod_given', name: 'Given' })
    await assert.rejects(stripe.products.create({ id: 'prod_given', name: 'Twice' }), {
      code: 'resource_already_exists',
    })
    assert.deepEqual(
      [
        (await live.products.retrieve('prod_given')).livemode,
        (await stripe.products.retrieve('prod_given')).livemode,
      ],
      [true, false],
    )
    await assert.rejects(connectClient('sk_test_local_other').products.retrieve('prod_given'), {
      code: 'resource_missing',
    })
  })

  test("Stripe's client reads all pages of a list", async () => {
    const client = connectClient('sk_test_local_pages')
    for (let at = 0; at < 5; at++) await client.products.create({ name: `Number ${at}` })
    const first = await client.products.list({ limit: 2 })
    assert.deepEqual([first.data.length, first.has_more], [2, true])
    const names: string[] = []
    for await (const one of client.products.list({ limit: 2 })) names.push(one.name)
    assert.deepEqual(names, ['Number 4', 'Number 3', 'Number 2', 'Number 1', 'Number 0'])
  })

  test('a Stripe error names the missing or unknown parameter, and an unknown product is a resource_missing error', async () => {
    await assert.rejects(stripe.products.create({} as Stripe.ProductCreateParams), {
      code: 'parameter_missing',
      param: 'name',
    })
    await assert.rejects(stripe.products.create({ name: 'x', colour: 'red' } as never), {
      code: 'parameter_unknown',
      param: 'colour',
    })
    const wrong = stripe.prices.create({ product: 'prod_none', unit_amount: 1, currency: 'usd' })
    await assert.rejects(wrong, { type: 'StripeInvalidRequestError', code: 'resource_missing' })
  })

  test('a Stripe call repeated with its idempotency key takes effect once, and fails when its parameters differ', async () => {
    const once = { idempotencyKey: 'once' }
    const made = await stripe.products.create({ name: 'Once' }, once)
    assert.equal((await stripe.products.create({ name: 'Once' }, once)).id, made.id)
    await assert.rejects(stripe.products.create({ name: 'Other' }, once), { type: 'StripeIdempotencyError' })
  })

  test("when Stripe's client retries after a lost response, one product is created", async () => {
    await control(world, 'POST', '/faults', {
      match: { provider: 'stripe', method: 'POST', path: '/products' },
      do: { commitThenDrop: true },
    })
    const client = connectClient('sk_test_local_retry', { maxNetworkRetries: 2 })
    const made = await client.products.create({ name: 'Lost reply' })
    const { data } = await client.products.list()
    assert.deepEqual(
      data.map(({ id }) => id),
      [made.id],
    )
  })

  test('a restricted Stripe key gets an error that names its missing permission, even when the parameters are invalid too', async () => {
    const page = await (await fetch(`${world.restUrl}/stripe/keys`)).text()
    const form = press(readForm(page), 'do', 'create')
    form.set('coupon', 'read')
    form.set('webhook', 'none')
    form.set('account', 'shop')
    const shown = await (await fetch(`${world.restUrl}/stripe/keys`, { method: 'POST', body: form })).text()
    const key = /rk_test_local_shop_\w+/.exec(shown)?.[0] ?? ''
    const restricted = connectClient(key)
    await restricted.coupons.list()
    await restricted.products.list()
    const assertForbidden = (call: Promise<unknown>, permission: RegExp) =>
      assert.rejects(call, (error) => {
        assert.ok(error instanceof Stripe.errors.StripePermissionError)
        assert.match(error.message, permission)
        return true
      })
    await assertForbidden(restricted.coupons.create({}), /rak_coupon_write/)
    await assertForbidden(restricted.webhookEndpoints.list(), /rak_webhook_read/)
    const end = new URLSearchParams({ do: 'revoke', key })
    await fetch(`${world.restUrl}/stripe/keys`, { method: 'POST', body: end })
    await assert.rejects(restricted.products.list(), Stripe.errors.StripeAuthenticationError)
    for (const wrong of ['sk_test_abcdefgh', 'rk_test_local_shop_unknown'])
      await assert.rejects(connectClient(wrong).products.list(), Stripe.errors.StripeAuthenticationError)
  })

  test("a person pays on the Stripe emulator's hosted page and comes back to the app", async () => {
    const { price } = await createProduct()
    const session = await openCheckout(price, {
      client_reference_id: 'u_1',
      metadata: { project: 'prj_1' },
      payment_intent_data: { metadata: { product: 'x' } },
    })
    assert.equal(session.status, 'open')
    const declined = await payCheckout(session.url ?? '', { card: '4000 0000 0000 0002' })
    assert.deepEqual([declined.status, declined.text.includes('declined')], [400, true])
    const paid = await payCheckout(session.url ?? '')
    assert.equal(paid.location, `http://shop.localhost/thanks?session=${session.id}`)
    const done = await stripe.checkout.sessions.retrieve(session.id, {
      expand: ['payment_intent.latest_charge'],
    })
    assert.deepEqual(
      [done.status, done.payment_status, done.client_reference_id],
      ['complete', 'paid', 'u_1'],
    )
    const payment = done.payment_intent as Stripe.PaymentIntent
    assert.deepEqual(payment.metadata, { product: 'x' })
    assert.deepEqual((payment.latest_charge as Stripe.Charge).metadata, { product: 'x' })
    assert.match(
      await (await fetch(`${world.restUrl}/stripe/checkout/${session.id}`)).text(),
      /has been paid/,
    )
    assert.equal((await payCheckout(session.url ?? '')).location, paid.location)
    const charges = await stripe.charges.list({ payment_intent: payment.id })
    assert.equal(charges.data.length, 1)
  })

  test('a Stripe promotion code reduces the amount, and only one of two simultaneous checkouts gets the last redemption', async () => {
    const { price } = await createProduct()
    const coupon = await stripe.coupons.create({ percent_off: 25, max_redemptions: 1 })
    const code = await stripe.promotionCodes.create({
      code: 'SPRING',
      promotion: { type: 'coupon', coupon: coupon.id },
    })
    assert.equal(code.promotion.coupon, coupon.id)
    await assert.rejects(
      stripe.promotionCodes.create({ code: 'spring', promotion: { type: 'coupon', coupon: coupon.id } }),
      /already exists/,
    )
    const fixed = await openCheckout(price, { discounts: [{ promotion_code: code.id }] })
    const typed = await openCheckout(price, { allow_promotion_codes: true })
    assert.deepEqual([fixed.amount_total, typed.amount_total], [900, 1200])
    const both = await Promise.all([
      payCheckout(fixed.url ?? ''),
      payCheckout(typed.url ?? '', { code: 'spring' }),
    ])
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [303, 400])
    assert.equal((await stripe.promotionCodes.retrieve(code.id)).times_redeemed, 1)
    await assert.rejects(openCheckout(price, { discounts: [{ promotion_code: code.id }] }), /redeemed/)
  })

  test('over time a Stripe subscription renews, becomes past due if its card fails, or ends if it was cancelled', async () => {
    const { price } = await createProduct(stripe, 500, { interval: 'month' })
    const subscribeWith = async (card: string) => {
      const session = await openCheckout(price, {
        mode: 'subscription',
        subscription_data: { metadata: { project: 'prj_1' } },
      })
      await payCheckout(session.url ?? '', { card })
      const done = await stripe.checkout.sessions.retrieve(session.id)
      return String(done.subscription)
    }
    const good = await subscribeWith('4242 4242 4242 4242')
    const failing = await subscribeWith('4000 0000 0000 0341')
    const ending = await subscribeWith('4242 4242 4242 4242')
    const statusOf = async (id: string) => (await stripe.subscriptions.retrieve(id)).status
    assert.deepEqual((await stripe.subscriptions.retrieve(good)).metadata, { project: 'prj_1' })
    const before = (await stripe.subscriptions.update(ending, { cancel_at_period_end: true })).cancel_at
    assert.equal(typeof before, 'number')
    await control(world, 'POST', '/clock', { advanceMs: 32 * DAY_MS })
    assert.deepEqual(
      [await statusOf(good), await statusOf(failing), await statusOf(ending)],
      ['active', 'past_due', 'canceled'],
    )
    const invoices = await stripe.invoices.list({ subscription: good })
    assert.equal(invoices.data.length, 2)
    await control(world, 'POST', '/clock', { advanceMs: 12 * DAY_MS })
    assert.equal(await statusOf(failing), 'canceled')
    assert.equal((await stripe.subscriptions.cancel(good)).status, 'canceled')
    await assert.rejects(stripe.subscriptions.cancel(good), { code: 'resource_missing' })
  })

  test('a Stripe subscription is free during its trial', async () => {
    const { price } = await createProduct(stripe, 700, { interval: 'month' })
    const session = await openCheckout(price, {
      mode: 'subscription',
      subscription_data: { trial_period_days: 3 },
    })
    await payCheckout(session.url ?? '')
    const done = await stripe.checkout.sessions.retrieve(session.id, { expand: ['subscription'] })
    const subscription = done.subscription as Stripe.Subscription
    assert.deepEqual([subscription.status, done.payment_status], ['trialing', 'no_payment_required'])
    await control(world, 'POST', '/clock', { advanceMs: 4 * DAY_MS })
    assert.equal((await stripe.subscriptions.retrieve(subscription.id)).status, 'active')
  })

  test('the Stripe customer portal needs a configuration, and cancels a subscription at the end of its period', async () => {
    const { price } = await createProduct(stripe, 700, { interval: 'year' })
    const session = await openCheckout(price, { mode: 'subscription' })
    await payCheckout(session.url ?? '')
    const done = await stripe.checkout.sessions.retrieve(session.id)
    const customer = String(done.customer)
    await assert.rejects(stripe.billingPortal.sessions.create({ customer }), /No configuration provided/)
    const configuration = await stripe.billingPortal.configurations.create({
      features: {
        subscription_cancel: { enabled: true, mode: 'at_period_end' },
        invoice_history: { enabled: true },
      },
    })
    const portal = await stripe.billingPortal.sessions.create({
      customer,
      configuration: configuration.id,
      return_url: 'http://shop.localhost/',
    })
    const shown = await (await fetch(portal.url)).text()
    assert.match(shown, /LOCAL-/)
    await fetch(portal.url, { method: 'POST', body: press(readForm(shown), 'do', 'cancel') })
    assert.equal((await stripe.subscriptions.retrieve(String(done.subscription))).cancel_at_period_end, true)
  })

  describe('events', () => {
    let server: Server
    const received: { body: string; signature: string }[] = []
    let failures = 0
    before(async () => {
      server = createServer((req, res) => {
        let body = ''
        req.on('data', (chunk: Buffer) => (body += chunk.toString()))
        req.on('end', () => {
          if (failures-- > 0) return res.writeHead(500).end()
          received.push({ body, signature: String(req.headers['stripe-signature']) })
          return res.end()
        })
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    })
    after(() => server.close())
    const urlOf = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`

    test("Stripe's client verifies a signed event and rejects an altered event, and a failed delivery is retried", async () => {
      const client = connectClient('sk_test_local_events')
      const endpoint = await client.webhookEndpoints.create({
        url: urlOf(),
        enabled_events: ['checkout.session.completed', 'charge.refunded'],
        metadata: { project: 'prj_1' },
      })
      const { secret = '' } = endpoint
      assert.match(secret, /^whsec_/)
      assert.equal((await client.webhookEndpoints.retrieve(endpoint.id)).secret, undefined)
      const { price } = await createProduct(client)
      const session = await client.checkout.sessions.create({
        mode: 'payment',
        line_items: [{ price, quantity: 1 }],
        success_url: 'http://shop.localhost/',
      })
      failures = 2
      await payCheckout(session.url ?? '')
      await waitUntil(() => received.length === 1)
      const [{ body, signature } = { body: '', signature: '' }] = received
      // The tests above have advanced the clock of the Stripe emulator, so accept signatures of any time.
      const tolerance = 10 ** 9
      const event = client.webhooks.constructEvent(body, signature, secret, tolerance)
      assert.equal(event.type, 'checkout.session.completed')
      assert.throws(
        () => client.webhooks.constructEvent(body.replace('1200', '1'), signature, secret, tolerance),
        Stripe.errors.StripeSignatureVerificationError,
      )
      const done = await client.checkout.sessions.retrieve(session.id)
      await client.refunds.create({ payment_intent: String(done.payment_intent), amount: 200 })
      await waitUntil(() => received.length === 2)
      const refunded = client.webhooks.constructEvent(
        received[1]?.body ?? '',
        received[1]?.signature ?? '',
        secret,
        tolerance,
      )
      const charge = refunded.data.object as Stripe.Charge
      assert.deepEqual([charge.amount_refunded, charge.refunded], [200, false])
      const { data } = await client.events.list({ type: 'charge.refunded' })
      assert.deepEqual(
        data.map(({ id }) => id),
        [refunded.id],
      )
      await client.webhookEndpoints.update(endpoint.id, { disabled: true })
      await client.refunds.create({ payment_intent: String(done.payment_intent) })
      await client.webhookEndpoints.update(endpoint.id, { disabled: false })
      const again = new URLSearchParams({ account: 'events/test', event: event.id })
      await fetch(`${world.restUrl}/stripe/events`, { method: 'POST', body: again })
      await waitUntil(() => received.length === 3)
      assert.equal((JSON.parse(received[2]?.body ?? '') as { id: string }).id, event.id)
    })

    test('a Stripe checkout with a delayed payment method completes as unpaid, and is paid when the payment succeeds later', async () => {
      const client = connectClient('sk_test_local_slow')
      const { price } = await createProduct(client)
      const session = await client.checkout.sessions.create({
        mode: 'payment',
        line_items: [{ price, quantity: 1 }],
        success_url: 'http://shop.localhost/',
      })
      await payCheckout(session.url ?? '', { card: '4000000000000077' })
      assert.equal((await client.checkout.sessions.retrieve(session.id)).payment_status, 'unpaid')
      await fetch(session.url ?? '', {
        method: 'POST',
        body: new URLSearchParams({ settle: 'paid' }),
        redirect: 'manual',
      })
      assert.equal((await client.checkout.sessions.retrieve(session.id)).payment_status, 'paid')
      const types = (await client.events.list()).data.map(({ type }) => type)
      assert.equal(types[0], 'checkout.session.async_payment_succeeded')
      assert.ok(types.includes('checkout.session.completed'))
    })

    test('a Stripe account can have at most 16 webhook endpoints', async () => {
      const client = connectClient('sk_test_local_many')
      const addEndpoint = () => client.webhookEndpoints.create({ url: urlOf(), enabled_events: ['*'] })
      for (let at = 0; at < 16; at++) await addEndpoint()
      await assert.rejects(addEndpoint(), /maximum of 16/)
    })
  })

  test("an app's request to api.stripe.com reaches the local Stripe emulator", async () => {
    const source = `export default { async fetch(request) {
      const key = new URL(request.url).searchParams.get('key')
      const answer = await fetch('https://api.stripe.com/v1/products', { headers: { authorization: 'Bearer ' + key } })
        .catch((error) => new Response(String(error), { status: 599 }))
      return new Response(await answer.text(), { status: answer.status })
    } }`
    await deployWorker(world, 'payer', workerUpload(source))
    const local = await askApp(world, 'payer', '/?key=sk_test_local_apps')
    assert.deepEqual([local.status, (JSON.parse(local.text) as { object: string }).object], [200, 'list'])
  })
})
