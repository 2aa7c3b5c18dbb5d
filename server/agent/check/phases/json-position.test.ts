import assert from 'node:assert/strict'
import { test } from 'node:test'
import { positionInJson } from './json-position.ts'

const text = `{
  "name": "a \\"quoted\\" name",
  "pages": [
    { "path": "/", "file": "Home.tsx" },
    { "path": "/x", "file": "X.tsx" }
  ],
  "collections": { "plants": {
    "fields": { "room": { "type": "txt" } } } }
}`

test('the line and column of a JSON value are found by its path', () => {
  assert.deepEqual(positionInJson(text, ['pages', '1', 'file']), { line: 5, column: 21 })
  assert.deepEqual(positionInJson(text, ['collections', 'plants', 'fields', 'room', 'type']), {
    line: 8,
    column: 27,
  })
  assert.deepEqual(positionInJson(text, []), { line: 1, column: 1 })
})

test('a JSON path that does not exist returns the position of its nearest ancestor', () => {
  assert.deepEqual(positionInJson(text, ['pages', '7', 'file']), { line: 3, column: 3 })
  assert.deepEqual(positionInJson(text, ['pages', '0', 'title']), { line: 4, column: 5 })
  assert.deepEqual(positionInJson(text, ['nothing']), { line: 1, column: 1 })
})

test("the position of a JSON text's root value is found even if the text nests deeply", () => {
  assert.deepEqual(positionInJson('['.repeat(50_000), []), { line: 1, column: 1 })
})

test('looking up a position in malformed JSON returns a line instead of looping or throwing', () => {
  for (const broken of ['', '{', '{"a"', '{"a":', '{"a": [', '[1,', '"', '{"a": {"b": "', 'nonsense']) {
    assert.ok(positionInJson(broken, ['a', '0', 'b']).line >= 1)
  }
})
