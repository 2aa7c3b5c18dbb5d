import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sideways } from './board-keys.ts'

test('the left and right arrow keys select the card at the same position in the next non-empty column, or else its last card', () => {
  const columns = [['a', 'b', 'c'], [], ['d', 'e'], []]
  assert.equal(sideways(columns, 'b', 1), 'e')
  assert.equal(sideways(columns, 'c', 1), 'e')
  assert.equal(sideways(columns, 'd', -1), 'a')
  assert.equal(sideways(columns, 'd', 1), null)
  assert.equal(sideways(columns, 'a', -1), null)
  assert.equal(sideways(columns, 'gone', 1), null)
})
