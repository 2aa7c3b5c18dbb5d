import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { shortcutText } from '../../text/shortcuts.en.ts'
import { keyLabels } from './key-labels.ts'
import { SHORTCUTS } from './shortcuts.ts'

const GUIDE = new URL('../../../docs/guides/console.md', import.meta.url)

const keysInWords = (keys: string) =>
  keyLabels(keys, false)
    .map((steps) => steps.map((held) => `\`${held.join(' ')}\``).join(' then '))
    .join(' or ')

test("the user guide lists exactly the console's keyboard shortcuts", () => {
  const guide = readFileSync(GUIDE, 'utf8')
  const rows = guide
    .split('\n')
    .filter((line) => line.startsWith('|') && line.includes('`'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, keys = '', words = '', where = '']) => `${where}: ${keys}: ${words}`)
  const map = SHORTCUTS.map(
    ({ keys, words, where }) => `${shortcutText.where[where]}: ${keysInWords(keys)}: ${words}`,
  )
  assert.deepEqual(rows, map)
})
