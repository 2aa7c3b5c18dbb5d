import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { recordFilter, describeFilter, readFilters, sortsOf, whereOf, withFilter } from './record-order.ts'

const sizeField = { name: 'potSize', type: 'integer', required: true, index: true }
const lightField = { name: 'light', type: 'enum', required: true, index: true, values: ['sun', 'shade'] }
const notes = { name: 'notes', type: 'text', required: false }

describe('the order and the filters of records', () => {
  test('record filters that are written to the URL and read from it again are unchanged', () => {
    const filters = [
      { field: 'potSize', test: 'gte', value: 3 },
      { field: 'potSize', test: 'lte', value: 9 },
      { field: 'light', test: 'eq', value: null },
    ] as const
    assert.deepEqual(readFilters(whereOf(filters)), filters)
    assert.equal(whereOf([]), undefined)
  })

  test('malformed record filters in the URL are ignored', () => {
    for (const where of [undefined, '', '{', '[]', '5', '{"a":1}', '{"a":{"sql":"x"}}', '{"a":{"eq":{}}}'])
      assert.deepEqual(readFilters(where), [], String(where))
  })

  test('a filter value of the wrong type for its field is rejected, and an empty value filters for records without a value', () => {
    assert.equal(recordFilter(sizeField, 'gte', 'big'), null)
    assert.equal(recordFilter(lightField, 'eq', 'dark'), null)
    assert.deepEqual(recordFilter(sizeField, 'eq', ''), { field: 'potSize', test: 'eq', value: null })
    assert.deepEqual(recordFilter(sizeField, 'gte', '3'), { field: 'potSize', test: 'gte', value: 3 })
  })

  test('the comparisons “at least” and “at most” need a value, and “is not” does not', () => {
    for (const test of ['gte', 'lte'] as const) {
      assert.equal(recordFilter(sizeField, test, ' '), null, test)
      assert.deepEqual(recordFilter(sizeField, test, '0'), { field: 'potSize', test, value: 0 })
    }
    assert.deepEqual(recordFilter(sizeField, 'ne', ''), { field: 'potSize', test: 'ne', value: null })
    assert.equal(recordFilter(sizeField, 'prefix', ''), null)
  })

  test('a record filter replaces the earlier filter with the same field and comparison', () => {
    const least = { field: 'potSize', test: 'gte', value: 3 } as const
    const most = { field: 'potSize', test: 'lte', value: 9 } as const
    assert.deepEqual(withFilter([least, most], { ...least, value: 5 }), [most, { ...least, value: 5 }])
  })

  test('a record filter is described in words, and records can be sorted by timestamps and indexed fields only', () => {
    assert.equal(
      describeFilter({ field: 'potSize', test: 'gte', value: 3 }, [sizeField]),
      'Pot size is at least 3',
    )
    assert.equal(describeFilter({ field: 'light', test: 'eq', value: null }, [lightField]), 'Light is empty')
    const sorts = sortsOf([sizeField, notes]).map(({ value }) => value)
    assert.deepEqual(sorts, ['', 'createdAt', '-updatedAt', 'potSize', '-potSize'])
  })
})
