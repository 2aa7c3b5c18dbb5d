import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backoffMs } from './backoff.ts'

const LAST_RANDOM = 1 - 2 ** -53

test('without jitter the pause before a retry starts at its first length and doubles up to its maximum', () => {
  const backoff = { firstMs: 100, maxMs: 1000, jitter: 0 }
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5].map((attempt) => backoffMs(attempt, backoff)),
    [100, 200, 400, 800, 1000, 1000],
  )
})

test('the pause before a retry keeps doubling when it has no maximum', () => {
  assert.equal(backoffMs(20, { firstMs: 100, jitter: 0 }), 104_857_600)
})

test('the pause before a retry never exceeds its maximum, even after so many attempts that the doubling overflows', () => {
  for (const attempt of [64, 1024, Number.MAX_SAFE_INTEGER])
    for (const jitter of [0, 0.5, 1])
      assert.equal(backoffMs(attempt, { firstMs: 100, maxMs: 1000, jitter, random: () => 1 }), 1000)
})

test('jitter shortens the pause before a retry at random by at most its share, also at the maximum', () => {
  const rangeOf = (attempt: number, jitter: number) =>
    [0, 0.5, LAST_RANDOM].map((random) =>
      Math.round(backoffMs(attempt, { firstMs: 100, maxMs: 1000, jitter, random: () => random })),
    )
  assert.deepEqual(rangeOf(0, 0.5), [50, 75, 100])
  assert.deepEqual(rangeOf(1, 0.5), [100, 150, 200])
  assert.deepEqual(rangeOf(9, 0.5), [500, 750, 1000])
  assert.deepEqual(rangeOf(1, 1), [0, 100, 200])
})

test('the pause before a retry is random unless a random source is given', (t) => {
  const random = t.mock.method(Math, 'random', () => 0.25)
  assert.equal(backoffMs(0, { firstMs: 100, jitter: 1 }), 25)
  assert.equal(random.mock.callCount(), 1)
})
