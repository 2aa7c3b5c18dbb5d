import assert from 'node:assert/strict'
import { test } from 'node:test'
import { containsPattern, foldText } from './fold.ts'

test('wildcards in a search text are escaped in its LIKE pattern', () => {
  assert.equal(containsPattern('50%_\\'), String.raw`%50\%\_\\%`)
})

test('folding a text for search makes full-width and upper-case letters equal to plain lower-case ones', () => {
  assert.equal(foldText('ＡＢＣ Straße'), 'abc straße')
})
