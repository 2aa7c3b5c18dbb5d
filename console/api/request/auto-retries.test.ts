import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { AutoRetries } from './auto-retries.ts'

const refusedCall = (method: string, path: string, code = 'rate_limited') =>
  new SlipwayError('Wait.', { code, status: 429, method, path })

test('a rate-limited read is retried automatically once per path, and again only after two minutes', () => {
  const repeats = new AutoRetries()
  const activity = refusedCall('GET', '/api/v1/activity')
  assert.equal(repeats.mayRetry(activity, 0), true)
  repeats.record(activity, 0)
  assert.equal(repeats.mayRetry(refusedCall('GET', '/api/v1/activity'), 60_000), false)
  assert.equal(repeats.mayRetry(refusedCall('GET', '/api/v1/projects'), 60_000), true)
  assert.equal(repeats.mayRetry(activity, 120_001), true)
})

test('a write is never retried automatically, nor is a read that failed for another reason', () => {
  const repeats = new AutoRetries()
  assert.equal(repeats.mayRetry(refusedCall('POST', '/api/v1/projects'), 0), false)
  assert.equal(repeats.mayRetry(refusedCall('GET', '/api/v1/projects', 'server_error'), 0), false)
  assert.equal(repeats.mayRetry(new TypeError('x'), 0), false)
})
