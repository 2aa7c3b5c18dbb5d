import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortcutText } from '../../text/shortcuts.en.ts'
import { SHORTCUTS } from './shortcuts.ts'

const keysOf = (where: string) =>
  SHORTCUTS.filter((shortcut) => shortcut.where === where).flatMap(({ keys }) => keys.split(','))

test('every shortcut has a description, and every description has a shortcut', () => {
  assert.deepEqual(SHORTCUTS.map(({ id }) => id).toSorted(), Object.keys(shortcutText.words).toSorted())
})

test('no two shortcuts that can act on the same page share a key', () => {
  // The tickets and the Work pane are on screen together. The code editor is on a separate page or in a dialog over the Work pane.
  const together = [...keysOf('anywhere'), ...keysOf('tickets'), ...keysOf('work')]
  const alone = [...keysOf('anywhere'), ...keysOf('work'), ...keysOf('code')]
  for (const keys of [together, alone]) assert.equal(new Set(keys).size, keys.length)
})
