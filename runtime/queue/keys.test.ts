import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import { JobKeys } from './keys.ts'

const NOW = Date.parse('2026-11-23T12:00:00Z')
const SECOND_MS = 1000

describe('the keys of jobs', () => {
  test("of several calls with the same idempotency key only the first sends its job, and the others get that job's id", () => {
    const keys = new JobKeys(memoryStorage())
    assert.deepEqual(keys.claim('k', 'job_1', NOW), { state: 'yours', id: 'job_1' })
    assert.deepEqual(keys.claim('k', 'job_2', NOW), { state: 'busy', id: 'job_1' })
    keys.sent('k')
    assert.deepEqual(keys.claim('k', 'job_3', NOW), { state: 'sent', id: 'job_1' })
  })

  test('when a process crashes while sending a job, the next call with the same idempotency key sends it under the same id', () => {
    const keys = new JobKeys(memoryStorage())
    keys.claim('k', 'job_1', NOW)
    assert.equal(keys.claim('k', 'job_2', NOW + 9 * SECOND_MS).state, 'busy')
    assert.deepEqual(keys.claim('k', 'job_2', NOW + 11 * SECOND_MS), { state: 'yours', id: 'job_1' })
    assert.equal(keys.claim('k', 'job_3', NOW + 12 * SECOND_MS).state, 'busy')
  })

  test('a job with an idempotency key can be sent again at once after sending has failed, but not after it has succeeded', () => {
    const keys = new JobKeys(memoryStorage())
    keys.claim('k', 'job_1', NOW)
    keys.release('k')
    assert.deepEqual(keys.claim('k', 'job_2', NOW), { state: 'yours', id: 'job_1' })
    keys.sent('k')
    keys.release('k')
    assert.equal(keys.claim('k', 'job_3', NOW).state, 'sent')
  })

  test('the idempotency key of a job expires after a day', () => {
    const keys = new JobKeys(memoryStorage())
    keys.claim('k', 'job_1', NOW)
    keys.sent('k')
    assert.equal(keys.claim('k', 'job_2', NOW + 86_399 * SECOND_MS).state, 'sent')
    assert.deepEqual(keys.claim('k', 'job_2', NOW + 86_400 * SECOND_MS), { state: 'yours', id: 'job_2' })
  })
})
