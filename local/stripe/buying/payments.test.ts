import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { Stripe } from 'stripe'
import { testStripe, type TestStripe } from '../../testing/stripe.ts'

describe('payments and refunds of the payment provider', () => {
  let world: TestStripe
  let stripe: Stripe
  beforeEach(() => {
    world = testStripe()
    stripe = world.client()
  })
  afterEach(() => world.close())

  /** Pays a checkout and returns the payment with its charge, which is null while a delayed payment is open. */
  const payOnce = async (amount = 1000, card = '4242424242424242', customer?: string) => {
    const { id: product } = await stripe.products.create({ name: 'Plant' })
    const { id: price } = await stripe.prices.create({ product, unit_amount: amount, currency: 'eur' })
    const session = await stripe.checkout.sessions.create({
      mode: 'payment',
      line_items: [{ price }],
      success_url: 'http://shop.test/',
      ...(customer && { customer }),
    })
    await world.submit(session.url ?? '', ['pay', 'yes'], { email: 'ada@example.test', card })
    const { payment_intent: payment } = await stripe.checkout.sessions.retrieve(session.id)
    const { id, latest_charge: charge } = await stripe.paymentIntents.retrieve(String(payment))
    return { payment: id, charge: String(charge), url: session.url ?? '' }
  }
  const refusal = async (call: Promise<unknown>) => {
    try {
      await call
      return 'accepted'
    } catch (error) {
      const { statusCode, code, param, message } = error as Stripe.errors.StripeError
      return [statusCode, code, param, message]
    }
  }

  test('a refund is returned with its charge and payment, and its events contain the refund and the changed charge', async () => {
    const { payment, charge } = await payOnce()
    const {
      id,
      lastResponse: _response,
      ...refund
    } = await stripe.refunds.create({
      charge,
      amount: 300,
      reason: 'requested_by_customer',
      metadata: { ticket: '9' },
    })
    assert.match(id, /^re_[A-Za-z0-9]{24}$/)
    const { lastResponse: _again, ...read } = await stripe.refunds.retrieve(id)
    assert.deepEqual(read, { id, ...refund })
    await assert.rejects(stripe.refunds.retrieve(charge), { statusCode: 404, code: 'resource_missing' })
    assert.deepEqual(refund, {
      object: 'refund',
      amount: 300,
      charge,
      created: Math.floor(world.clock.now() / 1000),
      currency: 'eur',
      livemode: false,
      metadata: { ticket: '9' },
      payment_intent: payment,
      reason: 'requested_by_customer',
      status: 'succeeded',
    })
    const { data } = await stripe.events.list({ types: ['refund.created', 'charge.refunded'] })
    const carried = data.map(({ type, data: { object } }) => {
      const of = object as { id: string; amount: number; amount_refunded?: number; refunded?: boolean }
      return [type, of.id, of.amount_refunded ?? of.amount, of.refunded ?? null]
    })
    assert.deepEqual(carried, [
      ['charge.refunded', charge, 300, false],
      ['refund.created', id, 300, null],
    ])
  })

  test("a refund is at least one unit and at most the charge's unrefunded amount", async () => {
    const { charge } = await payOnce(1000)
    const tooMuch = [
      400,
      'parameter_invalid',
      'amount',
      'Refund amount is greater than unrefunded amount on charge.',
    ]
    const outcomes = []
    for (const amount of [0, -1, 1001, 1, 1000, 999])
      outcomes.push(await refusal(stripe.refunds.create({ charge, amount })))
    assert.deepEqual(
      [outcomes, (await stripe.charges.retrieve(charge)).refunded],
      [[tooMuch, tooMuch, tooMuch, 'accepted', tooMuch, 'accepted'], true],
    )
    assert.deepEqual(await refusal(stripe.refunds.create({ charge })), [
      400,
      'charge_already_refunded',
      undefined,
      `Charge ${charge} has already been refunded.`,
    ])
  })

  test('when two simultaneous requests refund a whole charge, one succeeds and the other is rejected', async () => {
    const { charge } = await payOnce()
    const results = await Promise.allSettled([
      stripe.refunds.create({ charge }),
      stripe.refunds.create({ charge }),
    ])
    assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
    assert.equal((await stripe.charges.retrieve(charge)).amount_refunded, 1000)
  })

  test('a delayed payment has no charge to refund until it is settled', async () => {
    const { payment, url } = await payOnce(1000, '4000000000000077')
    assert.deepEqual(await refusal(stripe.refunds.create({ payment_intent: payment })), [
      400,
      'parameter_invalid',
      'payment_intent',
      `This PaymentIntent (${payment}) does not have a successful charge to refund.`,
    ])
    await world.submit(url, ['settle', 'paid'])
    assert.equal((await stripe.refunds.create({ payment_intent: payment })).amount, 1000)
  })

  test('a refund names a payment, a charge, or both when they belong together', async () => {
    const [one, other] = [await payOnce(), await payOnce()]
    assert.deepEqual(
      [
        await refusal(stripe.refunds.create({})),
        await refusal(stripe.refunds.create({ charge: one.charge, payment_intent: other.payment })),
        await refusal(stripe.refunds.create({ charge: one.charge, payment_intent: one.payment })),
        await refusal(stripe.refunds.create({ payment_intent: 'pi_none' })),
      ],
      [
        [
          400,
          'parameter_invalid',
          'charge',
          'One of the following params should be provided: payment_intent or charge.',
        ],
        [
          400,
          'parameter_invalid',
          'charge',
          `The charge ${one.charge} does not belong to the payment ${other.payment}.`,
        ],
        'accepted',
        [404, 'resource_missing', 'payment_intent', "No such payment intent: 'pi_none'"],
      ],
    )
  })

  test('payments, charges and refunds of another account or mode are neither found nor listed', async () => {
    const { payment, charge } = await payOnce()
    for (const key of ['sk_test_local_other', 'sk_live_local_shop']) {
      const client = world.client(key)
      for (const call of [
        client.paymentIntents.retrieve(payment),
        client.charges.retrieve(charge),
        client.refunds.create({ charge }),
        client.refunds.create({ payment_intent: payment }),
      ])
        await assert.rejects(call, { code: 'resource_missing', statusCode: 404 })
      assert.deepEqual((await client.charges.list()).data, [])
    }
  })

  test('payments are filtered by customer, charges by customer and payment, and refunds by charge and payment', async () => {
    const { id: customer } = await stripe.customers.create()
    const [known, other] = [await payOnce(100, undefined, customer), await payOnce(200)]
    const { id: refund } = await stripe.refunds.create({ charge: other.charge })
    const idsOf = async (list: Promise<{ data: { id: string }[] }>) => (await list).data.map(({ id }) => id)
    assert.deepEqual(
      [
        await idsOf(stripe.paymentIntents.list()),
        await idsOf(stripe.paymentIntents.list({ customer })),
        await idsOf(stripe.charges.list({ customer })),
        await idsOf(stripe.charges.list({ payment_intent: other.payment })),
        await idsOf(stripe.refunds.list({ charge: other.charge })),
        await idsOf(stripe.refunds.list({ payment_intent: known.payment })),
        await idsOf(stripe.refunds.list({ created: { gt: Math.floor(world.clock.now() / 1000) } })),
      ],
      [[other.payment, known.payment], [known.payment], [known.charge], [other.charge], [refund], [], []],
    )
  })
})
