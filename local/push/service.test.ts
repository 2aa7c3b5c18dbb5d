import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { openStore } from '../schema.ts'
import { pushRoutes } from './routes.ts'
import { PushService, type DeviceSubscription } from './service.ts'
import { encryptText, keyOf, makeVapid, newKeyPair } from './testing.ts'

const NOW = Date.parse('2026-11-24T10:00:00Z')
const SENDER = newKeyPair()
const OTHER = newKeyPair()
const CLAIMS = { aud: 'https://push.slipway.test', exp: NOW / 1000 + 3600, sub: 'mailto:a@example.test' }

const vapidOf = (claims: object = CLAIMS, pair = SENDER, named = keyOf(SENDER)) =>
  makeVapid(claims, pair, { named })

describe('the push service of the local cloud', () => {
  const dir = mkdtempSync(join(tmpdir(), 'slipway-push-service-'))
  const store = openStore(join(dir, 'world.db'))
  const service = new PushService(store, () => NOW)
  const routes = pushRoutes(service)
  after(() => {
    store.close()
    rmSync(dir, { recursive: true, force: true })
  })

  const subscribeDevice = () => service.subscribe(keyOf(SENDER), null)
  const headers = { authorization: vapidOf(), ttl: '60', urgency: 'high', 'content-encoding': 'aes128gcm' }
  async function sendPush(
    to: DeviceSubscription,
    change: Record<string, string | null> = {},
    body = encryptText('Hello', to.keys),
  ) {
    const given = Object.entries({ ...headers, ...change }).filter(
      (one): one is [string, string] => one[1] !== null,
    )
    const init = { method: 'POST', headers: given, body: Uint8Array.from(body) }
    return (await service.answer(new Request(to.endpoint, init))).status
  }

  test("a push message is decrypted and listed with its sender's contact", async () => {
    const to = subscribeDevice()
    assert.equal(await sendPush(to), 201)
    const [message] = service.list()
    assert.deepEqual(
      { ...message, id: '' },
      {
        id: '',
        endpoint: to.endpoint,
        subject: 'mailto:a@example.test',
        content: 'Hello',
        ttlSeconds: 60,
        urgency: 'high',
        createdAt: NOW,
      },
    )
    assert.match(await (await routes.request('/')).text(), /Hello/)
    const listed = (await (await routes.request('/messages')).json()) as { messages: object[] }
    assert.deepEqual(listed.messages, service.list())
  })

  test('a push message without content reaches the device, and an unencrypted or falsely declared message is refused', async () => {
    const to = subscribeDevice()
    assert.equal(await sendPush(to, { 'content-encoding': null }, Buffer.alloc(0)), 201)
    assert.deepEqual([service.list()[0]?.content, service.list()[0]?.endpoint], ['', to.endpoint])
    assert.equal(await sendPush(to, {}, Buffer.alloc(0)), 400)
    assert.equal(await sendPush(to, { 'content-encoding': null }, Buffer.from('Hello')), 400)
  })

  test('a push message is refused when its VAPID token is missing, expired, or signed by another sender', async () => {
    const to = subscribeDevice()
    const seconds = NOW / 1000
    for (const authorization of [
      null,
      'Bearer x',
      vapidOf({ ...CLAIMS, aud: 'https://push.example.com' }),
      vapidOf({ ...CLAIMS, exp: seconds - 1 }),
      vapidOf({ ...CLAIMS, exp: seconds + 86_401 }),
      vapidOf({ ...CLAIMS, sub: undefined }),
      vapidOf({ ...CLAIMS, sub: 'http://a.example' }),
      vapidOf(CLAIMS, OTHER),
      vapidOf(CLAIMS, OTHER, keyOf(OTHER)),
    ])
      assert.equal(await sendPush(to, { authorization }), 403, String(authorization))
  })

  test('a push message is refused if it is not encrypted for its device, too large, or lacks a required header', async () => {
    const [to, other] = [subscribeDevice(), subscribeDevice()]
    assert.equal(await sendPush(to, {}, encryptText('Hello', other.keys)), 400)
    assert.equal(await sendPush(to, {}, Buffer.from('no record')), 400)
    assert.equal(await sendPush(to, { ttl: null }), 400)
    assert.equal(await sendPush(to, { 'content-encoding': 'aesgcm' }), 400)
    assert.equal(await sendPush(to, {}, encryptText('x'.repeat(4000), to.keys)), 413)
    assert.equal(await sendPush({ ...to, endpoint: 'https://push.slipway.test/send/unknown' }), 404)
    assert.equal((await service.answer(new Request(to.endpoint))).status, 405)
  })

  test('a simulated device can refuse every push message, and creating a device with an incomplete sender key fails', async () => {
    const postSubscription = (body: object) =>
      routes.request('/subscriptions', { method: 'POST', body: JSON.stringify(body) })
    const made = (await (
      await postSubscription({ senderKey: keyOf(SENDER), status: 410 })
    ).json()) as DeviceSubscription
    assert.equal(await sendPush(made), 410)
    for (const body of [{}, { senderKey: 'short' }, { senderKey: keyOf(SENDER), status: 200 }])
      assert.equal((await postSubscription(body)).status, 400)
  })
})
