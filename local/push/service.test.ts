import assert from 'node:assert/strict'
import { createCipheriv, createECDH, generateKeyPairSync, hkdfSync, randomBytes, sign } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { openStore } from '../schema.ts'
import { pushRoutes } from './routes.ts'
import { PushService, type Subscription } from './service.ts'

const NOW = Date.parse('2026-11-24T10:00:00Z')
const SENDER = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const OTHER = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const CLAIMS = { aud: 'https://push.slipway.test', exp: NOW / 1000 + 3600, sub: 'mailto:a@example.test' }

function keyOf({ publicKey }: typeof SENDER): string {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString(
    'base64url',
  )
}

function makeVapid(claims: object = CLAIMS, pair = SENDER, named = keyOf(SENDER)): string {
  const encodePart = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const content = `${encodePart({ typ: 'JWT', alg: 'ES256' })}.${encodePart(claims)}`
  const key = { key: pair.privateKey, dsaEncoding: 'ieee-p1363' as const }
  return `vapid t=${content}.${sign('sha256', Buffer.from(content), key).toString('base64url')}, k=${named}`
}

/** Encrypts a message according to RFC 8291, without the code under test. */
function encryptText(text: string, { keys }: Subscription): Buffer {
  const pair = createECDH('prime256v1')
  const sender = pair.generateKeys()
  const receiver = Buffer.from(keys.p256dh, 'base64url')
  const salt = randomBytes(16)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiver, sender])
  const auth = Buffer.from(keys.auth, 'base64url')
  const secret = Buffer.from(hkdfSync('sha256', pair.computeSecret(receiver), auth, info, 32))
  const deriveKey = (label: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, Buffer.from(`Content-Encoding: ${label}\0`), length))
  const cipher = createCipheriv('aes-128-gcm', deriveKey('aes128gcm', 16), deriveKey('nonce', 12))
  const sealed = [cipher.update(Buffer.concat([Buffer.from(text), Buffer.of(2)])), cipher.final()]
  return Buffer.concat([salt, Buffer.of(0, 0, 16, 0, 65), sender, ...sealed, cipher.getAuthTag()])
}

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
  const headers = { authorization: makeVapid(), ttl: '60', urgency: 'high', 'content-encoding': 'aes128gcm' }
  async function sendPush(
    to: Subscription,
    change: Record<string, string | null> = {},
    body = encryptText('Hello', to),
  ) {
    const given = Object.entries({ ...headers, ...change }).filter(
      (one): one is [string, string] => one[1] !== null,
    )
    const init = { method: 'POST', headers: given, body: Uint8Array.from(body) }
    return (await service.answer(new Request(to.endpoint, init))).status
  }

  test('a push message is decrypted and listed with the contact of its sender', async () => {
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

  test('a push message is refused when its VAPID token is missing, expired, or signed by another sender', async () => {
    const to = subscribeDevice()
    const seconds = NOW / 1000
    for (const authorization of [
      null,
      'Bearer x',
      makeVapid({ ...CLAIMS, aud: 'https://push.example.com' }),
      makeVapid({ ...CLAIMS, exp: seconds - 1 }),
      makeVapid({ ...CLAIMS, exp: seconds + 86_401 }),
      makeVapid({ ...CLAIMS, sub: undefined }),
      makeVapid({ ...CLAIMS, sub: 'http://a.example' }),
      makeVapid(CLAIMS, OTHER),
      makeVapid(CLAIMS, OTHER, keyOf(OTHER)),
    ])
      assert.equal(await sendPush(to, { authorization }), 403, String(authorization))
  })

  test('a push message is refused if it is not encrypted for its device, too large, or lacks a required header', async () => {
    const [to, other] = [subscribeDevice(), subscribeDevice()]
    assert.equal(await sendPush(to, {}, encryptText('Hello', other)), 400)
    assert.equal(await sendPush(to, {}, Buffer.from('no record')), 400)
    assert.equal(await sendPush(to, { ttl: null }), 400)
    assert.equal(await sendPush(to, { 'content-encoding': 'aesgcm' }), 400)
    assert.equal(await sendPush(to, {}, encryptText('x'.repeat(4000), to)), 413)
    assert.equal(await sendPush({ ...to, endpoint: 'https://push.slipway.test/send/unknown' }), 404)
    assert.equal((await service.answer(new Request(to.endpoint))).status, 405)
  })

  test('a simulated device can refuse every push message, and creating a device with an incomplete sender key fails', async () => {
    const postSubscription = (body: object) =>
      routes.request('/subscriptions', { method: 'POST', body: JSON.stringify(body) })
    const made = (await (
      await postSubscription({ senderKey: keyOf(SENDER), status: 410 })
    ).json()) as Subscription
    assert.equal(await sendPush(made), 410)
    for (const body of [{}, { senderKey: 'short' }, { senderKey: keyOf(SENDER), status: 200 }])
      assert.equal((await postSubscription(body)).status, 400)
  })
})
