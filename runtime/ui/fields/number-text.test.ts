import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { digitsOf, formatMoney } from '../../web/money.ts'
import { readNumber, withoutCurrency, writeNumber } from './number-text.ts'

describe('a typed number', () => {
  test('a typed number may have a decimal point or a decimal comma in any language', () => {
    for (const decimal of ['.', ','] as const)
      for (const [typed, value] of [
        ['1,5', 1.5],
        ['1.5', 1.5],
        ['-0,500', -0.5],
        ['0.125', 0.125],
        [',5', 0.5],
        ['1,', 1],
        ['−3', -3],
        ['\u200E-50', -50],
        ['\u200E\u22125', -5],
        [' 12 ', 12],
        ['', null],
        ['  ', null],
      ] as const)
        assert.equal(readNumber(typed, decimal), value, typed)
  })

  test("digits of a typed number may be grouped with the separator of the person's language", () => {
    assert.equal(readNumber('1,234', '.'), 1234)
    assert.equal(readNumber('1,234', ','), 1.234)
    assert.equal(readNumber('1.234', ','), 1234)
    assert.equal(readNumber('1.234', '.'), 1.234)
    assert.equal(readNumber('12,34,567.5', '.'), 1_234_567.5)
    assert.equal(readNumber("1'234.5", '.'), 1234.5)
    assert.equal(readNumber('1 234,5', ','), 1234.5)
  })

  test('a number with the opposite separators, such as 1.234,50 in English, is parsed with those separators', () => {
    assert.equal(readNumber('1.234,50', '.'), 1234.5)
    assert.equal(readNumber('1,234.50', ','), 1234.5)
    assert.equal(readNumber('1.234.567', '.'), 1_234_567)
  })

  test('typed text that is not a number yields NaN instead of a number or an empty value', () => {
    for (const typed of ['x', '-', ',', '1-2', '1,2,3', '1..5', '1,2.3,4', '1e5', '12 EUR'])
      assert.equal(readNumber(typed, '.'), Number.NaN, typed)
  })

  test('a typed amount may include the currency of its field, and an amount with another currency is not a number', () => {
    for (const [typed, value] of [
      ['€ 12', 12],
      ['12 EUR', 12],
      ['12.50eur', 12.5],
      ['12 €', 12],
      ['12k', Number.NaN],
      ['1.5M', Number.NaN],
      ['Rs. 12', Number.NaN],
      ['12 USD', Number.NaN],
      ['€', Number.NaN],
    ] as const)
      assert.equal(readNumber(withoutCurrency(typed, 'eur'), '.'), value, typed)
  })

  test('a copied amount of money is read in each currency, with its symbol, its groups of digits and its sign', () => {
    const amounts = fc.integer({ min: -1e12, max: 1e12 })
    const currencies = fc.constantFrom(...Intl.supportedValuesOf('currency'))
    fc.assert(
      fc.property(amounts, currencies, (amount, currency) => {
        const read = readNumber(withoutCurrency(formatMoney(amount, currency), currency))
        assert.equal(read, amount / 10 ** digitsOf(currency))
      }),
      {
        examples: [
          [-1250, 'EUR'],
          [123_456_789, 'CAD'],
          [5, 'SEK'],
          [-1, 'JPY'],
          [-1_234_567, 'KWD'],
        ],
      },
    )
  })

  test('a number may be typed with the digits of any script, and with Arabic separators', () => {
    for (const decimal of ['.', ','] as const)
      for (const [typed, value] of [
        ['٠١٢٣٤٥٦٧٨٩', 123_456_789],
        ['۰۱۲۳۴۵۶۷۸۹', 123_456_789],
        ['０１２３４５６７８９', 123_456_789],
        ['०१२३४५६७८९', 123_456_789],
        ['২৫', 25],
        ['-۱۲٫۵', -12.5],
        ['١٬٢٣٤٫٥', 1234.5],
      ] as const)
        assert.equal(readNumber(typed, decimal), value, typed)
    assert.equal(readNumber(withoutCurrency('۱۲ €', 'eur')), 12)
  })

  test('a number that is formatted for a field is parsed back to the same number', () => {
    for (const value of [0, -1.5, 1234.567, 1e6, 0.000_001])
      assert.equal(readNumber(writeNumber(value)), value)
    assert.equal(readNumber(writeNumber(12.5, 2)), 12.5)
  })
})
