import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countOf } from './fields.ts'

test('a value that is not a number is read as the count 0', () => {
  assert.deepEqual([5, 0, '5', null, undefined].map(countOf), [5, 0, 0, 0, 0])
})
