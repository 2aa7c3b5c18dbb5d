import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entryOf, hasEntry, isObjectOrList } from './fields.ts'

test('a lookup in an object used as a table finds only its own keys, not names that every object inherits', () => {
  const table = { read_file: 'Read', search: '' }
  assert.deepEqual([entryOf(table, 'read_file'), entryOf(table, 'search')], ['Read', ''])
  assert.deepEqual([hasEntry(table, 'read_file'), hasEntry(table, 'search')], [true, true])
  for (const key of ['other', 'constructor', '__proto__', 'toString', ''])
    assert.deepEqual([entryOf(table, key), hasEntry(table, key)], [undefined, false], key)
})

test('only objects and lists count as values with fields', () => {
  assert.deepEqual([{}, [], null, undefined, 'text', 5].map(isObjectOrList), [
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})
