import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, test } from 'node:test'
import { readToken } from './token.ts'

const NOW = 1_800_000_000_000

describe('upload tokens', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = String(publicKey.export({ format: 'jwk' }).x)
  const grant = { use: 'get', key: 'k', exp: NOW / 1000 + 1 }
  const tokenOf = (payload: string) =>
    `${payload}.${sign(null, Buffer.from(payload), privateKey).toString('base64url')}`
  const token = tokenOf(Buffer.from(JSON.stringify(grant)).toString('base64url'))

  test('an upload token is valid until the second in which it expires', async () => {
    assert.deepEqual(await readToken(token, raw, NOW), grant)
    assert.deepEqual(await readToken(token, raw, NOW + 999), grant)
    assert.equal(await readToken(token, raw, NOW + 1000), null)
  })

  test('an upload token that was signed with another key is invalid', async () => {
    const other = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x
    assert.equal(await readToken(token, String(other), NOW), null)
  })

  test('an upload token with any character changed is invalid', async () => {
    for (let at = 0; at < token.length - 1; at++) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
      assert.equal(await readToken(changed, raw, NOW), null, `at ${at}`)
    }
  })

  test('malformed text is not an upload token', async () => {
    for (const text of ['', '.', 'a', 'a.b', '..', `${token}.`, ` ${token}`, 'é.é', '=.=', 'a.b.c'])
      assert.equal(await readToken(text, raw, NOW), null, text)
  })
})
