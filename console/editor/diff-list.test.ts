import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nextChange, initiallyExpanded, sumChanges } from './diff-list.ts'
import type { FileDiff } from './shown-text.ts'

const fileDiff = (path: string, added: number, removed = 0): FileDiff => ({
  path,
  status: 'modified',
  added,
  removed,
  before: '',
  after: '',
})

describe('the files of a comparison', () => {
  test('a diff expands its first files up to a limit of changed lines, and always the very first file', () => {
    const paths = (...files: FileDiff[]) => [...initiallyExpanded(files)]
    assert.deepEqual(paths(), [])
    assert.deepEqual(paths(fileDiff('a', 5000)), ['a'])
    assert.deepEqual(paths(fileDiff('a', 700), fileDiff('b', 700, 100), fileDiff('c', 1)), ['a', 'b'])
    // File `c` is small, but is not expanded: no file is expanded after the first one that exceeds the limit.
    assert.deepEqual(paths(fileDiff('a', 1), fileDiff('b', 2000), fileDiff('c', 1)), ['a'])
  })

  test('the added lines and the removed lines of a diff are summed over all files', () => {
    assert.deepEqual(sumChanges([fileDiff('a', 3, 1), fileDiff('b', 4)]), { added: 7, removed: 1 })
  })
})

describe('the next change', () => {
  test('the jump to the next change of a diff goes to the first change below the current scroll position', () => {
    assert.deepEqual(nextChange([300, 100, 200], 100), { px: 200, place: 2, count: 3 })
    assert.deepEqual(nextChange([300, 100, 200], -50), { px: 100, place: 1, count: 3 })
  })

  test('the jump after the last change of a diff goes to the first change, and a diff without changes has no next change', () => {
    assert.deepEqual(nextChange([100, 200], 200), { px: 100, place: 1, count: 2 })
    assert.equal(nextChange([], 0), null)
  })
})
