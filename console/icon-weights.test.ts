import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { assertKnownWeights, withoutUnusedWeights } from './icon-weights.ts'

const DEFS = join(dirname(createRequire(import.meta.url).resolve('@phosphor-icons/react')), 'defs')

describe("the build's removal of unused icon weights", () => {
  test('an icon keeps its regular, bold and fill weights in the build, and loses its other weights', () => {
    for (const name of ['Key', 'X', 'RocketLaunch']) {
      const lean = withoutUnusedWeights(readFileSync(join(DEFS, `${name}.es.js`), 'utf8'), name)
      const weights = [...lean.matchAll(/^ {4}"(\w+)",$/gm)].map(([, weight]) => weight)
      assert.deepEqual(weights, ['bold', 'fill', 'regular'], name)
    }
  })

  test('the build fails when the icon package changes the format of its files, or a screen uses a weight that was removed', () => {
    assert.throws(() => withoutUnusedWeights('export default 1', 'Key'), /not written as expected/)
    assert.throws(() => assertKnownWeights('<KeyIcon weight="thin" />', 'a.tsx'), /a\.tsx.*left out/)
    assertKnownWeights('<KeyIcon weight="bold" />', 'a.tsx')
  })
})
