import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printedKeys } from './key-words.ts'
import { SHORTCUTS } from './shortcuts.ts'

test('shortcuts are shown with the key labels of the current keyboard', () => {
  assert.deepEqual(printedKeys('mod+k', false), [[['Ctrl', 'K']]])
  assert.deepEqual(printedKeys('mod+.', true), [[['⌘', '.']]])
  assert.deepEqual(printedKeys('g>p', false), [[['G'], ['P']]])
  assert.deepEqual(printedKeys('j,arrowdown', false), [[['J']], [['↓']]])
})

test("every shortcut's key has a label", () => {
  const keys = SHORTCUTS.flatMap(({ keys }) => printedKeys(keys, false)).flat(2)
  assert.ok(keys.length >= SHORTCUTS.length)
  for (const key of keys) assert.match(key, /^(Ctrl|Esc|Enter|[A-Z0-9?/[\].↑↓])$/)
})
