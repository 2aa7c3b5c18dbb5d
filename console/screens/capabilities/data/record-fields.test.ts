import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  cellText,
  fieldLabel,
  recordFieldText,
  ownFields,
  readRecord,
  readRecordField,
  recordName,
} from './record-fields.ts'

const fieldOfType = (type: string, required = false) => ({ name: 'x', type, required })

describe('a record in the editor', () => {
  test('a record value that is formatted as text for its field is parsed back to the same value', () => {
    for (const [type, value] of [
      ['text', 'Dune'],
      ['text', '12'],
      ['number', 1.5],
      ['integer', 3],
      ['boolean', true],
      ['boolean', false],
      ['date', '2026-11-21'],
      ['list', ['a', 'b']],
      ['list', ['one', ' [two]\nlines']],
      ['list', []],
      ['enum', 'open'],
      ['json', { a: [1] }],
      ['text', null],
      ['json', null],
    ] as const)
      assert.deepEqual(readRecordField(fieldOfType(type), recordFieldText({ type }, value)), { value }, type)
  })

  test('an invalid record field is reported with its problem', () => {
    assert.deepEqual(readRecordField(fieldOfType('number'), 'x'), { problem: 'number' })
    assert.deepEqual(readRecordField(fieldOfType('integer'), '1.5'), { problem: 'integer' })
    assert.deepEqual(readRecordField(fieldOfType('json'), '{'), { problem: 'json' })
    assert.deepEqual(readRecordField(fieldOfType('text', true), ' '), { problem: 'required' })
    assert.deepEqual(readRecordField(fieldOfType('date'), 'soon'), { problem: 'date' })
    assert.deepEqual(readRecordField(fieldOfType('boolean'), 'perhaps'), { problem: 'yesNo' })
    const choice = { ...fieldOfType('enum'), values: ['open', 'closed'] }
    assert.deepEqual(readRecordField(choice, 'ajar'), { problem: 'choice' })
    assert.deepEqual(readRecordField(choice, 'open'), { value: 'open' })
  })

  test('the editable fields of a record exclude the system fields', () => {
    const record = {
      id: '1',
      ownerId: null,
      rev: 2,
      createdAt: '',
      updatedAt: '',
      partition: 'app',
      title: 'Dune',
    }
    assert.deepEqual(ownFields(record), { title: 'Dune' })
    assert.deepEqual(readRecord(JSON.stringify(record)), { title: 'Dune' })
    for (const none of ['', '[]', 'null', '"x"', '{']) assert.equal(readRecord(none), null)
  })

  test('a record value is formatted as one line of text', () => {
    assert.deepEqual(
      [null, undefined, 'a', 0, false, ['x']].map((value) => cellText(value)),
      ['', '', 'a', '0', 'No', 'x'],
    )
    assert.equal(cellText('in_progress', fieldOfType('enum')), 'In progress')
  })
})

describe('a record in the grid', () => {
  test('a record field is labelled by its title or the words of its name, and a record by its first value or its id', () => {
    const names = ['noteAboutAllergies', 'name', 'size2B'].map((name) => fieldLabel({ name }))
    assert.deepEqual(names, ['Note about allergies', 'Name', 'Size2 b'])
    assert.equal(fieldLabel({ name: 'dueAt', title: 'Due on' }), 'Due on')
    const record = { id: 'rec_1', pickupDate: null, customer: 'Ines', cake: '' }
    assert.equal(recordName(record, ['pickupDate', 'customer', 'cake']), 'Ines')
    assert.equal(recordName(record, ['pickupDate', 'cake']), 'rec_1')
  })
})
