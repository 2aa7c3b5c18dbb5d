import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSteady, median, ratios } from './statistics.ts'

test('the median of an even count is the mean of the two middle values', () => {
  assert.equal(median([9, 1, 3]), 3)
  assert.equal(median([1, 9, 3, 5]), 4)
  assert.throws(() => median([]), /nothing/)
})

test('the ratio of two measured series is the median of the ratios of their rounds, not the ratio of their medians', () => {
  assert.deepEqual(ratios([10, 20, 90], [10, 10, 30]), { median: 2, min: 1, max: 3 })
  assert.throws(() => ratios([1], [1, 2]), /length/)
})

test('a measurement whose ratios or baseline values vary by more than 2x is unsteady', () => {
  assert.equal(isSteady({ median: 1, min: 0.8, max: 1.2 }, [100, 150]), true)
  assert.equal(isSteady({ median: 1, min: 0.5, max: 1.2 }, [100, 150]), false)
  assert.equal(isSteady({ median: 1, min: 0.8, max: 1.2 }, [100, 250]), false)
})
