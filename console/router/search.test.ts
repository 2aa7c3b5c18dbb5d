import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneOf, parseSearch, stringifySearch, textParam } from './search.ts'

test('search parameters stay strings, even when they look like numbers', () => {
  const search = { q: '42', label: 'true & 007', ticket: '"a"' }
  assert.deepEqual(parseSearch(stringifySearch(search)), search)
  assert.equal(stringifySearch({ q: undefined }), '')
  assert.deepEqual(textParam('q', parseSearch('?q=1e3')), { q: '1e3' })
})

test('unknown and empty search parameters of a URL are left out', () => {
  assert.deepEqual(oneOf('tab', ['build'], { tab: 'nonsense' }), {})
  assert.deepEqual(oneOf('tab', ['build'], { tab: 'build' }), { tab: 'build' })
  assert.deepEqual(textParam('q', { q: '' }), {})
})
