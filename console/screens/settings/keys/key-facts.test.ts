import assert from 'node:assert/strict'
import { test } from 'node:test'
import { factsOf, isExpired } from './key-facts.ts'

const NOW = new Date('2026-06-10T12:00:00Z')
const API_KEY = {
  createdAt: '2026-06-08T12:00:00Z',
  createdBy: { id: 'usr_1', name: 'Ada' },
  source: 'console' as const,
  lastUsedAt: null,
  expiresAt: null,
}

test('an API key shows its creator, its last use and its expiry', () => {
  assert.deepEqual(factsOf(API_KEY, NOW), ['created 2 days ago by Ada', 'never used', 'never expires'])
  const device = {
    ...API_KEY,
    createdBy: null,
    source: 'device' as const,
    lastUsedAt: '2026-06-10T11:00:00Z',
    expiresAt: '2026-09-08T12:00:00Z',
  }
  assert.deepEqual(factsOf(device, NOW), [
    'approved for a device 2 days ago',
    'used 1 hour ago',
    'expires in 3 months',
  ])
})

test('an API key is expired from the moment of `expiresAt` on', () => {
  const at = (expiresAt: string | null) => isExpired({ expiresAt }, NOW)
  assert.deepEqual(
    [at(null), at('2026-06-10T12:00:00.001Z'), at('2026-06-10T12:00:00Z')],
    [false, false, true],
  )
  assert.equal(factsOf({ ...API_KEY, expiresAt: '2026-06-10T12:00:00Z' }, NOW)[2], 'expired')
})
