import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { applyMarks, findLabels, marksOf, sameLabels } from './label-marks.ts'

describe('labels of several tickets', () => {
  test('a label is on all, on some or on none of the tickets', () => {
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

  test('wanted labels are added, unwanted ones removed, and undecided ones kept', () => {
    const wanted = new Map([
      ['app', 'none'],
      ['mail', 'some'],
      ['new', 'all'],
    ] as const)
    assert.deepEqual(applyMarks(['app', 'mail'], wanted), ['mail', 'new'])
    assert.deepEqual(applyMarks([], wanted), ['new'])
  })

  test('a label is not added again in another case', () => {
    assert.deepEqual(applyMarks(['App'], new Map([['app', 'all']])), ['App'])
  })

  test('labels are found by a part, and a new one is offered unless a label equals it in any case', () => {
    assert.deepEqual(findLabels(['App', 'mail'], 'AP'), { found: ['App'], named: 'AP', isNew: true })
    assert.deepEqual(findLabels(['App', 'mail'], ' app '), { found: ['App'], named: 'App', isNew: false })
    assert.deepEqual(findLabels(['App', 'mail'], ' '), { found: ['App', 'mail'], named: null, isNew: false })
  })

  test('the same labels in another order are not a change', () => {
    assert.equal(sameLabels(['a', 'b'], ['b', 'a']), true)
    assert.equal(sameLabels(['a'], ['a', 'b']), false)
  })
})
