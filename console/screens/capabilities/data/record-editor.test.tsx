import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Dialog } from '@cloudflare/kumo/components/dialog'
import { act, fireEvent, screen } from '@testing-library/react'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { useState } from 'react'
import {
  assertAlert,
  button,
  field,
  isShown,
  isThere,
  press,
  show,
  write,
} from '../../../testing/console.tsx'
import { RecordEditor } from './record-editor.tsx'
import type { FieldSchema } from './record-fields.ts'
import { useRecordDraft } from './use-record-draft.ts'

const schema = (name: string, type: string, part: Partial<FieldSchema> = {}): FieldSchema => ({
  name,
  type,
  required: false,
  ...part,
})
const FIELDS = [
  schema('title', 'text', { required: true }),
  schema('height', 'integer'),
  schema('isGreen', 'boolean', { required: true }),
  schema('tags', 'list'),
  schema('extra', 'json'),
]
const FERN = {
  title: 'Fern',
  height: 30,
  isGreen: true,
  tags: ['a', 'b'],
  extra: { pots: 2 },
  legacy: 'kept',
}

interface Given {
  fields?: FieldSchema[]
  own?: Record<string, unknown>
  error?: unknown
  busy?: boolean
  isStored?: boolean
}

/** Shows the editor of a record. Returns what was saved, deleted and closed, and a function that shows newer stored values. */
function renderEditor({
  fields = FIELDS,
  own = FERN,
  error = null,
  busy = false,
  isStored = true,
}: Given = {}) {
  const saved: unknown[] = []
  const calls: string[] = []
  let store = (_next: Record<string, unknown>) => {}
  function Host() {
    const [stored, setStored] = useState(own)
    store = setStored
    const draft = useRecordDraft('rec_1', fields, stored)
    return (
      <RecordEditor
        projectId="prj_1"
        fields={fields}
        title="Edit record"
        note={isStored ? 'app/rec_1' : ''}
        partition="app"
        own={stored}
        draft={draft}
        busy={busy}
        error={error}
        onSave={(values) => saved.push(values)}
        {...(isStored && { onDelete: () => calls.push('delete') })}
        onClose={() => calls.push('close')}
      />
    )
  }
  const { unmount } = show(
    <Dialog.Root open>
      <Dialog>
        <Host />
      </Dialog>
    </Dialog.Root>,
  )
  return { saved, calls, unmount, stored: (next: Record<string, unknown>) => act(() => store(next)) }
}
const json = () => field('Record as JSON').value
const mode = () =>
  (['Form', 'JSON'] as const).find((name) => button(name).getAttribute('aria-pressed') === 'true')
const invalid = (message: string) => new SlipwayError(message, { code: 'invalid_request', status: 400 })

describe('the editor of a record', () => {
  test('an attempt to save a record with an invalid field focuses that field, which may be scrolled out of view', () => {
    const { saved } = renderEditor()
    write('Height', 'tall')
    press('Save record')
    assert.ok(document.activeElement === field('Height'))
    write('Height', '3')
    write('Title', '')
    button('Save record').focus()
    press('Save record')
    assert.ok(document.activeElement === field('Title'))
    assert.deepEqual(saved, [])
  })

  test('a record field whose value the service refuses takes the focus', () => {
    const error = new SlipwayError('height: must be at most 20', {
      code: 'invalid_request',
      status: 400,
    })
    renderEditor({ error })
    assert.ok(document.activeElement === field('Height'))
  })

  test('saving an unchanged record sends each value with its stored type, including the fields that the form does not show', () => {
    const { saved } = renderEditor()
    press('Save record')
    assert.deepEqual(saved, [FERN])
  })

  test('an emptied optional field is saved as null and not as an empty text', () => {
    const { saved } = renderEditor()
    for (const label of ['Height', 'Tags', 'Extra']) write(label, ' ')
    press('Save record')
    assert.deepEqual(saved, [{ ...FERN, height: null, tags: null, extra: null }])
  })

  test('a required yes-or-no field that a stored record lacks is shown as no and can be saved at once', () => {
    const { isGreen: _, ...old } = FERN
    const { saved } = renderEditor({ own: old })
    assert.equal(field('Is green').checked, false)
    press('Save record')
    assert.deepEqual(saved, [{ ...FERN, isGreen: false }])
  })

  test('saving a record marks all its invalid fields at once, and no field is marked before', () => {
    const { saved } = renderEditor()
    write('Title', '')
    write('Height', '3x')
    write('Extra', '{')
    const marked = () =>
      ['Title', 'Height', 'Extra', 'Tags'].filter(
        (label) => field(label).getAttribute('aria-invalid') === 'true',
      )
    assert.deepEqual(marked(), [])
    press('Save record')
    assert.deepEqual(marked(), ['Title', 'Height', 'Extra'])
    write('Height', '3')
    assert.deepEqual(marked(), ['Title', 'Extra'])
    assert.deepEqual(saved, [])
  })

  test('a refused record whose error names a field of the form shows the error at that field only', () => {
    renderEditor({ error: invalid('height: is too tall') })
    assert.ok(isShown('Is too tall.'))
    assert.equal(field('Height').getAttribute('aria-invalid'), 'true')
    assert.ok(!isThere('alert'))
  })

  test('a refused record whose error names a field shows the error above the JSON, which has no separate fields', async () => {
    renderEditor({ error: invalid('height: is too tall') })
    press('JSON')
    await assertAlert(/The record was not saved/)
  })

  test('a refused record whose error names a field that the form does not show shows the error above the form', async () => {
    renderEditor({ error: invalid('legacy: is not allowed') })
    await assertAlert(/Is not allowed/)
  })

  test('a record that is saved again while it is being saved is not sent twice', () => {
    const { saved } = renderEditor({ busy: true })
    press(/Save record/)
    assert.deepEqual(saved, [])
  })

  test('a record that is not stored yet cannot be deleted', () => {
    renderEditor({ isStored: false })
    assert.ok(!isThere('button', 'Delete record'))
    assert.ok(!isShown('app/rec_1'))
  })

  test('the buttons of an open record delete it, and close it without saving', () => {
    const { saved, calls } = renderEditor()
    press('Delete record')
    press('Cancel')
    assert.deepEqual([calls, saved], [['delete', 'close'], []])
  })
})

describe('a record as JSON', () => {
  test('the JSON of a record has every stored value and no system field', () => {
    renderEditor()
    press('JSON')
    assert.deepEqual(JSON.parse(json()), FERN)
  })

  test('system fields that are typed into the JSON of a record are not sent', () => {
    const { saved } = renderEditor()
    press('JSON')
    write(
      'Record as JSON',
      '{ "title": "Ivy", "id": "rec_2", "rev": 9, "ownerId": "u_1", "partition": "app" }',
    )
    press('Save record')
    assert.deepEqual(saved, [{ title: 'Ivy' }])
  })

  test('JSON that is not an object is not saved, and its field says why', () => {
    const { saved } = renderEditor()
    press('JSON')
    for (const text of ['', '[]', 'null', '"text"', '{ "title": "Ivy" ', '{} {}']) {
      write('Record as JSON', text)
      press('Save record')
      assert.equal(field('Record as JSON').getAttribute('aria-invalid'), 'true', text)
      assert.ok(isShown(/This must be a JSON object/), text)
    }
    write('Record as JSON', '{}')
    press('Save record')
    assert.deepEqual(saved, [{}])
  })

  test('a field that was removed from the JSON of a record is empty in the form', () => {
    const { saved } = renderEditor()
    press('JSON')
    write('Record as JSON', '{ "title": "Ivy" }')
    press('Form')
    assert.deepEqual([field('Height').value, field('Tags').value, field('Extra').value], ['', '', ''])
    press('Save record')
    assert.deepEqual(saved, [{ title: 'Ivy', height: null, isGreen: false, tags: null, extra: null }])
  })

  test('a value of the wrong type in the JSON of a record is marked as invalid in the form and not converted', () => {
    const { saved } = renderEditor()
    press('JSON')
    write('Record as JSON', '{ "title": "Ivy", "height": "tall", "isGreen": true }')
    press('Form')
    assert.equal(field('Height').value, '"tall"')
    press('Save record')
    assert.deepEqual([saved, field('Height').getAttribute('aria-invalid')], [[], 'true'])
  })

  test('a collection that declares no fields is edited as JSON, and has no form to switch to', () => {
    const { saved } = renderEditor({ fields: [], own: { legacy: 'kept' } })
    assert.ok(!isThere('button', 'Form'))
    write('Record as JSON', '{ "legacy": "new" }')
    press('Save record')
    assert.deepEqual(saved, [{ legacy: 'new' }])
  })

  test('a draft of the JSON of a record is restored as it was typed, and “Discard” shows the stored record again', () => {
    const first = renderEditor()
    press('JSON')
    write('Record as JSON', '{ "title": "Iv')
    first.unmount()
    renderEditor()
    assert.deepEqual([mode(), json()], ['JSON', '{ "title": "Iv'])
    press('Discard')
    assert.deepEqual(JSON.parse(json()), FERN)
    assert.equal(localStorage.length, 0)
  })

  test('a draft that was last edited in the form is restored in the form, together with the earlier edits of the JSON', () => {
    const first = renderEditor()
    press('JSON')
    write('Record as JSON', JSON.stringify({ ...FERN, legacy: 'new' }))
    press('Form')
    write('Title', 'Ivy')
    first.unmount()
    const { saved } = renderEditor()
    assert.deepEqual([mode(), field('Title').value], ['Form', 'Ivy'])
    press('Save record')
    assert.deepEqual(saved, [{ ...FERN, title: 'Ivy', legacy: 'new' }])
  })

  test('a field that is set back to its stored value leaves no draft', () => {
    renderEditor()
    write('Title', 'Ivy')
    assert.equal(localStorage.length, 1)
    write('Title', 'Fern')
    assert.equal(localStorage.length, 0)
  })

  test('an unedited field shows a newer stored value, and an alert names the newer value that an edited field would replace', async () => {
    const { stored, saved } = renderEditor()
    write('Title', 'Ivy')
    stored({ ...FERN, title: 'Old fern', height: 31 })
    assert.equal(field('Height').value, '31')
    await assertAlert(/“Title” was saved with another value.*Old fern/)
    press('Save record')
    assert.deepEqual(saved, [{ ...FERN, title: 'Ivy', height: 31 }])
  })

  test('the accessible names of the buttons for form and JSON say which of them shows the record', () => {
    renderEditor()
    assert.equal(mode(), 'Form')
    fireEvent.click(button('JSON'))
    assert.equal(mode(), 'JSON')
    assert.ok(screen.getByRole('group', { name: 'Edit record' }))
  })
})
