import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortenSubject, subjectOf } from './subject.ts'

test('the subject line of a text is the first sentence of its first line', () => {
  for (const [text, subject] of [
    ['Add pots', 'Add pots'],
    ['  Add pots.  It has a colour, too.', 'Add pots.'],
    ['Add a page for lists, e.g. of pots. Then another.', 'Add a page for lists, e.g. of pots.'],
    ['Now at version 2.1 of the list! More follows', 'Now at version 2.1 of the list!'],
    ['Add pots\n\nWith a colour.', 'Add pots'],
    ['1. Added a list of plants. 2. Added a form.', '1. Added a list of plants.'],
    ['Done! The app lists plants. It has a form.', 'Done! The app lists plants.'],
    [
      'Added a page for Dr. Smith and his patients. Then more.',
      'Added a page for Dr. Smith and his patients.',
    ],
    ['The app talks to the U.S. Weather API now. More.', 'The app talks to the U.S. Weather API now.'],
    ['', ''],
  ] as const)
    assert.equal(subjectOf(text), subject)
})

test('a subject line over 72 characters ends at a word, a single long word is cut, and no character is split', () => {
  const words = `${'pots '.repeat(15)}pots`
  const subject = subjectOf(words)
  assert.equal(subject, `${'pots '.repeat(13)}pots…`)
  assert.equal(subjectOf('x'.repeat(72)), 'x'.repeat(72))
  assert.equal(shortenSubject(`a ${'x'.repeat(100)}`), `a ${'x'.repeat(69)}…`)
  assert.equal(shortenSubject(`${'x'.repeat(70)}😀${'x'.repeat(9)}`), `${'x'.repeat(70)}…`)
  assert.equal(shortenSubject('x'.repeat(73)), `${'x'.repeat(71)}…`)
})
