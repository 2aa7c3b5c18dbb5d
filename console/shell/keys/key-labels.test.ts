import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyLabels } from './key-labels.ts'
import { SHORTCUTS } from './shortcuts.ts'

test('a shortcut is shown with the label of each key, and the key `mod` as ⌘ on Apple keyboards and as Ctrl on others', () => {
  assert.deepEqual(keyLabels('mod+k', false), [[['Ctrl', 'K']]])
  assert.deepEqual(keyLabels('mod+.', true), [[['⌘', '.']]])
  assert.deepEqual(keyLabels('g>p', false), [[['G'], ['P']]])
  assert.deepEqual(keyLabels('j,arrowdown', false), [[['J']], [['↓']]])
})

test('every key of every shortcut has a label', () => {
  const keys = SHORTCUTS.flatMap(({ keys }) => keyLabels(keys, false)).flat(2)
  assert.ok(keys.length >= SHORTCUTS.length)
  for (const key of keys) assert.match(key, /^(Ctrl|Esc|Enter|[A-Z0-9?/[\].↑↓])$/)
})
