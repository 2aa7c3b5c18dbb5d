import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { applyMarks, findLabels, marksOf, sameLabels } from './label-marks.ts'

describe('labels over several tickets', () => {
  test('are on all, on some or on none', () => {
    const marks = marksOf([{ labels: ['app', 'mail'] }, { labels: ['app'] }])
    assert.deepEqual(
      [...marks],
      [
        ['app', 'all'],
        ['mail', 'some'],
      ],
    )
    assert.equal(marksOf([]).size, 0)
  })

  test('what is wanted is put on and taken off, and what some have stays with them', () => {
    const wanted = new Map([
      ['app', 'none'],
      ['mail', 'some'],
      ['new', 'all'],
    ] as const)
    assert.deepEqual(applyMarks(['app', 'mail'], wanted), ['mail', 'new'])
    assert.deepEqual(applyMarks([], wanted), ['new'])
  })

  test('a label is not put on twice in another spelling', () => {
    assert.deepEqual(applyMarks(['App'], new Map([['app', 'all']])), ['App'])
  })

  test('are found by a part, and new only when no spelling of it exists', () => {
    assert.deepEqual(findLabels(['App', 'mail'], 'AP'), { found: ['App'], isNew: true })
    assert.deepEqual(findLabels(['App', 'mail'], ' app '), { found: ['App'], isNew: false })
    assert.deepEqual(findLabels(['App', 'mail'], ' '), { found: ['App', 'mail'], isNew: false })
  })

  test('the same in another order is no change', () => {
    assert.equal(sameLabels(['a', 'b'], ['b', 'a']), true)
    assert.equal(sameLabels(['a'], ['a', 'b']), false)
  })
})
