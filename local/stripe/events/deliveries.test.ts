import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Stripe } from 'stripe'
import { HeldClock } from '../../testing/held-clock.ts'
import { openWebhookReceiver, type WebhookReceiver } from '../../testing/webhook-receiver.ts'
import { silentLog } from '../../world/log.ts'
import { Journal } from '../../world/journal.ts'
import type { Store } from '../../world/store.ts'
import { openStore } from '../../schema.ts'
import type { Stripe as LocalStripe } from '../context.ts'
import { deleteObject, findObject, insertObject, saveObject } from '../objects.ts'
import { EventDeliveries } from './deliveries.ts'
import { emitEvent } from './emit.ts'

const ACCOUNT = { name: 'shop', isLive: false }
const SECRET = 'whsec_of_the_test'
const NO_REQUEST = { id: '', idempotencyKey: null }

// A delivery that is never settled fails its test at the timeout.
describe('deliveries of events to webhook endpoints', { timeout: 20_000 }, () => {
  let receiver: WebhookReceiver
  before(async () => {
    receiver = await openWebhookReceiver()
  })
  after(() => receiver.close())

  let store: Store
  let clock: HeldClock
  let stripe: LocalStripe
  beforeEach(() => {
    receiver.received.length = 0
    receiver.statuses.length = 0
    store = openStore(':memory:')
    clock = new HeldClock(Date.UTC(2027, 0, 1))
    stripe = {
      store,
      journal: new Journal(store),
      faults: null,
      log: silentLog,
      now: clock.now,
      pagesUrl: () => '',
      deliveries: { check: () => {} },
    }
  })
  afterEach(() => store.close())

  const addEndpoint = (
    id: string,
    change: { enabled_events?: string[]; url?: string; status?: 'disabled' } = {},
  ) =>
    insertObject<'webhook_endpoint'>(
      stripe,
      ACCOUNT,
      {
        id,
        object: 'webhook_endpoint',
        api_version: null,
        application: null,
        created: 1,
        description: null,
        enabled_events: ['*'],
        livemode: false,
        metadata: {},
        status: 'enabled',
        url: `${receiver.url}/${id}`,
        ...change,
      },
      { secret: SECRET },
    )
  const emitTestEvent = (type = 'charge.succeeded', account = ACCOUNT) =>
    emitEvent({ stripe, account, request: NO_REQUEST }, type, { id: 'ch_1', object: 'charge' })
  /** Starts the deliveries, sends due events, and closes, like a process that starts and ends. */
  const runOnce = async (timeScale = 1) => {
    const deliveries = new EventDeliveries({ store, now: clock.now, timeScale })
    deliveries.check()
    while (rows().some(({ due }) => due !== null && due <= 0)) await setImmediate()
    await deliveries.close()
  }
  /** The state of each delivery. `due` is in milliseconds from now. */
  const rows = () =>
    store
      .all<{ endpoint_id: string; attempts: number; due_at: number | null; last_status: number | null }>(
        'SELECT endpoint_id, attempts, due_at, last_status FROM stripe_deliveries ORDER BY id',
      )
      .map((row) => ({
        endpoint: row.endpoint_id,
        attempts: row.attempts,
        due: row.due_at === null ? null : row.due_at - clock.now(),
        status: row.last_status,
      }))

  test("a webhook event is delivered once, with a signature that Stripe's client accepts only for its bytes and secret", async () => {
    addEndpoint('we_1')
    emitTestEvent()
    await runOnce()
    await runOnce()
    const [{ body, headers, path } = { body: '', headers: {}, path: '' }] = receiver.received
    const signature = String(headers['stripe-signature'])
    const { webhooks } = new Stripe('sk_test_local_shop')
    const at = clock.now() / 1000
    const event = webhooks.constructEvent(body, signature, SECRET, 300, undefined, at)
    assert.deepEqual(
      [receiver.received.length, path, headers['content-type'], event.type, event.data.object],
      [1, '/we_1', 'application/json; charset=utf-8', 'charge.succeeded', { id: 'ch_1', object: 'charge' }],
    )
    for (const [changed, secret] of [
      [`${body} `, SECRET],
      [body, 'whsec_other'],
    ] as const)
      assert.throws(
        () => webhooks.constructEvent(changed, signature, secret, 300, undefined, at),
        /signature/,
      )
    assert.deepEqual(rows(), [{ endpoint: 'we_1', attempts: 1, due: null, status: 200 }])
  })

  test('a webhook event is sent to each enabled endpoint of its account and mode that subscribes to its type', async () => {
    addEndpoint('we_all')
    addEndpoint('we_type', { enabled_events: ['charge.refunded', 'charge.succeeded'] })
    addEndpoint('we_other', { enabled_events: ['charge.refunded'] })
    addEndpoint('we_off', { status: 'disabled' })
    emitTestEvent('charge.succeeded')
    emitTestEvent('charge.succeeded', { name: 'shop', isLive: true })
    emitTestEvent('charge.succeeded', { name: 'other', isLive: false })
    await runOnce()
    assert.deepEqual(receiver.received.map(({ path }) => path).toSorted(), ['/we_all', '/we_type'])
  })

  test('a failed webhook delivery is retried three times, after 1, 5 and 30 seconds, each with a new signature', async () => {
    addEndpoint('we_1')
    emitTestEvent()
    receiver.statuses.push(500, 404, 302, 503)
    const states = []
    for (const waitMs of [0, 1000, 5000, 30_000, 30_000]) {
      clock.advance(waitMs)
      await runOnce()
      states.push(...rows().map(({ attempts, due, status }) => [attempts, due, status]))
    }
    assert.deepEqual(states, [
      [1, 1000, 500],
      [2, 5000, 404],
      [3, 30_000, 302],
      [4, null, 503],
      [4, null, 503],
    ])
    const times = receiver.received.map(
      ({ headers }) => /^t=(\d+),/.exec(String(headers['stripe-signature']))?.[1],
    )
    const start = Date.UTC(2027, 0, 1) / 1000
    assert.deepEqual(times, [start, start + 1, start + 6, start + 36].map(String))
    assert.deepEqual(new Set(receiver.received.map(({ path }) => path)), new Set(['/we_1']))
  })

  test('a failed webhook delivery is not retried before it is due', async () => {
    addEndpoint('we_1')
    emitTestEvent()
    receiver.statuses.push(500)
    await runOnce()
    clock.advance(999)
    await runOnce()
    assert.deepEqual(
      [receiver.received.length, rows()],
      [1, [{ endpoint: 'we_1', attempts: 1, due: 1, status: 500 }]],
    )
  })

  test('a webhook delivery to an unreachable or invalid address counts as failed, and does not delay other endpoints', async () => {
    addEndpoint('we_closed', { url: 'http://127.0.0.1:1/' })
    addEndpoint('we_bad', { url: 'http://[' })
    addEndpoint('we_good')
    emitTestEvent()
    await runOnce()
    // Events are queued for the newest endpoint first.
    assert.deepEqual(rows(), [
      { endpoint: 'we_good', attempts: 1, due: null, status: 200 },
      { endpoint: 'we_bad', attempts: 1, due: 1000, status: 0 },
      { endpoint: 'we_closed', attempts: 1, due: 1000, status: 0 },
    ])
  })

  test('a fractional wait before a webhook retry is rounded to whole milliseconds', async () => {
    addEndpoint('we_1')
    emitTestEvent()
    receiver.statuses.push(500)
    await runOnce(0.0123)
    assert.deepEqual(rows(), [{ endpoint: 'we_1', attempts: 1, due: 12, status: 500 }])
  })

  test('a webhook delivery whose endpoint was disabled after the event is dropped without being sent', async () => {
    const endpoint = addEndpoint('we_1')
    addEndpoint('we_2')
    emitTestEvent()
    saveObject<'webhook_endpoint'>(stripe, ACCOUNT, { ...endpoint, status: 'disabled' })
    await runOnce()
    assert.deepEqual(
      [receiver.received.map(({ path }) => path), rows()],
      [
        ['/we_2'],
        [
          { endpoint: 'we_2', attempts: 1, due: null, status: 200 },
          { endpoint: 'we_1', attempts: 0, due: null, status: null },
        ],
      ],
    )
  })

  test('a webhook delivery whose endpoint was deleted after the event is not sent', async () => {
    addEndpoint('we_1')
    emitTestEvent()
    deleteObject(stripe, ACCOUNT, 'webhook_endpoint', 'we_1')
    const deliveries = new EventDeliveries({ store, now: clock.now, timeScale: 1 })
    deliveries.check()
    await deliveries.close()
    assert.deepEqual([receiver.received, findObject(stripe, ACCOUNT, 'webhook_endpoint', 'we_1')], [[], null])
  })

  test('an unresponsive webhook endpoint delays only its own events, and gets at most ten events at a time', async () => {
    addEndpoint('we_slow')
    addEndpoint('we_good')
    receiver.hanging.add('/we_slow')
    for (let i = 0; i < 12; i++) emitTestEvent(`type.${i}`)
    const deliveries = new EventDeliveries({ store, now: clock.now, timeScale: 1 })
    const countSent = (path: string) => receiver.received.filter((one) => one.path === path).length
    const settled = (endpoint: string) =>
      rows().filter((row) => row.endpoint === endpoint && row.due === null).length
    deliveries.check()
    while (settled('we_good') < 12 || countSent('/we_slow') < 10) await setImmediate()
    emitTestEvent('type.later')
    deliveries.check()
    while (settled('we_good') < 13) await setImmediate()
    assert.deepEqual([countSent('/we_slow'), settled('we_slow')], [10, 0])
    receiver.release()
    while (settled('we_slow') < 13) await setImmediate()
    await deliveries.close()
    assert.deepEqual([countSent('/we_slow'), countSent('/we_good')], [13, 13])
  })

  test('when more webhook deliveries are due than one pass sends, each is still sent exactly once', async () => {
    addEndpoint('we_1')
    for (let i = 0; i < 25; i++) emitTestEvent(`type.${i}`)
    const deliveries = new EventDeliveries({ store, now: clock.now, timeScale: 1 })
    const sending = receiver.nextRequest()
    deliveries.check()
    await sending
    deliveries.check()
    emitTestEvent('type.late')
    while (rows().some(({ due }) => due !== null)) await setImmediate()
    await deliveries.close()
    const types = receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type)
    assert.deepEqual(
      types.toSorted(),
      [...Array.from({ length: 25 }, (_, at) => `type.${at}`), 'type.late'].toSorted(),
    )
  })

  test('a stopped Stripe stand-in sends no webhook delivery, and sends the due ones after the next start', async () => {
    addEndpoint('we_1')
    emitTestEvent()
    const deliveries = new EventDeliveries({ store, now: clock.now, timeScale: 1 })
    await deliveries.close()
    deliveries.check()
    await deliveries.close()
    assert.deepEqual(rows(), [{ endpoint: 'we_1', attempts: 0, due: 0, status: null }])
    await runOnce()
    assert.equal(receiver.received.length, 1)
  })
})
