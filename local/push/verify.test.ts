import assert from 'node:assert/strict'
import { createECDH } from 'node:crypto'
import { describe, test } from 'node:test'
import { encryptText, keyOf, makeVapid, newKeyPair } from './testing.ts'
import { decryptMessage, newDeviceKeys, readVapid } from './verify.ts'

const ORIGIN = 'https://push.slipway.test'
const NOW = Date.parse('2027-01-01T00:00:00Z')
const SECONDS = NOW / 1000
const SENDER = newKeyPair()
const CLAIMS = { aud: ORIGIN, exp: SECONDS + 3600, sub: 'mailto:ada@example.test' }

const read = (header: string | null, senderKey = keyOf(SENDER)) =>
  readVapid(header, { origin: ORIGIN, senderKey, nowMs: NOW })
const readClaims = (claims: object | string, more?: Parameters<typeof makeVapid>[2]) =>
  read(makeVapid(claims, SENDER, more))

describe('the VAPID header of a push message', () => {
  test("a valid VAPID header is accepted with its parameters in either order, and yields the sender's contact", () => {
    const header = makeVapid(CLAIMS, SENDER)
    const [, token = '', key = ''] = /t=(\S+), k=(\S+)/.exec(header) ?? []
    const accepted = { subject: 'mailto:ada@example.test' }
    assert.deepEqual(
      [header, `VAPID t=${token},k=${key}`, `vapid k=${key}, t=${token}`, `vapid  t=${token} , k=${key}`].map(
        (one) => read(one),
      ),
      [accepted, accepted, accepted, accepted],
    )
    assert.deepEqual(readClaims({ ...CLAIMS, sub: 'https://ada.example/' }), {
      subject: 'https://ada.example/',
    })
  })

  test('a VAPID header without a token or key, or with another scheme, is refused', () => {
    const header = makeVapid(CLAIMS, SENDER)
    for (const wrong of [
      null,
      '',
      'vapid',
      'vapid t=, k=',
      header.replace('vapid', 'Bearer'),
      header.split(',')[0] ?? '',
      `${header} x`,
    ])
      assert.deepEqual(read(wrong), { problem: 'no vapid token' }, String(wrong))
  })

  test('a VAPID token is valid until its expiry, which is at most a day in the future', () => {
    const ended = { problem: 'the token has expired, or lasts for more than a day' }
    const valid = { subject: CLAIMS.sub }
    assert.deepEqual(
      [SECONDS - 1, SECONDS, SECONDS + 1, SECONDS + 86_400, SECONDS + 86_401, String(SECONDS + 60), null].map(
        (exp) => readClaims({ ...CLAIMS, exp }),
      ),
      [ended, ended, valid, valid, ended, ended, ended],
    )
  })

  test('a VAPID token for another push service, with another algorithm or without a contact is refused', () => {
    assert.deepEqual(
      [
        readClaims({ ...CLAIMS, aud: `${ORIGIN}/` }),
        readClaims({ ...CLAIMS, aud: [ORIGIN] }),
        readClaims({ ...CLAIMS, sub: 'ada@example.test' }),
        readClaims({ ...CLAIMS, sub: 7 }),
        readClaims(CLAIMS, { head: { alg: 'none' } }),
        readClaims(CLAIMS, { head: {} }),
      ],
      [
        { problem: 'the token is for another push service' },
        { problem: 'the token is for another push service' },
        { problem: 'no subject' },
        { problem: 'no subject' },
        { problem: 'the algorithm is not ES256' },
        { problem: 'the algorithm is not ES256' },
      ],
    )
  })

  test('a VAPID token that is changed, signed by another key or has a truncated signature is refused', () => {
    const other = newKeyPair()
    const [head = '', claims = '', rest = ''] = makeVapid(CLAIMS, SENDER).split('.')
    const [signature = '', key = ''] = rest.split(', k=')
    const wrong = { problem: 'the signature is wrong' }
    assert.deepEqual(
      [
        read(makeVapid(CLAIMS, other, { named: keyOf(SENDER) })),
        read(`${head}.${Buffer.from('{}').toString('base64url')}.${rest}`),
        read(`${head}.${claims}.${signature.slice(0, 40)}, k=${key}`),
        read(`${head}.${claims}, k=${key}`),
        read(makeVapid(CLAIMS, other)),
      ],
      [wrong, wrong, wrong, wrong, { problem: 'the key is not the one that the device subscribed with' }],
    )
  })

  test('a signed VAPID token that is not a JSON object is refused with a reason instead of an exception', () => {
    const malformed = { problem: 'the token is not a JSON object' }
    assert.deepEqual(
      [
        readClaims('no json'),
        readClaims(''),
        readClaims('null'),
        readClaims('[]'),
        readClaims('"text"'),
        readClaims(CLAIMS, { head: 'no json' }),
        readClaims(CLAIMS, { head: '7' }),
      ],
      Array.from({ length: 7 }, () => malformed),
    )
  })

  test("a VAPID header is refused with a reason when the subscription's key is not a point on the curve", () => {
    for (const point of [
      Buffer.alloc(65),
      Buffer.concat([Buffer.of(4), Buffer.alloc(64, 255)]),
      Buffer.concat([Buffer.of(2), Buffer.alloc(64, 1)]),
    ]) {
      const named = point.toString('base64url')
      assert.deepEqual(read(makeVapid(CLAIMS, SENDER, { named }), named), {
        problem: 'the signature is wrong',
      })
    }
  })
})

describe('the decryption of a push message', () => {
  const { privateKey, publicKey } = newDeviceKeys()
  const device = { privateKey, publicKey, auth: Buffer.alloc(16, 7).toString('base64url') }
  const encrypt = (text: string, padding?: Uint8Array) =>
    encryptText(text, { p256dh: publicKey, auth: device.auth }, padding)

  test('a push message, even an empty one, is decrypted with and without padding', () => {
    assert.deepEqual(
      [
        encrypt('Grüße'),
        encrypt(''),
        encrypt('padded', Buffer.of(2, 0, 0, 0)),
        encrypt('\u0002inner\u0002'),
      ].map((one) => decryptMessage(one, device)),
      ['Grüße', '', 'padded', '\u0002inner\u0002'],
    )
  })

  test('the public key of a new device belongs to its private key', () => {
    const pair = createECDH('prime256v1')
    pair.setPrivateKey(privateKey, 'base64url')
    assert.equal(pair.getPublicKey('base64url'), publicKey)
  })

  test("decrypting a changed push message or another device's message throws", () => {
    const message = encrypt('Hello')
    const changed = Buffer.from(message)
    changed[changed.length - 20] = (changed.at(-20) ?? 0) ^ 1
    const others = [
      { ...device, ...newDeviceKeys() },
      { ...device, auth: Buffer.alloc(16, 8).toString('base64url') },
    ]
    for (const other of others) assert.throws(() => decryptMessage(message, other), /authenticate/)
    assert.throws(() => decryptMessage(changed, device), /authenticate/)
  })

  test('decrypting a push message throws when its delimiter is missing or is followed by anything but zeros', () => {
    for (const padding of [Buffer.alloc(0), Buffer.of(1), Buffer.of(2, 1), Buffer.of(0)])
      assert.throws(() => decryptMessage(encrypt('x', padding), device), /the record has no end/)
  })

  test('decrypting bytes that are not exactly one record throws, even for an empty message', () => {
    const message = encrypt('Hello')
    const small = Buffer.from(message)
    small.writeUInt32BE(message.length - 86 - 1, 16)
    const shortKey = Buffer.from(message)
    shortKey[20] = 64
    for (const wrong of [
      small,
      shortKey,
      ...[0, 15, 20, 21, 85, 86, 90, message.length - 1].map((length) => message.subarray(0, length)),
    ])
      assert.throws(() => decryptMessage(wrong, device), Error)
  })
})
