import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { Repeats } from './repeats.ts'

const refusal = (method: string, path: string, code = 'rate_limited') =>
  new SlipwayError('Wait.', { code, status: 429, method, path })

test('a rate-limited read is retried once per path, and again after two minutes', () => {
  const repeats = new Repeats()
  const activity = refusal('GET', '/api/v1/activity')
  assert.equal(repeats.mayRepeat(activity, 0), true)
  repeats.note(activity, 0)
  assert.equal(repeats.mayRepeat(refusal('GET', '/api/v1/activity'), 60_000), false)
  assert.equal(repeats.mayRepeat(refusal('GET', '/api/v1/projects'), 60_000), true)
  assert.equal(repeats.mayRepeat(activity, 120_001), true)
})

test('a write is never retried automatically, nor is a read that failed for another reason', () => {
  const repeats = new Repeats()
  assert.equal(repeats.mayRepeat(refusal('POST', '/api/v1/projects'), 0), false)
  assert.equal(repeats.mayRepeat(refusal('GET', '/api/v1/projects', 'server_error'), 0), false)
  assert.equal(repeats.mayRepeat(new TypeError('x'), 0), false)
})
