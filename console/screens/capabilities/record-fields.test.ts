import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  cellText,
  fieldLabel,
  fieldText,
  ownFields,
  readRecord,
  readRecordField,
  recordName,
} from './record-fields.ts'

const field = (type: string, required = false) => ({ name: 'x', type, required })

describe('a record in the editor', () => {
  test('comes back as it was when nothing is changed', () => {
    for (const [type, value] of [
      ['text', 'Dune'],
      ['text', '12'],
      ['number', 1.5],
      ['integer', 3],
      ['boolean', true],
      ['boolean', false],
      ['date', '2026-11-21'],
      ['list', ['a', 'b']],
      ['json', { a: [1] }],
      ['text', null],
      ['json', null],
    ] as const)
      assert.deepEqual(readRecordField(field(type), fieldText({ type }, value)), { value }, type)
  })

  test('names what is wrong with a field', () => {
    assert.deepEqual(readRecordField(field('number'), 'x'), { problem: 'number' })
    assert.deepEqual(readRecordField(field('integer'), '1.5'), { problem: 'integer' })
    assert.deepEqual(readRecordField(field('json'), '{'), { problem: 'json' })
    assert.deepEqual(readRecordField(field('text', true), ' '), { problem: 'required' })
  })

  test('is the own part only; the system keeps the rest', () => {
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

  test('is one line in the grid', () => {
    assert.deepEqual([null, undefined, 'a', 0, false, ['x']].map(cellText), [
      '',
      '',
      'a',
      '0',
      'false',
      '["x"]',
    ])
  })
})

describe('a record in the grid', () => {
  test('has heads in words, and is called by its first value, or its id when all are empty', () => {
    assert.deepEqual(['noteAboutAllergies', 'name', 'size2B'].map(fieldLabel), [
      'Note about allergies',
      'Name',
      'Size2 b',
    ])
    const record = { id: 'rec_1', pickupDate: null, customer: 'Ines', cake: '' }
    assert.equal(recordName(record, ['pickupDate', 'customer', 'cake']), 'Ines')
    assert.equal(recordName(record, ['pickupDate', 'cake']), 'rec_1')
  })
})
