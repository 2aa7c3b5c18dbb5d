import assert from 'node:assert/strict'
import { test } from 'node:test'
import { convertValue, asDeclaredType } from './convert.ts'

const CASES: [value: unknown, type: string, result: unknown][] = [
  ['12', 'number', 12],
  ['1,5', 'number', 1.5],
  ['1,234.5', 'number', 1234.5],
  ['1.234,5', 'number', 1234.5],
  ['1,234,567', 'number', 1234567],
  ['1.234.567 €', 'number', 1234567],
  ["1'234.50", 'number', 1234.5],
  ['-1 234,5', 'number', -1234.5],
  ['12.5 kg, red', 'number', 12.5],
  ['1,2,3', 'number', 1.2],
  ['1.234', 'number', 1.234],
  ['12.6', 'integer', 13],
  ['9,999.6', 'integer', 10000],
  ['many', 'number', null],
  [true, 'number', 1],
  ['yes', 'boolean', true],
  ['no', 'boolean', false],
  [0, 'boolean', false],
  ['2026-11-20T10:00:00Z', 'date', '2026-11-20'],
  ['soon', 'date', null],
  [7, 'text', '7'],
  [{ a: 1 }, 'text', '{"a":1}'],
  ['a', 'list', ['a']],
  [null, 'text', null],
]

test('a stored value is converted to another field type, or to null when it cannot be converted', () => {
  for (const [value, type, result] of CASES)
    assert.deepEqual(convertValue(value, type), result, `${String(value)} ${type}`)
})

test('a stored value that already has the declared type is not changed', () => {
  assert.equal(asDeclaredType({ type: 'text' }, 'a'), 'a')
  assert.deepEqual(asDeclaredType({ type: 'json' }, { a: 1 }), { a: 1 })
  assert.equal(asDeclaredType({ type: 'integer' }, '12'), 12)
  assert.equal(asDeclaredType({ type: 'date' }, undefined), null)
})
