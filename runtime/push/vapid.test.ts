import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, test } from 'node:test'
import { vapidHeader, vapidKeysOf } from './vapid.ts'

const PAIR = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const DER = PAIR.privateKey.export({ type: 'pkcs8', format: 'der' })
const NOW = Date.parse('2026-11-24T10:00:00Z')
const ASK = { endpoint: 'https://push.example.com/send/abc', subject: 'mailto:a@example.com', nowMs: NOW }

async function readHeader(ask = ASK) {
  const text = await vapidHeader(await vapidKeysOf(DER.toString('base64url')), ask)
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(text) ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const parsed = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as object
  return { key, head: parsed(head), claims: parsed(claims), signature, signed: `${head}.${claims}` }
}

describe('the VAPID token of an app', () => {
  test('a VAPID token is signed with ES256 and sent together with the public key (RFC 8292)', async () => {
    const { key, head, signature, signed } = await readHeader()
    assert.deepEqual(head, { typ: 'JWT', alg: 'ES256' })
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
    const point = Uint8Array.from(Buffer.from(key, 'base64url'))
    const publicKey = await crypto.subtle.importKey('raw', point, algorithm, true, ['verify'])
    const bytes = Uint8Array.from(Buffer.from(signature, 'base64url'))
    assert.equal(bytes.length, 64)
    const verifyToken = (text: string) =>
      crypto.subtle.verify(
        { name: 'ECDSA', hash: 'SHA-256' },
        publicKey,
        bytes,
        new TextEncoder().encode(text),
      )
    assert.equal(await verifyToken(signed), true)
    assert.equal(await verifyToken(`${signed}x`), false)
  })

  test("a VAPID token is valid for the endpoint's origin and names the sender", async () => {
    const { claims } = await readHeader()
    assert.deepEqual(claims, {
      aud: 'https://push.example.com',
      sub: 'mailto:a@example.com',
      exp: NOW / 1000 + 12 * 3600,
    })
  })

  test("a VAPID token is valid when the push service's clock is off by less than half a day", async () => {
    const { exp } = (await readHeader()).claims as { exp: number }
    for (const hours of [-11, 11]) {
      const theirs = NOW / 1000 + hours * 3600
      // RFC 8292: the expiry is in the future, and at most a day ahead.
      assert.ok(exp > theirs && exp <= theirs + 24 * 3600, `${hours} hours`)
    }
  })

  test('a VAPID private key is read from base64 and from base64url alike', async () => {
    const { publicKey } = await vapidKeysOf(DER.toString('base64'))
    assert.equal(publicKey, (await vapidKeysOf(DER.toString('base64url'))).publicKey)
    assert.equal(Buffer.from(publicKey, 'base64url').length, 65)
  })
})
