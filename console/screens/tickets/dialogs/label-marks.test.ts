import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { applyMarks, findLabels, marksOf, sameLabels } from './label-marks.ts'

describe('labels of several tickets', () => {
  test('a label is marked `all` when every selected ticket has it, and otherwise `some`', () => {
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

  test('labels marked for all tickets are added, those marked for none are removed, and labels of some tickets stay', () => {
    const wanted = new Map([
      ['app', 'none'],
      ['mail', 'some'],
      ['new', 'all'],
    ] as const)
    assert.deepEqual(applyMarks(['app', 'mail'], wanted), ['mail', 'new'])
    assert.deepEqual(applyMarks([], wanted), ['new'])
  })

  test('a label that differs from an existing one only in case is not added', () => {
    assert.deepEqual(applyMarks(['App'], new Map([['app', 'all']])), ['App'])
  })

  test('labels are found by a part of the name, and only a name that does not exist is offered as a new label', () => {
    assert.deepEqual(findLabels(['App', 'mail'], 'AP'), { found: ['App'], named: 'AP', isNew: true })
    assert.deepEqual(findLabels(['App', 'mail'], ' app '), { found: ['App'], named: 'App', isNew: false })
    assert.deepEqual(findLabels(['App', 'mail'], ' '), { found: ['App', 'mail'], named: null, isNew: false })
  })

  test('the same labels of a ticket in another order count as no change', () => {
    assert.equal(sameLabels(['a', 'b'], ['b', 'a']), true)
    assert.equal(sameLabels(['a'], ['a', 'b']), false)
  })
})
