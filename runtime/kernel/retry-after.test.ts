import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryAfterSeconds } from './retry-after.ts'

const NOW = Date.parse('Fri, 20 Nov 2026 18:00:00 GMT')

test('Retry-After in seconds is read as whole seconds, rounded up, and 0 stays 0', () => {
  assert.equal(retryAfterSeconds('120'), 120)
  assert.equal(retryAfterSeconds(' 7 '), 7)
  assert.equal(retryAfterSeconds('1.2'), 2)
  assert.equal(retryAfterSeconds('0'), 0)
})

test('Retry-After as a date is read as the seconds until then, and as 0 when it has passed', () => {
  assert.equal(retryAfterSeconds('Fri, 20 Nov 2026 18:01:30 GMT', NOW), 90)
  assert.equal(retryAfterSeconds('Fri, 20 Nov 2026 17:59:00 GMT', NOW), 0)
})

test('without a Retry-After header in seconds or as a date, no wait is returned', () => {
  for (const header of [null, undefined, '', 'soon', '1e3x', 'Infinity'])
    assert.equal(retryAfterSeconds(header, NOW), null, String(header))
})
