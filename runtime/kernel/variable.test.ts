import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonText } from './json-text.ts'
import { readVariable, textVariable, wholeNumberVariable } from './variable.ts'

describe('the variables of a worker', () => {
  test('a worker variable that is missing, empty or not a string counts as not set', () => {
    for (const value of [undefined, null, '', 7, {}, true])
      assert.equal(textVariable({ NAME: value }, 'NAME'), null, String(value))
    assert.equal(textVariable({ NAME: ' ' }, 'NAME'), ' ')
  })

  test('a numeric worker variable is a whole number within its bounds, or else the default', () => {
    const read = (text: unknown, least = 1) =>
      wholeNumberVariable({ N: text }, 'N', { absent: 7, least, most: 30 })
    assert.deepEqual(
      ['1', '30', ' 12 ', '1e1'].map((text) => read(text)),
      [1, 30, 12, 10],
    )
    for (const text of [undefined, '', '0', '31', '-1', '1.5', 'x', '12px', 'NaN', 'Infinity', 12])
      assert.equal(read(text), 7, String(text))
    assert.equal(read('0', 0), 0)
  })

  test('a worker variable with JSON is parsed, and a missing one gives the default', () => {
    const text = '["a"]' as JsonText<string[]>
    assert.deepEqual(readVariable(text, []), ['a'])
    assert.deepEqual(readVariable<string[]>(undefined, ['default']), ['default'])
    assert.deepEqual(readVariable('' as JsonText<string[]>, ['default']), ['default'])
  })
})
