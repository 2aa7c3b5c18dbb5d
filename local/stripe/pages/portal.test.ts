import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { Stripe } from 'stripe'
import { HeldClock } from '../../testing/held-clock.ts'
import { testStripe, type TestStripe } from '../../testing/stripe.ts'

type Features = Stripe.BillingPortal.ConfigurationCreateParams.Features
const CANCEL: Features = { subscription_cancel: { enabled: true } }
const CARD: Features = { payment_method_update: { enabled: true } }
const DECLINED_CARD = '4000 0000 0000 0002'

describe('the page of the customer portal', () => {
  let world: TestStripe
  let stripe: Stripe
  let customer: string
  let price: string
  let id: string
  beforeEach(async () => {
    world = testStripe(new HeldClock(Date.UTC(2027, 0, 15)))
    stripe = world.client()
    const { id: product } = await stripe.products.create({ name: 'Club <b>' })
    const recurring = { interval: 'month' } as const
    price = (await stripe.prices.create({ product, unit_amount: 500, currency: 'usd', recurring })).id
    customer = (await stripe.customers.create()).id
    id = (await stripe.subscriptions.create({ customer, items: [{ price }] })).id
  })
  afterEach(() => world.close())

  const openPage = async (features: Features, of = customer) => {
    const { id: configuration } = await stripe.billingPortal.configurations.create({ features })
    return (await stripe.billingPortal.sessions.create({ customer: of, configuration })).url
  }
  const post = async (url: string, fields: Record<string, string>) =>
    (await world.request(url, { method: 'POST', body: new URLSearchParams({ subscription: id, ...fields }) }))
      .status
  const state = async () => {
    const { status, cancel_at_period_end: isEnding } = await stripe.subscriptions.retrieve(id)
    return [status, isEnding]
  }
  const buttons = (page: string) =>
    [...page.matchAll(/<button name="do" value="(\w+)"/g)].map(([, value]) => value)

  test('the portal page lists subscriptions with price and period, and invoices, and escapes markup in names', async () => {
    const page = await world.show(await openPage({ ...CANCEL, ...CARD }))
    const cells = [...page.matchAll(/<td>([^]*?)<\/td>/g)].map(([, cell = '']) =>
      cell
        .replaceAll(/<[^>]+>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    assert.deepEqual(cells, [
      'Club &lt;b&gt; $5.00 per month',
      'renews 2027-02-15',
      'Cancel Card Change card',
      'LOCAL-0001',
      '2027-01-15',
      '$5.00',
      'paid',
    ])
  })

  test('the portal page offers the actions that its configuration allows, and none for an ended subscription', async () => {
    const [none, cancel, card] = [
      await openPage({ invoice_history: { enabled: true } }),
      await openPage(CANCEL),
      await openPage(CARD),
    ]
    assert.deepEqual(
      [buttons(await world.show(none)), buttons(await world.show(cancel)), buttons(await world.show(card))],
      [[], ['cancel'], ['card']],
    )
    await post(cancel, { do: 'cancel' })
    assert.deepEqual(buttons(await world.show(cancel)), ['keep'])
    await stripe.subscriptions.cancel(id)
    assert.deepEqual([buttons(await world.show(cancel)), buttons(await world.show(card))], [[], []])
  })

  test('a portal action that the configuration does not allow has no effect', async () => {
    const url = await openPage(CARD)
    assert.deepEqual([await post(url, { do: 'cancel' }), await state()], [303, ['active', false]])
    await post(await openPage(CANCEL), { do: 'card', card: DECLINED_CARD })
    await post(await openPage(CANCEL), { do: 'something' })
    world.clock.advance(32 * 86_400_000)
    assert.deepEqual(await state(), ['active', false])
  })

  test('a portal cancellation takes effect at the end of the period and can be undone, or is immediate if so configured', async () => {
    const url = await openPage(CANCEL)
    const states = []
    for (const action of ['cancel', 'keep']) {
      await post(url, { do: action })
      states.push(await state())
    }
    await post(await openPage({ subscription_cancel: { enabled: true, mode: 'immediately' } }), {
      do: 'cancel',
    })
    assert.deepEqual(
      [...states, await state()],
      [
        ['active', true],
        ['active', false],
        ['canceled', false],
      ],
    )
    const { data } = await stripe.events.list({
      types: ['customer.subscription.updated', 'customer.subscription.deleted'],
    })
    assert.deepEqual(
      data.map(({ type }) => type),
      ['customer.subscription.deleted', 'customer.subscription.updated', 'customer.subscription.updated'],
    )
  })

  test('a card that is changed in the portal is charged at the next renewal', async () => {
    await post(await openPage(CARD), { do: 'card', card: DECLINED_CARD })
    world.clock.advance(32 * 86_400_000)
    assert.deepEqual(await state(), ['past_due', false])
  })

  test("a portal form cannot change another customer's subscription, and another site cannot submit it", async () => {
    const { id: other } = await stripe.customers.create()
    const theirs = await openPage(CANCEL, other)
    const own = await openPage(CANCEL)
    const foreign = await world.request(own, {
      method: 'POST',
      body: new URLSearchParams({ subscription: id, do: 'cancel' }),
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    assert.deepEqual(
      [
        await post(theirs, { do: 'cancel' }),
        await post(own, { do: 'cancel', subscription: 'sub_none' }),
        await post(own, { do: 'cancel', subscription: '' }),
        foreign.status,
        await state(),
      ],
      [303, 404, 404, 403, ['active', false]],
    )
  })

  test('the page of an unknown portal session returns 404', async () => {
    const url = 'http://stripe.test/stripe/portal/bps_none'
    assert.deepEqual([(await world.request(url)).status, await post(url, { do: 'cancel' })], [404, 404])
  })

  test('the portal page tells a customer without subscriptions that there are none', async () => {
    const { id: other } = await stripe.customers.create()
    assert.match(await world.show(await openPage(CANCEL, other)), /No subscriptions\./)
  })
})
