import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultHighlightStyle } from '@codemirror/language'
import { THEME_COLOURS } from './theme.ts'

test('every default syntax colour of the code editor is mapped to a colour of the console', () => {
  const brought = defaultHighlightStyle.specs.flatMap(({ color }) =>
    typeof color === 'string' ? [color] : [],
  )
  assert.ok(brought.length > 10, 'the editor still brings its colours this way')
  assert.deepEqual([...new Set(brought)].sort(), Object.keys(THEME_COLOURS).sort())
})
