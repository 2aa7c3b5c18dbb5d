import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { HeldClock } from '../testing/held-clock.ts'
import { testStripe } from '../testing/stripe.ts'
import { openWebhookReceiver } from '../testing/webhook-receiver.ts'

const DAY_MS = 86_400_000

// A delivery that never arrives fails its test at the timeout.
describe('the payment provider after a restart', { timeout: 20_000 }, () => {
  const dir = mkdtempSync(join(tmpdir(), 'slipway-stripe-restart-'))
  after(() => rmSync(dir, { recursive: true, force: true }))

  test('renewals and expiries that became due while the Stripe stand-in was stopped are processed once at its next start', async () => {
    const clock = new HeldClock(Date.UTC(2027, 0, 15))
    const path = join(dir, 'due.db')
    const before = testStripe(clock, path)
    const stripe = before.client()
    const { id: product } = await stripe.products.create({ name: 'Club' })
    const recurring = { interval: 'month' } as const
    const { id: price } = await stripe.prices.create({ product, unit_amount: 5, currency: 'usd', recurring })
    const { id: customer } = await stripe.customers.create()
    const subscribe = async () => (await stripe.subscriptions.create({ customer, items: [{ price }] })).id
    const [renewed, ended] = [await subscribe(), await subscribe()]
    await stripe.subscriptions.update(ended, { cancel_at_period_end: true })
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price }],
      success_url: 'http://shop.test/',
    })
    await before.close()
    clock.pass(65 * DAY_MS)
    const states = []
    for (let start = 0; start < 2; start++) {
      const world = testStripe(clock, path)
      const { subscriptions, invoices, checkout, events } = world.client()
      states.push([
        (await subscriptions.retrieve(renewed)).status,
        (await invoices.list({ subscription: renewed })).data.length,
        (await subscriptions.retrieve(ended)).status,
        (await invoices.list({ subscription: ended })).data.length,
        (await checkout.sessions.retrieve(session.id)).status,
        (await events.list({ type: 'checkout.session.expired' })).data.length,
      ])
      await world.close()
    }
    assert.deepEqual(
      states,
      Array.from({ length: 2 }, () => ['active', 3, 'canceled', 1, 'expired', 1]),
    )
  })

  test('a webhook event that was not delivered before a restart is delivered after the restart', async () => {
    const receiver = await openWebhookReceiver()
    const path = join(dir, 'deliveries.db')
    const clock = new HeldClock()
    const before = testStripe(clock, path)
    const stripe = before.client()
    await stripe.webhookEndpoints.create({ url: receiver.url, enabled_events: ['*'] })
    const { id: product } = await stripe.products.create({ name: 'Plant' })
    const { id: price } = await stripe.prices.create({ product, unit_amount: 5, currency: 'usd' })
    const { id } = await stripe.checkout.sessions.create({
      mode: 'payment',
      line_items: [{ price }],
      success_url: 'http://shop.test/',
    })
    receiver.statuses.push(503)
    const first = receiver.nextRequest()
    await stripe.checkout.sessions.expire(id)
    await first
    // Close during the first attempt. The attempt's failure is not counted, so the event stays due.
    await before.close()
    const world = testStripe(clock, path)
    while (receiver.received.length < 2) await setImmediate()
    await world.close()
    const types = receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type)
    assert.deepEqual(types, ['checkout.session.expired', 'checkout.session.expired'])
    receiver.close()
  })

  test('advancing the clock after the Stripe stand-in was closed throws no error', async () => {
    const clock = new HeldClock()
    const path = join(dir, 'closed.db')
    const world = testStripe(clock, path)
    const stripe = world.client()
    const { id: product } = await stripe.products.create({ name: 'Club' })
    const recurring = { interval: 'day' } as const
    const { id: price } = await stripe.prices.create({ product, unit_amount: 5, currency: 'usd', recurring })
    const { id: customer } = await stripe.customers.create()
    await stripe.subscriptions.create({ customer, items: [{ price }] })
    await world.close()
    assert.doesNotThrow(() => clock.advance(5 * DAY_MS))
  })
})
