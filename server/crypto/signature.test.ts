import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Stripe } from 'stripe'
import { newSigningSecret, sign, verifySignature } from './signature.ts'

const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
const body = Buffer.from('{"id":"evt_1","text":"Grüße"}')
const at = new Date('2026-11-20T18:00:00.999Z')
// This signature was computed with another implementation, so it reveals an error in the service's HMAC code.
const golden = 't=1795197600,v1=ef80e9786cccd9814ff28b63eb2bd664d3941c3024b8cdbca6f1c3565823bf3b'

const isGood = (header: string | null, over: { body?: Buffer; secret?: string; now?: Date } = {}) =>
  verifySignature(header, over.body ?? body, over.secret ?? secret, over.now ?? at)
const afterSeconds = (seconds: number) => new Date(at.getTime() + seconds * 1000)

describe('the webhook signature scheme', () => {
  test('the header of a webhook signature contains the Unix time and the hex HMAC of that time, a dot and the body', () => {
    assert.equal(sign(secret, body, at), golden)
    assert.equal(sign(secret, body.toString(), at), golden)
    assert.ok(isGood(golden))
  })

  test("Stripe's library accepts the service's webhook signatures, and the service accepts those of Stripe's library", () => {
    const { webhooks } = new Stripe('sk_unused')
    const received = Math.floor(at.getTime() / 1000)
    const event = webhooks.constructEvent(body, sign(secret, body, at), secret, 300, undefined, received)
    assert.equal(event.id, 'evt_1')
    const header = webhooks.generateTestHeaderString({
      payload: body.toString(),
      secret,
      timestamp: received,
    })
    assert.ok(isGood(header))
  })

  test('a webhook signature is accepted when its time is 300 seconds before or after the clock, and refused at 301 seconds', () => {
    for (const seconds of [300, -300]) assert.ok(isGood(golden, { now: afterSeconds(seconds) }), `${seconds}`)
    for (const seconds of [301, -301])
      assert.ok(!isGood(golden, { now: afterSeconds(seconds) }), `${seconds}`)
  })

  test('a webhook signature is refused when the body differs, even if only in white space, or when the secret differs', () => {
    assert.ok(!isGood(golden, { body: Buffer.from(`${body.toString()} `) }))
    assert.ok(!isGood(golden, { secret: newSigningSecret() }))
    assert.ok(!isGood(golden, { secret: secret.slice('whsec_'.length) }), 'the prefix belongs to the key')
  })

  test('a webhook with an empty body or binary bytes can be signed and verified', () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from([0xff, 0x00, 0xc3])])
      assert.ok(isGood(sign(secret, bytes, at), { body: bytes }))
  })

  test('a webhook signature header in any form but the documented one is refused', () => {
    const [t = '', v1 = ''] = golden.split(',')
    const spellings = [
      null,
      '',
      t,
      v1,
      `${v1},${t}`,
      `${t}, ${v1}`,
      ` ${golden}`,
      `${golden} `,
      `${golden}\n`,
      `${golden},${v1}`,
      `${t},${t},${v1}`,
      `${t},${v1.toUpperCase()}`,
      `${t},${v1.slice(0, -2)}`,
      `${t},${v1}00`,
      `${t}000,${v1}`,
      `t=0${t.slice(2)},${v1}`,
      `t=+${t.slice(2)},${v1}`,
      `t=-${t.slice(2)},${v1}`,
      `t=${t.slice(2)}.0,${v1}`,
      `t=1e9,${v1}`,
      `t=${'9'.repeat(400)},${v1}`,
      `${t},v0=${v1.slice(3)}`,
      `t=,v1=`,
    ]
    for (const header of spellings) assert.ok(!isGood(header), JSON.stringify(header))
  })

  test('a webhook signature whose time is in milliseconds is refused, even if it is signed correctly', () => {
    const inMs = sign(secret, body, new Date(at.getTime() * 1000))
    assert.match(inMs, /^t=\d{13},/)
    assert.ok(!isGood(inMs))
  })

  test('a webhook signing secret is a prefix and 32 random bytes', () => {
    const made = new Set(Array.from({ length: 100 }, newSigningSecret))
    assert.equal(made.size, 100)
    for (const text of made) {
      assert.match(text, /^whsec_[A-Za-z0-9+/]{43}=$/)
      assert.equal(Buffer.from(text.slice(6), 'base64').length, 32)
    }
  })
})
