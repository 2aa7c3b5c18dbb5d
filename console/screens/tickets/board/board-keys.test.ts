import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sideways } from './board-keys.ts'

test('the left and right arrow keys move to the same position in the next column that has cards', () => {
  const columns = [['a', 'b', 'c'], [], ['d', 'e'], []]
  assert.equal(sideways(columns, 'b', 1), 'e')
  assert.equal(sideways(columns, 'c', 1), 'e')
  assert.equal(sideways(columns, 'd', -1), 'a')
  assert.equal(sideways(columns, 'd', 1), null)
  assert.equal(sideways(columns, 'a', -1), null)
  assert.equal(sideways(columns, 'gone', 1), null)
})
