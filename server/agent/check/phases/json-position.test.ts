import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readManifest } from '../../source/manifest.ts'
import { positionInJson, syntaxErrorInJson } from './json-position.ts'
import { checkManifest } from './manifest.ts'

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

test('the position of the first syntax error of a JSON text is found, also of a comment and a trailing comma', () => {
  assert.deepEqual(syntaxErrorInJson('{\n  "a": 1,\n  // b\n  "c": 2\n}'), { line: 3, column: 3 })
  assert.deepEqual(syntaxErrorInJson('{\n  "a": 1,\n}'), { line: 3, column: 1 })
  assert.deepEqual(syntaxErrorInJson('{"a": 1'), { line: 1, column: 8 })
})

test('a check of an app.json that is not JSON reports the line of the syntax error with its excerpt', () => {
  const text = '{\n  "slipway": 1,\n  // the name\n  "name": "Plants"\n}\n'
  const [error, ...others] = checkManifest(new Map([['app.json', text]]), readManifest(text), null)
  assert.deepEqual(others, [])
  assert.deepEqual([error?.file, error?.line, error?.column], ['app.json', 3, 3])
  assert.match(error?.message ?? '', /^app\.json: is not JSON: /)
  assert.match(error?.excerpt ?? '', /^3 \|   \/\/ the name$/m)
})

test('looking up a position in malformed JSON returns a line instead of looping or throwing', () => {
  for (const broken of ['', '{', '{"a"', '{"a":', '{"a": [', '[1,', '"', '{"a": {"b": "', 'nonsense']) {
    assert.ok(positionInJson(broken, ['a', '0', 'b']).line >= 1)
  }
})
