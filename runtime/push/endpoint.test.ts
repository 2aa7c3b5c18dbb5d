import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deviceIdOf, subscriptionIn } from './endpoint.ts'
import { createPushReceiver } from './receiver.ts'

const ENDPOINT = 'https://push.example.com/send/abc'

describe('the subscription of a browser', () => {
  test('a push subscription with an https endpoint on a public host is accepted', async () => {
    const { subscription } = await createPushReceiver(ENDPOINT)
    assert.deepEqual(await subscriptionIn({ ...subscription, expirationTime: null }), subscription)
    const local = await createPushReceiver('https://push.slipway.test/send/1')
    assert.deepEqual(await subscriptionIn(local.subscription), local.subscription)
  })

  test('a push subscription with a private address, another port or without https is rejected', async () => {
    const { subscription } = await createPushReceiver(ENDPOINT)
    for (const endpoint of [
      'http://push.example.com/',
      'https://push.example.com:8443/',
      'https://localhost/',
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://2130706433/',
      'https://printer.local/',
      'https://app.slipway.test/',
      'https://push.slipway.test.localhost/',
      'http://push.slipway.test/',
      'https://push.slipway.test@127.0.0.1/',
      '',
      undefined,
      7,
    ])
      await assert.rejects(
        subscriptionIn({ ...subscription, endpoint }),
        { field: 'endpoint' },
        String(endpoint),
      )
  })

  test("a push subscription without the browser's keys is rejected", async () => {
    const { subscription } = await createPushReceiver(ENDPOINT)
    for (const keys of [
      undefined,
      {},
      { ...subscription.keys, auth: 7 },
      { ...subscription.keys, p256dh: 'AAAA' },
    ])
      await assert.rejects(subscriptionIn({ ...subscription, keys }), { field: 'keys' })
    for (const given of [null, undefined, 'text', []]) await assert.rejects(subscriptionIn(given))
  })

  test('the id of a push subscription does not reveal its endpoint', () => {
    const id = deviceIdOf(ENDPOINT)
    assert.match(id, /^[a-f0-9]{64}$/)
    assert.equal(id, deviceIdOf(ENDPOINT))
    assert.notEqual(id, deviceIdOf(`${ENDPOINT}d`))
  })
})
