import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readNumber, writeNumber } from './number-text.ts'

describe('a typed number', () => {
  test('the decimals follow a point or a comma, whatever the language', () => {
    for (const decimal of ['.', ','] as const)
      for (const [typed, value] of [
        ['1,5', 1.5],
        ['1.5', 1.5],
        ['-0,500', -0.5],
        ['0.125', 0.125],
        [',5', 0.5],
        ['1,', 1],
        ['−3', -3],
        [' 12 ', 12],
        ['', null],
        ['  ', null],
      ] as const)
        assert.equal(readNumber(typed, decimal), value, typed)
  })

  test('digits may be grouped as the language of the person does', () => {
    assert.equal(readNumber('1,234', '.'), 1234)
    assert.equal(readNumber('1,234', ','), 1.234)
    assert.equal(readNumber('1.234', ','), 1234)
    assert.equal(readNumber('1.234', '.'), 1.234)
    assert.equal(readNumber('12,34,567.5', '.'), 1_234_567.5)
    assert.equal(readNumber("1'234.5", '.'), 1234.5)
    assert.equal(readNumber('1 234,5', ','), 1234.5)
  })

  test('a number copied from another language is read with its marks', () => {
    assert.equal(readNumber('1.234,50', '.'), 1234.5)
    assert.equal(readNumber('1,234.50', ','), 1234.5)
    assert.equal(readNumber('1.234.567', '.'), 1_234_567)
  })

  test('what is no number is not taken for one, nor for nothing', () => {
    for (const typed of ['x', '-', ',', '1-2', '1,2,3', '1..5', '1,2.3,4', '1e5', '12 EUR'])
      assert.equal(readNumber(typed, '.'), Number.NaN, typed)
  })

  test('a number that is written for a field is read as the same number', () => {
    for (const value of [0, -1.5, 1234.567, 1e6, 0.000_001])
      assert.equal(readNumber(writeNumber(value)), value)
    assert.equal(readNumber(writeNumber(12.5, 2)), 12.5)
  })
})
