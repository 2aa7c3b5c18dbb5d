import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entryAfterRemoval, neighbour } from './list-cursor.ts'

test('the keyboard cursor of a list moves to the next or previous entry and stops at the ends of the list', () => {
  const ids = ['a', 'b', 'c']
  assert.equal(neighbour(ids, 'b', 1), 'c')
  assert.equal(neighbour(ids, 'c', 1), 'c')
  assert.equal(neighbour(ids, 'a', -1), 'a')
  assert.equal(neighbour(ids, null, 1), 'a')
  assert.equal(neighbour(ids, 'gone', -1), 'a')
  assert.equal(neighbour([], null, 1), null)
})

test('when the entry at the keyboard cursor is removed, the cursor moves to the next entry, or at the end to the previous one', () => {
  assert.equal(entryAfterRemoval(['a', 'b', 'c'], 'b'), 'c')
  assert.equal(entryAfterRemoval(['a', 'b', 'c'], 'c'), 'b')
  assert.equal(entryAfterRemoval(['a'], 'a'), null)
  assert.equal(entryAfterRemoval(['a'], 'gone'), null)
})
