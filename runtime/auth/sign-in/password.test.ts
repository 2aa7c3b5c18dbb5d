import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, isOutdated, isPassword } from './password.ts'

test('a password matches only its own hash, in any Unicode normalization form', async () => {
  const stored = await hashPassword('cafe\u0301 au lait')
  assert.match(stored, /^scrypt\$16384\$8\$5\$[0-9a-f]{32}\$[0-9a-f]{64}$/)
  assert.ok(await isPassword('caf\u00e9 au lait', stored))
  assert.equal(await isPassword('cafe au lait', stored), false)
  assert.notEqual(stored, await hashPassword('cafe\u0301 au lait'))
})

test('an account without a stored password accepts no password', async () => {
  assert.equal(await isPassword('', null), false)
  assert.equal(await isPassword('anything', null), false)
})

test('a hash with outdated scrypt parameters still verifies its password and is reported as outdated', async () => {
  const { scryptSync } = await import('node:crypto')
  const salt = Buffer.alloc(16, 7)
  const key = scryptSync('old password', salt, 32, { N: 1024, r: 8, p: 1 })
  const stored = `scrypt$1024$8$1$${salt.toString('hex')}$${key.toString('hex')}`
  assert.ok(await isPassword('old password', stored))
  assert.deepEqual([isOutdated(stored), isOutdated(await hashPassword('x'))], [true, false])
})

test('two passwords are hashed at a time, up to fifty more wait, and any further one is rejected', async () => {
  const cheap = `scrypt$16$1$1$${'00'.repeat(16)}$${'00'.repeat(32)}`
  const results = await Promise.allSettled(Array.from({ length: 60 }, () => isPassword('x', cheap)))
  const refused = results.filter(({ status }) => status === 'rejected')
  assert.equal(refused.length, 60 - 52)
  assert.equal(await isPassword('x', null), false)
})
