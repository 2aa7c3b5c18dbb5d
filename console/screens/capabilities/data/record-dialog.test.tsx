import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { waitFor } from '@testing-library/react'
import { queryClient } from '../../../api/request/query-client.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import {
  assertAlert,
  field,
  isShown,
  press,
  Refusal,
  serve,
  show,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { RecordDialog } from './record-dialog.tsx'
import type { DataRecord } from './record-grid.tsx'

const info = {
  name: 'plants',
  title: 'Plants',
  partition: 'app' as const,
  fields: [
    { name: 'title', type: 'string', required: true, index: false, search: false },
    { name: 'height', type: 'integer', required: false, index: false, search: false },
    { name: 'isGreen', type: 'boolean', required: false, index: false, search: false },
  ],
}
const record = {
  id: 'rec_1',
  partition: 'app',
  rev: 7,
  title: 'Fern',
  height: 30,
  isGreen: true,
  legacy: 'kept',
} as unknown as DataRecord
const RECORDS_KEY = queryKeys.records.in('prj_1', 'plants')
const RECORD_PATH = '/projects/prj_1/capabilities/data/records/plants/app/rec_1'

function renderRecordDialog(answer: () => unknown = () => record, shown = record) {
  const closed: string[] = []
  const calls = serve({ [`PUT ${RECORD_PATH}`]: answer, [`DELETE ${RECORD_PATH}`]: answer })
  const dialog = (current: DataRecord) => (
    <RecordDialog projectId="prj_1" info={info} record={current} onClose={() => closed.push('closed')} />
  )
  const { rerender, unmount } = show(dialog(shown))
  return {
    closed,
    unmount,
    refetched: (next: DataRecord) => rerender(dialog(next)),
    sent: () => calls[`PUT ${RECORD_PATH}`]?.map(({ body }) => body),
    deleted: () => calls[`DELETE ${RECORD_PATH}`],
  }
}

describe('the dialog of a record', () => {
  test('saving a record sends its revision and all its fields, even fields that the collection does not declare', async () => {
    const { closed, sent } = renderRecordDialog()
    write('Title', 'Tall fern')
    write('Height', '45')
    press('Save record')
    await waitFor(() => assert.deepEqual(closed, ['closed']))
    assert.deepEqual(sent(), [{ title: 'Tall fern', height: 45, isGreen: true, legacy: 'kept', rev: 7 }])
  })

  test('a record value of the wrong type is reported at its field and not sent', async () => {
    const { sent } = renderRecordDialog()
    write('Height', '4.5')
    press('Save record')
    assert.equal(field('Height').getAttribute('aria-invalid'), 'true')
    await untilSent()
    assert.deepEqual(sent(), [])
  })

  test('cancelling the deletion of a record keeps the edited values', () => {
    const { closed } = renderRecordDialog()
    write('Title', 'Tall fern')
    press('Delete record')
    press('Cancel')
    assert.equal(field('Title').value, 'Tall fern')
    assert.deepEqual(closed, [])
  })

  test('a record is not sent when a required field is empty', async () => {
    const { sent } = renderRecordDialog()
    write('Title', ' ')
    press('Save record')
    assert.equal(field('Title').getAttribute('aria-invalid'), 'true')
    await untilSent()
    assert.deepEqual(sent(), [])
  })

  test('edits in the form of a record appear in its JSON and edits in the JSON appear in the form', () => {
    renderRecordDialog()
    write('Title', 'Moss')
    press('JSON')
    assert.match(field('Record as JSON').value, /"title": "Moss"/)
    write('Record as JSON', '{ "title": "Ivy" }')
    press('Form')
    assert.equal(field('Title').value, 'Ivy')
  })

  test('the editor of a record stays in JSON mode while the JSON is invalid', async () => {
    const { sent } = renderRecordDialog()
    press('JSON')
    write('Record as JSON', '[1, 2')
    press('Form')
    assert.equal(field('Record as JSON').value, '[1, 2')
    press('Save record')
    await untilSent()
    assert.deepEqual(sent(), [])
  })

  test('the record editor does not switch from form to JSON while a field has invalid text, and marks that field', () => {
    renderRecordDialog()
    write('Height', '12x')
    press('JSON')
    assert.deepEqual([field('Height').value, field('Height').getAttribute('aria-invalid')], ['12x', 'true'])
  })

  test('a required field that was emptied in the form is null in the JSON of the record', () => {
    renderRecordDialog()
    write('Title', '')
    press('JSON')
    assert.match(field('Record as JSON').value, /"title": null/)
  })

  test('pressing the button of the current editor mode, form or JSON, keeps the typed record', () => {
    renderRecordDialog()
    write('Title', 'Moss')
    press('Form')
    assert.equal(field('Title').value, 'Moss')
    press('JSON')
    write('Record as JSON', '{ "title": "Ivy" }')
    press('JSON')
    assert.equal(field('Record as JSON').value, '{ "title": "Ivy" }')
  })

  test('saving a record that another user changed shows a conflict, keeps the edits and marks the list as outdated', async () => {
    queryClient.setQueryData(RECORDS_KEY, [record])
    const { closed } = renderRecordDialog(() => new Refusal(409, 'conflict', 'The record was changed.'))
    write('Title', 'Tall fern')
    press('Save record')
    await assertAlert(/conflict/)
    assert.deepEqual([field('Title').value, closed], ['Tall fern', []])
    const list = queryClient.getQueryState(RECORDS_KEY)
    assert.equal(list?.isInvalidated, true, 'the dialog opens again with the newer revision')
  })

  test('a record that is refetched during an edit is saved with the revision that was edited', async () => {
    const { sent, refetched } = renderRecordDialog()
    write('Title', 'Tall fern')
    refetched({ ...record, rev: 8, height: 31, legacy: 'changed' })
    press('Save record')
    await waitFor(() => assert.equal(sent()?.length, 1))
    assert.deepEqual(sent(), [{ title: 'Tall fern', height: 30, isGreen: true, legacy: 'kept', rev: 7 }])
  })

  test('after a reload the form of a record has the edited values again, and shows what another user saved meanwhile', async () => {
    const first = renderRecordDialog()
    write('Title', 'Tall fern')
    first.unmount()
    const { sent } = renderRecordDialog(undefined, { ...record, rev: 8, title: 'Old fern', height: 31 })
    assert.ok(isShown('Your unsent text is back.'))
    await assertAlert(/“Title” was saved with another value.*Old fern/)
    assert.deepEqual([field('Title').value, field('Height').value], ['Tall fern', '31'])
    press('Save record')
    await waitFor(() => assert.equal(sent()?.length, 1))
    assert.deepEqual(sent(), [{ title: 'Tall fern', height: 31, isGreen: true, legacy: 'kept', rev: 8 }])
    assert.equal(localStorage.length, 0)
  })

  test('after a conflict the form of a record shows the value that another user saved, and the next save replaces it', async () => {
    const answers = [new Refusal(409, 'conflict', 'Someone else changed this record meanwhile.'), record]
    const { sent, refetched } = renderRecordDialog(() => answers.shift())
    write('Title', 'Tall fern')
    press('Save record')
    await assertAlert(/conflict/)
    refetched({ ...record, rev: 8, title: 'Old fern' })
    assert.ok(isShown('Old fern'))
    press('Save record')
    await waitFor(() => assert.equal(sent()?.length, 2))
    assert.partialDeepStrictEqual(sent()?.[1], { title: 'Tall fern', rev: 8 })
  })

  test('the draft of a record that was edited as JSON is restored as JSON', () => {
    const first = renderRecordDialog()
    write('Title', 'Moss')
    press('JSON')
    write('Record as JSON', '{ "title": "Iv')
    first.unmount()
    renderRecordDialog()
    assert.equal(field('Record as JSON').value, '{ "title": "Iv')
  })

  test('“Cancel” discards the edited values of a record, and their draft', () => {
    const { closed } = renderRecordDialog()
    write('Title', 'Tall fern')
    press('Cancel')
    assert.deepEqual([closed, localStorage.length], [['closed'], 0])
  })

  test('an undeclared field that is edited in the JSON of a record is saved even after a switch from JSON to the form', async () => {
    const { sent } = renderRecordDialog()
    press('JSON')
    write('Record as JSON', '{ "title": "Ivy", "height": 3, "isGreen": false, "legacy": "new" }')
    press('Form')
    press('Save record')
    await waitFor(() => assert.equal(sent()?.length, 1))
    assert.deepEqual(sent(), [{ title: 'Ivy', height: 3, isGreen: false, legacy: 'new', rev: 7 }])
  })

  test('a record is deleted only after a confirmation', async () => {
    const { closed, deleted } = renderRecordDialog(() => null)
    press('Delete record')
    await untilSent()
    assert.deepEqual(deleted(), [])
    assert.ok(isShown(/This cannot be undone/))
    press('Delete record')
    await waitFor(() => assert.deepEqual(closed, ['closed']))
    assert.equal(deleted()?.length, 1)
  })
})
