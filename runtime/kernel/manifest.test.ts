import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type CollectionSpec,
  type FieldSpec,
  fieldTitle,
  isIndexed,
  isRefList,
  labelField,
  onRemoveOf,
} from './manifest.ts'

const collectionOf = (fields: Record<string, FieldSpec>): CollectionSpec => ({
  title: 'Plants',
  partition: 'app',
  read: 'public',
  write: 'public',
  fields,
})

describe('what the runtime derives from the manifest of an app', () => {
  test('the label of a field is its title, or its name as words', () => {
    for (const [name, label] of [
      ['name', 'Name'],
      ['lastWatered', 'Last watered'],
      ['room2Name', 'Room2 name'],
      ['x', 'X'],
    ] as const)
      assert.equal(fieldTitle(name, { title: undefined }), label)
    assert.equal(fieldTitle('lastWatered', { title: 'Watered on' }), 'Watered on')
    assert.equal(fieldTitle('createdAt'), 'Created at')
  })

  test("a record's name is its first required text field, else its first text field, else its first field", () => {
    const note: FieldSpec = { type: 'text' }
    const name: FieldSpec = { type: 'text', required: true }
    const count: FieldSpec = { type: 'integer', required: true }
    assert.equal(labelField(collectionOf({ count, note, name })), 'name')
    assert.equal(labelField(collectionOf({ count, note })), 'note')
    assert.equal(labelField(collectionOf({ count })), 'count')
    assert.equal(labelField(collectionOf({})), null)
  })

  test('queries may use fields with an index, unique fields and references', () => {
    const indexed: FieldSpec[] = [
      { type: 'text', index: true },
      { type: 'text', unique: true },
      { type: 'ref', ref: 'rooms' },
    ]
    const others: FieldSpec[] = [
      { type: 'text' },
      { type: 'text', search: true },
      { type: 'list', ref: 'rooms' },
    ]
    assert.deepEqual([indexed.every(isIndexed), others.some(isIndexed)], [true, false])
    assert.deepEqual(others.map(isRefList), [false, false, true])
  })

  test('a reference without `onRemove` is cleared when its target is removed, or prevents the removal if it is required', () => {
    const ref: FieldSpec = { type: 'ref', ref: 'rooms' }
    assert.equal(onRemoveOf(ref), 'clear')
    assert.equal(onRemoveOf({ ...ref, required: true }), 'refuse')
    assert.equal(onRemoveOf({ ...ref, required: true, onRemove: 'cascade' }), 'cascade')
  })
})
