import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { openDraft } from '../../../shell/drafts.ts'
import {
  assertAlert,
  button,
  field,
  findMessage,
  isShown,
  press,
  show,
  write,
} from '../../../testing/console.tsx'
import { EditableText, type EditableTextProps } from './editable-text.tsx'

const storedDraft = () => openDraft('title', 'tkt_1').read()

function renderEditableText(part: Partial<EditableTextProps> = {}) {
  const saved: string[] = []
  const props: EditableTextProps = {
    label: 'Title',
    value: 'Add notes',
    maxLength: 200,
    draft: { kind: 'title', id: 'tkt_1' },
    onSave: async (value) => {
      saved.push(value)
      return true
    },
    children: 'Add notes',
    ...part,
  }
  const shown = show(<EditableText {...props} />)
  const changed = (value: string) =>
    shown.rerender(
      <EditableText {...props} value={value}>
        {value}
      </EditableText>,
    )
  return { saved, changed, ...shown }
}

describe('an editable text', () => {
  test('the edit button of a ticket text replaces it with a focused field that contains it', () => {
    renderEditableText()
    press('Edit: Title')
    assert.equal(field('Title').value, 'Add notes')
    assert.ok(document.activeElement === field('Title'))
  })

  test('Enter saves a single-line ticket text without surrounding spaces and moves the focus back to the edit button', async () => {
    const { saved } = renderEditableText()
    press('Edit: Title')
    write('Title', '  Add a notes field ')
    fireEvent.keyDown(field('Title'), { key: 'Enter' })
    await waitFor(() => assert.deepEqual(saved, ['Add a notes field']))
    assert.ok(document.activeElement === button('Edit: Title'))
    assert.equal(storedDraft(), '')
  })

  test('a multi-line ticket text is saved by Ctrl+Enter, and not by Enter', () => {
    const { saved } = renderEditableText({ multiline: true })
    press('Edit: Title')
    write('Title', 'Two\nlines')
    fireEvent.keyDown(field('Title'), { key: 'Enter' })
    assert.deepEqual(saved, [])
    fireEvent.keyDown(field('Title'), { key: 'Enter', ctrlKey: true })
    assert.deepEqual(saved, ['Two\nlines'])
  })

  test('Enter does not save a ticket text while an input method composes a word', () => {
    const { saved } = renderEditableText()
    press('Edit: Title')
    write('Title', 'メモ')
    fireEvent.keyDown(field('Title'), { key: 'Enter', isComposing: true })
    // In Safari the Enter that ends a composition follows `compositionend`.
    fireEvent.keyDown(field('Title'), { key: 'Enter', keyCode: 229 })
    assert.deepEqual(saved, [])
  })

  test('Escape discards an edited ticket text and its draft, closes the field and has no effect outside the field', ({
    signal,
  }) => {
    const { saved } = renderEditableText()
    let outside = 0
    document.body.addEventListener('keydown', () => outside++, { signal })
    press('Edit: Title')
    write('Title', 'Something else')
    fireEvent.keyDown(field('Title'), { key: 'Escape' })
    assert.deepEqual([saved, storedDraft()], [[], ''])
    assert.ok(button('Edit: Title'))
    assert.ok(screen.queryByLabelText('Title') === null)
    assert.equal(outside, 0)
  })

  test('Undo after Escape puts the discarded ticket text back into its field and its draft', async () => {
    renderEditableText({ multiline: true })
    press('Edit: Title')
    write('Title', 'Three long paragraphs')
    fireEvent.keyDown(field('Title'), { key: 'Escape' })
    await findMessage('Title: change discarded')
    press('Undo')
    assert.equal(field('Title').value, 'Three long paragraphs')
    assert.equal(storedDraft(), 'Three long paragraphs')
  })

  test('an unchanged ticket text and an empty title are not sent', () => {
    const { saved } = renderEditableText()
    press('Edit: Title')
    press('Save')
    press('Edit: Title')
    write('Title', '   ')
    press('Save')
    assert.deepEqual(saved, [])
  })

  test('an emptied multi-line ticket text is saved, because such a text may be removed', () => {
    const { saved } = renderEditableText({ multiline: true })
    press('Edit: Title')
    write('Title', '')
    press('Save')
    assert.deepEqual(saved, [''])
  })

  test('a ticket text that the service refuses is put back into its field and stored as a draft', async () => {
    renderEditableText({ onSave: async () => false })
    press('Edit: Title')
    write('Title', 'Refused words')
    press('Save')
    assert.equal((await screen.findByLabelText<HTMLTextAreaElement>('Title')).value, 'Refused words')
    assert.equal(storedDraft(), 'Refused words')
  })

  test('a ticket text typed during an earlier save stays in the field and in the draft after the response', async () => {
    for (const isSaved of [true, false]) {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const { unmount } = renderEditableText({ onSave: () => promise })
      press('Edit: Title')
      write('Title', 'Earlier')
      press('Save')
      press('Edit: Title')
      write('Title', 'Later')
      await act(async () => resolve(isSaved))
      assert.deepEqual([field('Title').value, storedDraft()], ['Later', 'Later'])
      unmount()
      localStorage.clear()
    }
  })

  test('after another person changed a ticket text during an edit, the first save shows that text and the second replaces it', async () => {
    const { saved, changed } = renderEditableText()
    press('Edit: Title')
    write('Title', 'Add a notes field')
    changed('Add notes to plants')
    press('Save')
    await assertAlert(/changed since you began.*Add notes to plants/)
    assert.deepEqual([field('Title').value, saved], ['Add a notes field', []])
    press('Save')
    await waitFor(() => assert.deepEqual(saved, ['Add a notes field']))
  })

  test('saving the draft of a ticket text first shows a text that another person saved after the draft was typed', async () => {
    const first = renderEditableText()
    press('Edit: Title')
    write('Title', 'Add a notes field')
    first.unmount()
    const { saved } = renderEditableText({ value: 'Add notes to plants', children: 'Add notes to plants' })
    press('Save')
    await assertAlert(/changed since you began.*Add notes to plants/)
    assert.deepEqual(saved, [])
  })

  test('a ticket text with a draft from before a reload is open for editing and contains the draft', () => {
    openDraft('title', 'tkt_1').store('Half a thou')
    renderEditableText()
    assert.equal(field('Title').value, 'Half a thou')
    assert.ok(isShown('Your unsent text is back.'))
  })

  test('a restored draft of a ticket text warns before it is saved over a text that another person has changed meanwhile', async () => {
    const first = renderEditableText()
    press('Edit: Title')
    write('Title', 'Add a notes field')
    first.unmount()
    renderEditableText({ value: 'Add notes to plants', children: 'Add notes to plants' })
    await assertAlert(/changed since you began.*Add notes to plants/)
  })

  test('a draft that empties a ticket text warns before it replaces a text that another person has written meanwhile', async () => {
    const first = renderEditableText({ value: '', children: 'No description', multiline: true })
    press('Edit: Title')
    write('Title', 'My description')
    first.unmount()
    const { saved } = renderEditableText({
      value: 'Their description',
      children: 'Their description',
      multiline: true,
    })
    await assertAlert(/changed since you began.*Their description/)
    press('Save')
    assert.deepEqual(saved, [])
    assert.equal(field('Title').value, 'My description')
  })

  test('a draft that empties a ticket text is saved without a warning while the saved text is still empty', async () => {
    const first = renderEditableText({ value: '', children: 'No description', multiline: true })
    press('Edit: Title')
    write('Title', 'My description')
    first.unmount()
    const { saved } = renderEditableText({ value: '', children: 'No description', multiline: true })
    press('Save')
    await waitFor(() => assert.deepEqual(saved, ['My description']))
  })

  test('Escape that ends the composition of an input method keeps the ticket text in its field', () => {
    renderEditableText()
    press('Edit: Title')
    write('Title', 'メモを')
    fireEvent.keyDown(field('Title'), { key: 'Escape', isComposing: true })
    fireEvent.keyDown(field('Title'), { key: 'Escape', keyCode: 229 })
    assert.equal(field('Title').value, 'メモを')
    assert.equal(storedDraft(), 'メモを')
  })

  test('a ticket text whose save succeeded during a page reload is not restored as unsent', () => {
    const first = renderEditableText()
    press('Edit: Title')
    write('Title', 'Saved words ')
    first.unmount()
    renderEditableText({ value: 'Saved words', children: 'Saved words' })
    assert.ok(button('Edit: Title'))
    assert.equal(localStorage.length, 0)
  })

  test('“Discard” in the note of a restored ticket text closes its field, and Undo brings the text back', async () => {
    openDraft('title', 'tkt_1').store('Half a thou')
    renderEditableText()
    press('Discard')
    assert.ok(button('Edit: Title'))
    assert.equal(storedDraft(), '')
    await findMessage('Unsent text discarded')
    press('Undo')
    assert.equal(storedDraft(), 'Half a thou')
  })
})
