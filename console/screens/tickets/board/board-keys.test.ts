import assert from 'node:assert/strict'
import { test } from 'node:test'
import { neighbourInRow } from './board-keys.ts'

test('the left and right arrow keys move to the same position in the next non-empty board column, or to its last card', () => {
  const columns = [['a', 'b', 'c'], [], ['d', 'e'], []]
  assert.equal(neighbourInRow(columns, 'b', 1), 'e')
  assert.equal(neighbourInRow(columns, 'c', 1), 'e')
  assert.equal(neighbourInRow(columns, 'd', -1), 'a')
  assert.equal(neighbourInRow(columns, 'd', 1), null)
  assert.equal(neighbourInRow(columns, 'a', -1), null)
  assert.equal(neighbourInRow(columns, 'gone', 1), null)
})
