import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { areValidPushKeys, encrypt } from './encrypt.ts'
import { createPushReceiver } from './receiver.ts'

const RFC = {
  plaintext: 'When I grow up, I want to be a watermelon',
  senderPrivate: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  senderPublic: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
  receiverPublic: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  message:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_' +
    'yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
}
const KEYS = { p256dh: RFC.receiverPublic, auth: RFC.auth }
const P256 = { name: 'ECDH', namedCurve: 'P-256' }

async function senderKeys(): Promise<CryptoKeyPair> {
  const point = Buffer.from(RFC.senderPublic, 'base64url')
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const jwk = { kty: 'EC', crv: 'P-256', x, y, d: RFC.senderPrivate }
  return {
    publicKey: await crypto.subtle.importKey('raw', Uint8Array.from(point), P256, true, []),
    privateKey: await crypto.subtle.importKey('jwk', jwk, P256, false, ['deriveBits']),
  }
}

describe('encrypting a notification', () => {
  test('encrypting the example of RFC 8291 returns the message in its appendix', async () => {
    const salt = Uint8Array.from(Buffer.from(RFC.salt, 'base64url'))
    const message = await encrypt(RFC.plaintext, KEYS, { salt, keys: await senderKeys() })
    assert.equal(Buffer.from(message).toString('base64url'), RFC.message)
  })

  test('a notification can be decrypted only by its device, and equal texts have different ciphertexts', async () => {
    const endpoint = 'https://push.example.com/1'
    const [device, other] = [await createPushReceiver(endpoint), await createPushReceiver(endpoint)]
    const text = 'ö'.repeat(1500)
    const [one, two] = [
      await encrypt(text, device.subscription.keys),
      await encrypt(text, device.subscription.keys),
    ]
    assert.equal(await device.decrypt(one), text)
    assert.notDeepEqual(one, two)
    // Every push service must accept 4,096 bytes (RFC 8030).
    assert.ok(one.length <= 4096, String(one.length))
    await assert.rejects(other.decrypt(one))
  })

  test('a device key that has the wrong length, or is not a point of the curve, is rejected', async () => {
    assert.equal(await areValidPushKeys(KEYS), true)
    const point = Buffer.from(RFC.receiverPublic, 'base64url')
    const off = Buffer.from(point)
    off[64] = (off[64] ?? 0) ^ 1
    for (const keys of [
      { ...KEYS, p256dh: off.toString('base64url') },
      { ...KEYS, p256dh: point.subarray(0, 33).toString('base64url') },
      { ...KEYS, p256dh: '' },
      { ...KEYS, auth: '' },
      { ...KEYS, auth: 'c2hvcnQ' },
    ])
      assert.equal(await areValidPushKeys(keys), false, JSON.stringify(keys))
  })
})
