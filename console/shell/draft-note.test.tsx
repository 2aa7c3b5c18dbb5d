import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, cleanup, screen } from '@testing-library/react'
import { clearDrafts } from './clear-drafts.ts'
import { DraftNote } from './draft-note.tsx'
import { openDraft } from './drafts.ts'
import { FormDraftNote } from './form-draft-note.tsx'
import { useDraftText } from './use-draft-text.ts'
import {
  button,
  field,
  findMessage,
  isShown,
  isThere,
  press,
  show,
  signInAs,
  write,
} from '../testing/console.tsx'

const KIND = 'plan'

/** Shows a field that keeps its text after a reload, as in the composer. `earlier` is the text left by an earlier page. */
function showField(earlier = '') {
  if (earlier !== '') openDraft(KIND, 'prj_1').store(earlier)
  function Field() {
    const draft = useDraftText(KIND, 'prj_1')
    return (
      <div>
        <DraftNote draft={draft} />
        <input type="file" aria-label="A file" />
        <textarea
          aria-label="Message"
          value={draft.text}
          onChange={(event) => draft.write(event.target.value)}
        />
      </div>
    )
  }
  return show(<Field />)
}
const stored = () => openDraft(KIND, 'prj_1').read()
const BACK = 'Your unsent text is back.'

describe('text that was typed but not sent', () => {
  test('unsent text is restored to its field after a reload, with a note until the field is emptied', () => {
    showField('A shop\nfor plants')
    assert.equal(field('Message').value, 'A shop\nfor plants')
    assert.ok(isShown(BACK))
    write('Message', 'A shop')
    assert.ok(isShown(BACK))
    write('Message', '')
    assert.ok(!isShown(BACK))
    write('Message', 'Another')
    assert.ok(!isShown(BACK), 'this text was typed here')
  })

  test('a field without unsent text has no note about it', () => {
    showField()
    assert.ok(!isThere('status'))
    assert.ok(!isThere('button'))
  })

  test('discarding unsent text empties and focuses the field and removes the stored copy, and can be undone', async () => {
    showField('A shop')
    act(() => button('Discard').focus())
    press('Discard')
    assert.deepEqual([field('Message').value, stored(), isShown(BACK)], ['', '', false])
    assert.ok(document.activeElement === field('Message'), 'and not the field for a file')
    await findMessage('Unsent text discarded')
    press('Undo')
    assert.deepEqual([field('Message').value, stored()], ['A shop', 'A shop'])
  })

  test('undoing a discard keeps text that was typed after the discard', async () => {
    showField('A shop')
    press('Discard')
    write('Message', 'A library')
    await findMessage('Unsent text discarded')
    press('Undo')
    assert.deepEqual([field('Message').value, stored()], ['A library', 'A library'])
  })

  test('undoing a discard also keeps newer text that is too long to be stored', async () => {
    showField('A shop')
    press('Discard')
    await findMessage('Unsent text discarded')
    write('Message', 'x'.repeat(262_145))
    press('Undo')
    assert.equal(field('Message').value.length, 262_145)
  })

  test('a discard can be undone even after the field was unmounted', async () => {
    const { unmount } = showField('A shop')
    press('Discard')
    await findMessage('Unsent text discarded')
    unmount()
    press('Undo')
    showField()
    assert.equal(field('Message').value, 'A shop')
  })

  test('undoing a discard keeps text that was typed into the field after it was unmounted and mounted again', async () => {
    const { unmount } = showField('A shop')
    press('Discard')
    await findMessage('Unsent text discarded')
    unmount()
    showField()
    write('Message', 'A library')
    press('Undo')
    assert.equal(field('Message').value, 'A library')
    assert.equal(stored(), 'A library')
  })

  test('unsent text is not shown to the next user of the browser', () => {
    showField('A shop')
    cleanup()
    signInAs('usr_bob')
    showField()
    assert.equal(field('Message').value, '')
    assert.ok(!isShown(BACK))
    signInAs()
    clearDrafts('usr_ada')
    assert.equal(stored(), '')
  })
})

describe('the note about values that were saved elsewhere during an edit', () => {
  const noteOf = (newer: { name: string; stored: string }[], labels?: Record<string, string>) =>
    show(
      <FormDraftNote
        draft={{ isRestored: false, discard: () => () => {}, newer }}
        {...(labels && { labels })}
      />,
    )
  const alerts = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent)

  test('each value that another user saved after a draft was typed is shown as text with its field name', () => {
    noteOf(
      [
        { name: 'title', stored: '<b>Ferns</b>' },
        { name: 'note', stored: '' },
      ],
      { title: 'Title' },
    )
    const sentence = 'was saved with another value after you began to change it. Saving replaces this value:'
    assert.deepEqual(alerts(), [`“Title” ${sentence}<b>Ferns</b>`, `“note” ${sentence}Nothing`])
  })

  test('without a value saved by another user, a draft shows no note about one', () => {
    noteOf([])
    assert.deepEqual(alerts(), [])
  })
})
