import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { type Ceremony, importKey, isSigned, derToRawSignature, readCeremony } from './webauthn.ts'

const ORIGIN = new URL('https://app.example.test')
const PRESENT_AND_VERIFIED = 5
const WITH_CREDENTIAL = 64

const bytesOf = (text: string | Uint8Array): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(text as string))

interface Parts {
  client?: object
  flags?: number
  host?: string
  counter?: number
  credential?: Uint8Array
  type?: Ceremony['type']
  origin?: URL
}

function ceremonyWith(parts: Parts = {}): Ceremony {
  const { flags = PRESENT_AND_VERIFIED, host = ORIGIN.hostname, counter = 7, credential } = parts
  const data = Buffer.alloc(37)
  createHash('sha256').update(host).digest().copy(data)
  data[32] = flags
  data.writeUInt32BE(counter, 33)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(credential?.length ?? 0)
  const attested = credential === undefined ? [] : [Buffer.alloc(16), length, credential]
  return {
    type: parts.type ?? 'webauthn.get',
    origin: parts.origin ?? ORIGIN,
    clientData: bytesOf(
      JSON.stringify({
        type: 'webauthn.get',
        challenge: 'the challenge',
        origin: ORIGIN.origin,
        crossOrigin: false,
        ...parts.client,
      }),
    ),
    authenticatorData: bytesOf(Buffer.concat([data, ...attested])),
  }
}

describe('the response of an authenticator', () => {
  test('verifying a valid WebAuthn response returns its challenge and counter', () => {
    assert.deepEqual(readCeremony(ceremonyWith()), {
      challenge: 'the challenge',
      counter: 7,
      credentialId: null,
    })
    assert.equal(readCeremony(ceremonyWith({ counter: 2 ** 32 - 1 }))?.counter, 2 ** 32 - 1)
  })

  test('verifying the response for a new passkey returns its credential id, whatever its length', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 300 }), (credential) => {
        const read = readCeremony(ceremonyWith({ credential, flags: PRESENT_AND_VERIFIED | WITH_CREDENTIAL }))
        assert.equal(read?.credentialId, Buffer.from(credential).toString('base64url'))
      }),
    )
  })

  test('authenticator data with a truncated or empty credential yields no credential id', () => {
    const whole = ceremonyWith({
      credential: bytesOf('an id'),
      flags: PRESENT_AND_VERIFIED | WITH_CREDENTIAL,
    })
    const cut = { ...whole, authenticatorData: whole.authenticatorData.slice(0, -1) }
    assert.equal(readCeremony(cut)?.credentialId, null)
    const empty = ceremonyWith({ credential: bytesOf(''), flags: PRESENT_AND_VERIFIED | WITH_CREDENTIAL })
    assert.equal(readCeremony(empty)?.credentialId, null)
  })

  test('a WebAuthn response with a wrong type, host, origin or frame, or without user verification, is rejected', () => {
    for (const [what, parts] of [
      ['a registration for a sign-in', { type: 'webauthn.create' }],
      ['the hash of another host', { host: 'evil.example.test' }],
      ['an origin with another port', { client: { origin: 'https://app.example.test:8443' } }],
      ['an origin of a subdomain', { client: { origin: 'https://x.app.example.test' } }],
      ['an origin without https', { client: { origin: 'http://app.example.test' } }],
      ['an origin with a path', { client: { origin: 'https://app.example.test/x' } }],
      ['an origin that is none', { client: { origin: 'app.example.test' } }],
      ['a frame of another site', { client: { crossOrigin: true } }],
      ['no challenge', { client: { challenge: undefined } }],
      ['a person who was not present', { flags: 4 }],
      ['a person who was not verified', { flags: 1 }],
    ] as [string, Parts][])
      assert.equal(readCeremony(ceremonyWith(parts)), null, what)
  })

  test('behind a TLS proxy an app accepts passkeys from https pages, and an https app rejects passkeys from http pages', () => {
    const behind = new URL('http://app.example.test')
    assert.notEqual(readCeremony(ceremonyWith({ origin: behind })), null)
    const plain = { client: { origin: 'http://app.example.test' } }
    assert.notEqual(readCeremony(ceremonyWith({ ...plain, origin: behind })), null)
    assert.equal(readCeremony(ceremonyWith({ ...plain, origin: ORIGIN })), null)
  })

  test('arbitrary bytes are rejected as a WebAuthn response without an exception', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), fc.uint8Array({ maxLength: 80 }), (client, data) => {
        const good = ceremonyWith()
        assert.equal(readCeremony({ ...good, clientData: Uint8Array.from(client) }), null)
        assert.equal(readCeremony({ ...good, authenticatorData: Uint8Array.from(data) }), null)
      }),
    )
    for (const text of ['null', '[]', '5', '"text"', '{}'])
      assert.equal(readCeremony({ ...ceremonyWith(), clientData: bytesOf(text) }), null, text)
  })
})

describe('the signature of a passkey', () => {
  const KEYS = [
    [-7, () => generateKeyPairSync('ec', { namedCurve: 'P-256' }), 'sha256'],
    [-8, () => generateKeyPairSync('ed25519'), null],
    [-257, () => generateKeyPairSync('rsa', { modulusLength: 2048 }), 'sha256'],
  ] as const

  function signCeremony(algorithm: (typeof KEYS)[number][0], given = ceremonyWith()) {
    const [, make, hash] = KEYS.find(([one]) => one === algorithm) ?? KEYS[0]
    const { publicKey, privateKey } = make()
    const digest = createHash('sha256').update(given.clientData).digest()
    const text = Buffer.concat([given.authenticatorData, digest])
    return {
      given,
      signature: bytesOf(sign(hash, text, privateKey)),
      key: { key: bytesOf(publicKey.export({ type: 'spki', format: 'der' })), algorithm },
    }
  }

  for (const [algorithm] of KEYS)
    test(`a passkey signature with algorithm ${algorithm} is valid only for its challenge and its key`, async () => {
      const { given, signature, key } = signCeremony(algorithm)
      assert.equal(await isSigned(given, signature, key), true)
      assert.equal(await isSigned(ceremonyWith({ counter: 8 }), signature, key), false)
      assert.equal(await isSigned(ceremonyWith({ client: { challenge: 'other' } }), signature, key), false)
      assert.equal(await isSigned(given, signature, signCeremony(algorithm).key), false)
      const altered = signature.slice()
      altered[altered.length - 1] = (altered.at(-1) ?? 0) ^ 1
      assert.equal(await isSigned(given, altered, key), false)
      assert.equal(await isSigned(given, bytesOf(''), key), false)
    })

  test('a malformed passkey public key, or one of another algorithm, is not imported', async () => {
    const { key } = signCeremony(-7).key
    assert.notEqual(await importKey(key, -7), null)
    for (const [given, algorithm] of [
      [key, -8],
      [key, -257],
      [key, -36],
      [key, 0],
      [bytesOf('no key'), -7],
    ] as const)
      assert.equal(await importKey(given, algorithm), null)
  })

  test('an ECDSA signature is converted from DER to raw bytes, with any number of leading zeros', () => {
    const number = (value: Uint8Array): Buffer => {
      const at = value.findIndex((byte) => byte !== 0)
      const digits = at < 0 ? Buffer.from([0]) : Buffer.from(value.subarray(at))
      const padded = (digits[0] ?? 0) > 127 ? Buffer.concat([Buffer.from([0]), digits]) : digits
      return Buffer.concat([Buffer.from([0x02, padded.length]), padded])
    }
    const half = fc
      .tuple(fc.integer({ min: 0, max: 32 }), fc.uint8Array({ minLength: 32, maxLength: 32 }))
      .map(([zeros, value]) => Uint8Array.from(value, (byte, at) => (at < zeros ? 0 : byte)))
    fc.assert(
      fc.property(half, half, (r, s) => {
        const numbers = Buffer.concat([number(r), number(s)])
        const der = Buffer.concat([Buffer.from([0x30, numbers.length]), numbers])
        assert.deepEqual(derToRawSignature(der), Uint8Array.from([...r, ...s]))
        assert.equal(derToRawSignature(Buffer.concat([der, Buffer.from([0])])), null)
        assert.equal(derToRawSignature(der.subarray(0, -1)), null)
      }),
    )
  })

  test('bytes that are not a DER-encoded ECDSA signature are not converted to a signature', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (der) => {
        const raw = derToRawSignature(der)
        assert.ok(raw === null || (raw.length === 64 && der[0] === 0x30))
      }),
    )
    assert.equal(derToRawSignature(Uint8Array.from([0x30, 4, 0x02, 0, 0x02, 0])), null)
  })
})
