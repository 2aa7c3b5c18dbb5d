import assert from 'node:assert/strict'
import { test } from 'node:test'
import { containsPattern, foldText } from './fold.ts'

test('a search pattern matches wildcard characters literally', () => {
  assert.equal(containsPattern('50%_\\'), String.raw`%50\%\_\\%`)
})

test('folding a text makes full-width and upper-case letters equal to plain ones', () => {
  assert.equal(foldText('ＡＢＣ Straße'), 'abc straße')
})
