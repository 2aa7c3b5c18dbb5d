import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { besideOf, listRows, neighbour, type StatusGroup } from './list-rows.ts'

const group = (
  status: StatusGroup['status'],
  ids: string[],
  part: Partial<StatusGroup> = {},
): StatusGroup => ({
  status,
  tickets: ids.map((id) => ({ id, status }) as Ticket),
  total: ids.length,
  hasMore: false,
  isPending: false,
  error: null,
  isFolded: false,
  ...part,
})
const keys = (groups: StatusGroup[], pending: string[] = []) =>
  listRows(groups, pending).map(({ key }) => key)

describe('the rows of the list', () => {
  test('each status has its head above its tickets, an empty one has none', () => {
    assert.deepEqual(keys([group('in_progress', ['a']), group('in_review', []), group('todo', ['b', 'c'])]), [
      'group-in_progress',
      'a',
      'group-todo',
      'b',
      'c',
    ])
  })

  test('a folded status shows its head alone, and none when it counts nothing', () => {
    const folded = { isFolded: true, isPending: true }
    assert.deepEqual(keys([group('done', ['a'], folded), group('cancelled', [], folded)]), ['group-done'])
  })

  test('sentences on their way stand above what is to do', () => {
    assert.deepEqual(keys([group('todo', ['a'])], ['Make it blue']), [
      'group-todo',
      'pending-Make it blue',
      'a',
    ])
    assert.deepEqual(keys([group('todo', [])], ['x']), ['group-todo', 'pending-x'])
  })

  test('what is loading, goes on or failed says so below its head', () => {
    assert.deepEqual(keys([group('todo', [], { isPending: true, total: null })]), [
      'group-todo',
      'loading-todo',
    ])
    assert.deepEqual(keys([group('todo', ['a'], { hasMore: true })]), ['group-todo', 'a', 'more-todo'])
    assert.deepEqual(keys([group('todo', [], { error: new Error('no') })]), ['group-todo', 'failed-todo'])
    assert.deepEqual(keys([group('todo', [], { isPending: true, total: 0 })]), [])
  })

  test('the keyboard goes to the neighbour and stays at the ends', () => {
    const ids = ['a', 'b', 'c']
    assert.equal(neighbour(ids, 'b', 1), 'c')
    assert.equal(neighbour(ids, 'c', 1), 'c')
    assert.equal(neighbour(ids, 'a', -1), 'a')
    assert.equal(neighbour(ids, null, 1), 'a')
    assert.equal(neighbour(ids, 'gone', -1), 'a')
    assert.equal(neighbour([], null, 1), null)
  })

  test('the place of a ticket that leaves is taken by the next one, at the end by the one before', () => {
    assert.equal(besideOf(['a', 'b', 'c'], 'b'), 'c')
    assert.equal(besideOf(['a', 'b', 'c'], 'c'), 'b')
    assert.equal(besideOf(['a'], 'a'), null)
    assert.equal(besideOf(['a'], 'gone'), null)
  })
})
