import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortened, subjectOf } from './subject.ts'

test('the subject of a text is the first sentence of its first line', () => {
  for (const [text, subject] of [
    ['Add pots', 'Add pots'],
    ['  Add pots.  It has a colour, too.', 'Add pots.'],
    ['Add a page for lists, e.g. of pots. Then another.', 'Add a page for lists, e.g. of pots.'],
    ['Now at version 2.1 of the list! More follows', 'Now at version 2.1 of the list!'],
    ['Add pots\n\nWith a colour.', 'Add pots'],
    ['', ''],
  ] as const)
    assert.equal(subjectOf(text), subject)
})

test('a subject over 72 characters ends at a word, and a single long word is cut', () => {
  const words = `${'pots '.repeat(15)}pots`
  const subject = subjectOf(words)
  assert.equal(subject, `${'pots '.repeat(13)}pots…`)
  assert.equal(subjectOf('x'.repeat(72)), 'x'.repeat(72))
  assert.equal(shortened('x'.repeat(73)), `${'x'.repeat(71)}…`)
})
