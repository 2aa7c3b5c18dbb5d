import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { formatSessionToken, isTeamId, isUserId, newTeamId, newUserId, ownerOf, parseToken } from './actor.ts'
import { isTooDeep } from '../depth.ts'
import { readSigned } from './token.ts'

interface Payload {
  exp: number
  sub: string
}

describe('a token that the service has signed', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const rawOf = (key: typeof publicKey) =>
    key.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64url')
  const key = rawOf(publicKey)
  const signed = (payload: string) =>
    `${payload}.${sign(null, Buffer.from(payload), privateKey).toString('base64url')}`
  const tokenOf = (payload: object) => signed(Buffer.from(JSON.stringify(payload)).toString('base64url'))
  const read = (token: string, now = 0, by = key) => readSigned<Payload>(token, by, now)

  test('a signed token is valid until the second in which it expires', async () => {
    const token = tokenOf({ exp: 100, sub: 'ada 😀' })
    assert.deepEqual(await read(token, 99_999), { exp: 100, sub: 'ada 😀' })
    assert.equal(await read(token, 100_000), null)
  })

  test('a signed token is rejected when it was signed with another key', async () => {
    const other = rawOf(generateKeyPairSync('ed25519').publicKey)
    assert.equal(await read(tokenOf({ exp: 100 }), 0, other), null)
  })

  test('a signed token whose payload was changed is rejected', async () => {
    const [, signature] = tokenOf({ exp: 100, sub: 'ada' }).split('.')
    const forged = Buffer.from(JSON.stringify({ exp: 10 ** 9, sub: 'eve' })).toString('base64url')
    assert.equal(await read(`${forged}.${signature}`), null)
  })

  test('a signed token with extra padding, spaces or a trailing dot is rejected', async () => {
    const token = tokenOf({ exp: 100, sub: 'a' })
    const [payload = '', signature = ''] = token.split('.')
    for (const spelled of [
      `${payload}=.${signature}`,
      ` ${payload}.${signature}`,
      `${payload}.${signature}.`,
    ])
      assert.equal(await read(spelled), null, spelled)
  })

  test('reading malformed text as a signed token returns null instead of throwing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.tuple(fc.base64String(), fc.base64String()).map((parts) => parts.join('.')),
        ),
        async (text) => {
          assert.equal(await read(text), null)
        },
      ),
    )
  })
})

describe('ids and sessions', () => {
  const hex = (length: number) => fc.stringMatching(new RegExp(`^[a-f0-9]{${length}}$`))

  test('new ids of people are unique, and an id of a person and an id of a team differ in format', () => {
    const users = Array.from({ length: 200 }, newUserId)
    assert.ok(users.every(isUserId))
    assert.equal(new Set(users).size, users.length)
    const team = newTeamId()
    assert.deepEqual([isTeamId(team), isUserId(team), isTeamId(users[0] ?? '')], [true, false, false])
  })

  test('formatting a session token and parsing it returns the same parts', () => {
    fc.assert(
      fc.property(hex(16), hex(64), (sessionId, secret) => {
        const token = { userId: newUserId(), sessionId, secret }
        assert.deepEqual(parseToken(formatSessionToken(token)), token)
      }),
    )
  })

  test('a session token with an extra part, a short part or capitals is rejected', () => {
    const [userId, sessionId, secret] = [newUserId(), 'a'.repeat(16), 'b'.repeat(64)]
    for (const text of [
      '',
      userId,
      `${userId}.${sessionId}`,
      `${userId}.${sessionId}.${secret}.`,
      `${userId}.${sessionId}.${secret}.x`,
      `${userId}.${sessionId}.${secret.slice(1)}`,
      `${userId}.${sessionId.toUpperCase()}.${secret}`,
      `${newTeamId()}.${sessionId}.${secret}`,
      `${userId} .${sessionId}.${secret}`,
      `${userId}.${sessionId}.${secret}\n`,
    ])
      assert.equal(parseToken(text), null, text)
  })

  test('a record has an owner when a person creates it, and none when a visitor or the app creates it', () => {
    assert.equal(ownerOf({ userId: 'u_ada', role: 'staff' }), 'u_ada')
    assert.deepEqual([ownerOf('system'), ownerOf('anonymous')], [null, null])
  })

  test('lists or objects nested 101 levels deep are reported as too deep, however wide they are', () => {
    const nested = (levels: number, wrap: (inner: unknown) => unknown) =>
      Array.from({ length: levels }).reduce<unknown>((inner) => wrap(inner), 'x')
    for (const wrap of [(inner: unknown) => [inner], (inner: unknown) => ({ a: 1, b: inner })]) {
      assert.equal(isTooDeep(nested(100, wrap)), false)
      assert.equal(isTooDeep(nested(101, wrap)), true)
    }
    assert.equal(isTooDeep(Array.from({ length: 10_000 }, () => [null])), false)
  })
})
