import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { cleanup, waitFor } from '@testing-library/react'
import {
  assertAlert,
  field,
  findMessage,
  isShown,
  press,
  show,
  signInAs,
  write,
} from '../testing/console.tsx'
import { TextField } from '../ui/controls/text-field.tsx'
import { FormDraftNote } from './form-draft-note.tsx'
import { openDraft } from './drafts.ts'
import { useDraftFields } from './use-draft-fields.ts'

const CONSOLE = join(import.meta.dirname, '..')

/** A typical console form. “Save” behaves as if the service had stored the shown values. */
function NoteForm(props: { stored: { title: string; body: string } }) {
  const draft = useDraftFields('note', 'not_1', props.stored)
  return (
    <form>
      <FormDraftNote draft={draft} labels={{ title: 'Title' }} />
      <TextField {...draft.field('title')} label="Title" />
      <TextField {...draft.field('body')} label="Body" />
      <button type="button" onClick={() => draft.forget(draft.typed)}>
        Save
      </button>
    </form>
  )
}

const renderForm = (title = 'Plants', body = '') => show(<NoteForm stored={{ title, body }} />)
const reloadForm = (title?: string) => {
  cleanup()
  return renderForm(title)
}
const BACK = 'Your unsent text is back.'

describe('the draft of a form', () => {
  test('after a reload, edited form fields have the draft and other fields the stored value, until a save removes the draft', () => {
    renderForm()
    assert.ok(!isShown(BACK))
    write('Body', 'Water them')
    reloadForm('Garden')
    assert.ok(isShown(BACK))
    assert.deepEqual([field('Title').value, field('Body').value], ['Garden', 'Water them'])
    press('Save')
    assert.ok(!isShown(BACK))
    assert.equal(localStorage.length, 0)
  })

  test('a form field with restored text also shows a value that was saved after the text was typed', async () => {
    renderForm()
    write('Title', 'My plants')
    reloadForm('Garden')
    await assertAlert(/“Title” was saved with another value.*Garden/)
    assert.equal(field('Title').value, 'My plants')
    write('Title', 'Garden')
    assert.equal(localStorage.length, 0)
  })

  test('a form draft that equals the stored value after a reload is not restored', () => {
    renderForm()
    write('Title', 'Garden')
    reloadForm('Garden')
    assert.ok(!isShown(BACK))
    assert.equal(localStorage.length, 0)
  })

  test('“Discard” in a form with restored text shows the stored values, and Undo keeps newer text', async () => {
    renderForm()
    write('Title', 'My plants')
    write('Body', 'Water them')
    reloadForm()
    press('Discard')
    assert.deepEqual([field('Title').value, field('Body').value, localStorage.length], ['Plants', '', 0])
    assert.ok(document.activeElement === field('Title'))
    write('Title', 'Newer')
    await findMessage('Unsent text discarded')
    press('Undo')
    await waitFor(() => assert.equal(field('Body').value, 'Water them'))
    assert.equal(field('Title').value, 'Newer')
  })

  test('the draft of a form is not shown to another user of the same browser', () => {
    renderForm()
    write('Body', 'Water them')
    signInAs('usr_bob')
    reloadForm()
    assert.equal(field('Body').value, '')
    assert.ok(!isShown(BACK))
  })

  test('a stored form draft that is not JSON or has other fields is ignored and removed', () => {
    const stored = ['{"title":', '[]', '"text"', '{"title":"text"}', '{"other":{"text":"a","over":"b"}}']
    for (const text of stored) {
      openDraft('note', 'not_1').store(text)
      renderForm()
      assert.deepEqual([field('Title').value, isShown(BACK)], ['Plants', false], text)
      assert.equal(localStorage.length, 0, text)
      cleanup()
    }
  })

  test('with one form in two tabs, the last keystroke determines the draft, and a save in one tab keeps the newer draft', () => {
    const [tab, other] = [openDraft('note', 'not_1'), openDraft('note', 'not_1')]
    renderForm()
    write('Body', 'From this tab')
    other.store(JSON.stringify({ body: { text: 'From the other', over: '' } }))
    press('Save')
    assert.match(tab.read(), /From the other/)
    reloadForm()
    assert.equal(field('Body').value, 'From the other')
  })

  test('no password field of the console has a draft', () => {
    const elements = globSync('**/*.tsx', { cwd: CONSOLE })
      .map((file) => readFileSync(join(CONSOLE, file), 'utf8'))
      .flatMap((source) => source.match(/<(?:TextField|input)\b[^]*?\/>/g) ?? [])
      .filter((element) => element.includes('type="password"'))
    assert.ok(elements.length >= 10)
    for (const element of elements) assert.doesNotMatch(element, /draft|unsent/i)
  })
})
