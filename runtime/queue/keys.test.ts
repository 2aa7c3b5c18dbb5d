import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { memoryStorage } from '../kernel/sqlite.test.fixture.ts'
import { JobKeys } from './keys.ts'

const NOW = Date.parse('2026-11-23T12:00:00Z')
const SECOND_MS = 1000

describe('the keys of jobs', () => {
  test('of two who ask at once one sends, and the other one learns the id when that is done', () => {
    const keys = new JobKeys(memoryStorage())
    assert.deepEqual(keys.claim('k', 'job_1', NOW), { state: 'yours', id: 'job_1' })
    assert.deepEqual(keys.claim('k', 'job_2', NOW), { state: 'busy', id: 'job_1' })
    keys.sent('k')
    assert.deepEqual(keys.claim('k', 'job_3', NOW), { state: 'sent', id: 'job_1' })
  })

  test('the job of a sender that has died is sent by the next one, under the same id', () => {
    const keys = new JobKeys(memoryStorage())
    keys.claim('k', 'job_1', NOW)
    assert.equal(keys.claim('k', 'job_2', NOW + 9 * SECOND_MS).state, 'busy')
    assert.deepEqual(keys.claim('k', 'job_2', NOW + 11 * SECOND_MS), { state: 'yours', id: 'job_1' })
    assert.equal(keys.claim('k', 'job_3', NOW + 12 * SECOND_MS).state, 'busy')
  })

  test('a job that could not be sent may be sent at once, and one that was sent cannot be taken back', () => {
    const keys = new JobKeys(memoryStorage())
    keys.claim('k', 'job_1', NOW)
    keys.release('k')
    assert.deepEqual(keys.claim('k', 'job_2', NOW), { state: 'yours', id: 'job_1' })
    keys.sent('k')
    keys.release('k')
    assert.equal(keys.claim('k', 'job_3', NOW).state, 'sent')
  })

  test('after a day a key is forgotten', () => {
    const keys = new JobKeys(memoryStorage())
    keys.claim('k', 'job_1', NOW)
    keys.sent('k')
    assert.equal(keys.claim('k', 'job_2', NOW + 86_399 * SECOND_MS).state, 'sent')
    assert.deepEqual(keys.claim('k', 'job_2', NOW + 86_400 * SECOND_MS), { state: 'yours', id: 'job_2' })
  })
})
