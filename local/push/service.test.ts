import assert from 'node:assert/strict'
import { createCipheriv, createECDH, generateKeyPairSync, hkdfSync, randomBytes, sign } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { Store } from '../world/store.ts'
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

function vapid(claims: object = CLAIMS, pair = SENDER, named = keyOf(SENDER)): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const content = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`
  const key = { key: pair.privateKey, dsaEncoding: 'ieee-p1363' as const }
  return `vapid t=${content}.${sign('sha256', Buffer.from(content), key).toString('base64url')}, k=${named}`
}

/** Encrypts a message according to RFC 8291, without the code under test. */
function encrypted(text: string, { keys }: Subscription): Buffer {
  const pair = createECDH('prime256v1')
  const sender = pair.generateKeys()
  const receiver = Buffer.from(keys.p256dh, 'base64url')
  const salt = randomBytes(16)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiver, sender])
  const auth = Buffer.from(keys.auth, 'base64url')
  const secret = Buffer.from(hkdfSync('sha256', pair.computeSecret(receiver), auth, info, 32))
  const derive = (label: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, Buffer.from(`Content-Encoding: ${label}\0`), length))
  const cipher = createCipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  const sealed = [cipher.update(Buffer.concat([Buffer.from(text), Buffer.of(2)])), cipher.final()]
  return Buffer.concat([salt, Buffer.of(0, 0, 16, 0, 65), sender, ...sealed, cipher.getAuthTag()])
}

describe('the push service of the local cloud', () => {
  const dir = mkdtempSync(join(tmpdir(), 'slipway-push-service-'))
  const store = new Store(join(dir, 'world.db'))
  const service = new PushService(store, () => NOW)
  const routes = pushRoutes(service)
  after(() => {
    store.close()
    rmSync(dir, { recursive: true, force: true })
  })

  const device = () => service.subscribe(keyOf(SENDER), null)
  const headers = { authorization: vapid(), ttl: '60', urgency: 'high', 'content-encoding': 'aes128gcm' }
  async function send(
    to: Subscription,
    change: Record<string, string | null> = {},
    body = encrypted('Hello', to),
  ) {
    const given = Object.entries({ ...headers, ...change }).filter(
      (one): one is [string, string] => one[1] !== null,
    )
    const init = { method: 'POST', headers: given, body: Uint8Array.from(body) }
    return (await service.answer(new Request(to.endpoint, init))).status
  }

  test('a message is decrypted and listed with who sent it', async () => {
    const to = device()
    assert.equal(await send(to), 201)
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

  test('a push message of a sender with a wrong token is refused', async () => {
    const to = device()
    const seconds = NOW / 1000
    for (const authorization of [
      null,
      'Bearer x',
      vapid({ ...CLAIMS, aud: 'https://push.example.com' }),
      vapid({ ...CLAIMS, exp: seconds - 1 }),
      vapid({ ...CLAIMS, exp: seconds + 86_401 }),
      vapid({ ...CLAIMS, sub: undefined }),
      vapid({ ...CLAIMS, sub: 'http://a.example' }),
      vapid(CLAIMS, OTHER),
      vapid(CLAIMS, OTHER, keyOf(OTHER)),
    ])
      assert.equal(await send(to, { authorization }), 403, String(authorization))
  })

  test('a push message that a device could not show is refused', async () => {
    const [to, other] = [device(), device()]
    assert.equal(await send(to, {}, encrypted('Hello', other)), 400)
    assert.equal(await send(to, {}, Buffer.from('no record')), 400)
    assert.equal(await send(to, { ttl: null }), 400)
    assert.equal(await send(to, { 'content-encoding': 'aesgcm' }), 400)
    assert.equal(await send(to, {}, encrypted('x'.repeat(4000), to)), 413)
    assert.equal(await send({ ...to, endpoint: 'https://push.slipway.test/send/unknown' }), 404)
    assert.equal((await service.answer(new Request(to.endpoint))).status, 405)
  })

  test('a test device can refuse every message, and an incomplete sender key is refused', async () => {
    const post = (body: object) =>
      routes.request('/subscriptions', { method: 'POST', body: JSON.stringify(body) })
    const made = (await (await post({ senderKey: keyOf(SENDER), status: 410 })).json()) as Subscription
    assert.equal(await send(made), 410)
    for (const body of [{}, { senderKey: 'short' }, { senderKey: keyOf(SENDER), status: 200 }])
      assert.equal((await post(body)).status, 400)
  })
})
