import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { applyMarks, findLabels, marksOf, sameLabels } from './label-marks.ts'

describe('labels of several tickets', () => {
  test('each label of the selected tickets is marked `all` or `some`, by how many of the tickets have it', () => {
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

  test('labels wanted on all tickets are added, labels wanted on none are removed, and all others stay', () => {
    const wanted = new Map([
      ['app', 'none'],
      ['mail', 'some'],
      ['new', 'all'],
    ] as const)
    assert.deepEqual(applyMarks(['app', 'mail'], wanted), ['mail', 'new'])
    assert.deepEqual(applyMarks([], wanted), ['new'])
  })

  test('a label that differs only in case is not added again', () => {
    assert.deepEqual(applyMarks(['App'], new Map([['app', 'all']])), ['App'])
  })

  test('labels are found by a part of their name, and a new one is offered unless the name exists in any letter case', () => {
    assert.deepEqual(findLabels(['App', 'mail'], 'AP'), { found: ['App'], named: 'AP', isNew: true })
    assert.deepEqual(findLabels(['App', 'mail'], ' app '), { found: ['App'], named: 'App', isNew: false })
    assert.deepEqual(findLabels(['App', 'mail'], ' '), { found: ['App', 'mail'], named: null, isNew: false })
  })

  test('the same labels in another order count as no change', () => {
    assert.equal(sameLabels(['a', 'b'], ['b', 'a']), true)
    assert.equal(sameLabels(['a'], ['a', 'b']), false)
  })
})
