import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseMoney } from './money.ts'

describe('amounts of money that are typed', () => {
  test('a typed amount of money is parsed to the smallest unit of its currency', () => {
    assert.deepEqual(
      [
        parseMoney('12.5', 'usd'),
        parseMoney(' 12,50 ', 'eur'),
        parseMoney('12', 'usd'),
        parseMoney('1250', 'jpy'),
      ],
      [1250, 1250, 1200, 1250],
    )
    assert.equal(parseMoney('0.01', 'usd'), 1)
  })

  test('text that is not an amount above zero is not parsed as money', () => {
    for (const typed of ['', '0', '0.00', '-1', '1.234', '1,234.00', 'ten', '1e3', '999999999'])
      assert.equal(parseMoney(typed, 'usd'), null, typed)
    assert.equal(parseMoney('1.5', 'jpy'), null)
  })

  test('an amount of money is parsed with two decimals while the currency code is incomplete', () => {
    assert.equal(parseMoney('12.50', 'us'), 1250)
  })
})
