import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { testStripe, type TestStripe } from '../../testing/stripe.ts'
import { openWebhookReceiver, type WebhookReceiver } from '../../testing/webhook-receiver.ts'

const PAGE = 'http://stripe.test/stripe/events'

// A delivery that never arrives fails its test at the timeout.
describe('the page of events of the local payment provider', { timeout: 20_000 }, () => {
  let receiver: WebhookReceiver
  before(async () => {
    receiver = await openWebhookReceiver()
  })
  after(() => receiver.close())
  let world: TestStripe
  beforeEach(() => {
    world = testStripe()
    receiver.received.length = 0
  })
  afterEach(() => world.close())

  /** Causes one event in an account and returns its id. */
  const causeEvent = async (key = 'sk_test_local_shop') => {
    const { products, prices, checkout, events } = world.client(key)
    const { id: product } = await products.create({ name: 'Plant' })
    const { id: price } = await prices.create({ product, unit_amount: 100, currency: 'usd' })
    const { id } = await checkout.sessions.create({
      mode: 'payment',
      line_items: [{ price }],
      success_url: 'http://shop.test/',
    })
    await checkout.sessions.expire(id)
    return (await events.list({ limit: 1 })).data[0]?.id ?? ''
  }
  const listen = (key = 'sk_test_local_shop') =>
    world.client(key).webhookEndpoints.create({ url: receiver.url, enabled_events: ['*'] })
  const resend = async (event: string, account = 'shop/test') =>
    (await world.request(PAGE, { method: 'POST', body: new URLSearchParams({ event, account }) })).status
  /** Waits until `count` events have arrived. Returns their ids. */
  const waitForReceived = async (count: number) => {
    while (receiver.received.length < count) await setImmediate()
    return receiver.received.map(({ body }) => (JSON.parse(body) as { id: string }).id)
  }
  const rows = async () =>
    [...(await world.show(PAGE)).matchAll(/<tr>([^]*?)<\/tr>/g)].map(([, row = '']) =>
      row
        .replaceAll(/<[^>]+>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )

  test('the events page lists the events of all accounts with their deliveries, and says when there are none', async () => {
    assert.match(await world.show(PAGE), /Nothing has happened yet\./)
    await listen()
    const sent = await causeEvent()
    const unsent = await causeEvent('sk_live_local_other')
    await waitForReceived(1)
    const time = new Date(Math.floor(world.clock.now() / 1000) * 1000).toISOString().slice(0, 19)
    while ((await rows())[1]?.includes('not sent yet') === true) await setImmediate()
    assert.deepEqual(await rows(), [
      `other/live ${time} checkout.session.expired ${unsent} Send again`,
      `shop/test ${time} checkout.session.expired ${sent} status 200 after 1 attempt Send again`,
    ])
  })

  test("resending a webhook event sends it with the same id to the account's currently enabled endpoints", async () => {
    const event = await causeEvent()
    const off = await listen()
    await world.client().webhookEndpoints.update(off.id, { disabled: true })
    await listen()
    await listen('sk_test_local_other')
    assert.deepEqual([await resend(event), await waitForReceived(1)], [303, [event]])
    assert.deepEqual([await resend(event), await waitForReceived(2)], [303, [event, event]])
  })

  test("resending an unknown or another account's webhook event, or by another site's form, is refused", async () => {
    await listen()
    await listen('sk_test_local_other')
    const event = await causeEvent('sk_live_local_shop')
    const headers = { 'sec-fetch-site': 'cross-site' }
    const body = new URLSearchParams({ event, account: 'shop/live' })
    assert.deepEqual(
      [
        await resend('evt_none'),
        await resend(event),
        await resend(event, 'other/test'),
        await resend(event, ''),
        (await world.request(PAGE, { method: 'POST', body, headers })).status,
      ],
      [404, 404, 404, 404, 403],
    )
    assert.deepEqual(
      (await rows()).map((row) => row.includes('sent yet')),
      [false],
    )
  })
})
