import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backoffMs } from './backoff.ts'

test('the pause before a retry of the SDK starts at half a second and doubles up to eight seconds', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5].map((retry) => backoffMs(retry, 0)),
    [500, 1000, 2000, 4000, 8000, 8000],
  )
})

test('the pause before a retry of the SDK stays at eight seconds after so many retries that the doubling overflows', () => {
  for (const retry of [64, 1024, Number.MAX_SAFE_INTEGER])
    assert.equal(
      backoffMs(retry, 1, () => 1),
      8000,
    )
})

test('jitter shortens the pause before a retry of the SDK at random by at most its share', () => {
  const rangeOf = (retry: number, jitter: number) =>
    [0, 0.5, 0.9999].map((random) => Math.round(backoffMs(retry, jitter, () => random)))
  assert.deepEqual(rangeOf(0, 0.5), [250, 375, 500])
  assert.deepEqual(rangeOf(1, 1), [0, 500, 1000])
  assert.deepEqual(rangeOf(9, 0.5), [4000, 6000, 8000])
})
