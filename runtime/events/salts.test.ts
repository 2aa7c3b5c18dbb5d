import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import { EventSalts } from './salts.ts'
import { HOUR_MS } from '../kernel/durations.ts'

const NOON = Date.UTC(2026, 10, 26, 12)

test('each day has its own random salt for visitor pseudonyms', () => {
  const salts = new EventSalts(memoryStorage())
  const today = salts.of(NOON)
  assert.equal(today.day, '2026-11-26')
  assert.equal(Buffer.from(today.salt, 'base64').length, 32)
  assert.deepEqual(salts.of(NOON + 11 * HOUR_MS), today)
  assert.notEqual(salts.of(NOON + 12 * HOUR_MS).salt, today.salt)
  assert.notEqual(new EventSalts(memoryStorage()).of(NOON).salt, today.salt)
})

test('the salt for visitor pseudonyms is deleted at most 48 hours after its creation, even without further visits', () => {
  const storage = memoryStorage()
  const salts = new EventSalts(storage)
  salts.of(NOON)
  const at = salts.expire(NOON) ?? 0
  assert.ok(at > NOON && at <= NOON + 48 * HOUR_MS)
  const left = () => storage.sql.exec('select salt from event_salts').toArray().length
  assert.equal(salts.expire(at - 1), at)
  assert.equal(left(), 1)
  assert.equal(salts.expire(at), null)
  assert.equal(left(), 0)
})
