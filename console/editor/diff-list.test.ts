import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nextChange, opensAtFirst, sumChanges } from './diff-list.ts'
import type { FileDiff } from '../ui/code/shown-text.ts'

const file = (path: string, added: number, removed = 0): FileDiff => ({
  path,
  status: 'modified',
  added,
  removed,
  before: '',
  after: '',
})

describe('the files of a comparison', () => {
  test('the first files of a comparison are unfolded, up to a number of changed lines, and always at least one', () => {
    const paths = (...files: FileDiff[]) => [...opensAtFirst(files)]
    assert.deepEqual(paths(), [])
    assert.deepEqual(paths(file('a', 5000)), ['a'])
    assert.deepEqual(paths(file('a', 700), file('b', 700, 100), file('c', 1)), ['a', 'b'])
    // File `c` is small, but stays closed: the open files are always next to each other.
    assert.deepEqual(paths(file('a', 1), file('b', 2000), file('c', 1)), ['a'])
  })

  test('the added and removed lines of a comparison are summed over all files', () => {
    assert.deepEqual(sumChanges([file('a', 3, 1), file('b', 4)]), { added: 7, removed: 1 })
  })
})

describe('the next change', () => {
  test('the next change is the first one below the current position', () => {
    assert.deepEqual(nextChange([300, 100, 200], 100), { px: 200, place: 2, count: 3 })
    assert.deepEqual(nextChange([300, 100, 200], -50), { px: 100, place: 1, count: 3 })
  })

  test('after the last change the next one is the first of the page, and without changes there is none', () => {
    assert.deepEqual(nextChange([100, 200], 200), { px: 100, place: 1, count: 2 })
    assert.equal(nextChange([], 0), null)
  })
})
