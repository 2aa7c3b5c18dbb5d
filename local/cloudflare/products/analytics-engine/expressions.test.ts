import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Telemetry } from '../../observability/telemetry/telemetry.ts'
import { queryPoints } from './query.ts'

const NOON = Date.UTC(2026, 10, 26, 12, 34, 56)

describe('expressions in queries over data points', () => {
  let telemetry: Telemetry
  before(() => {
    telemetry = new Telemetry(':memory:')
    telemetry.addPoints([
      { accountId: 'acme', dataset: 'd', at: NOON, index: 'i', blobs: ['Sale', ''], doubles: [7.5, 2] },
    ])
  })
  after(() => telemetry.close())

  /** Returns the value and type of an expression over the one stored data point. */
  const evaluate = (expression: string) => {
    const { data, meta } = queryPoints(telemetry, 'acme', `SELECT ${expression} AS v FROM d`)
    return [data[0]?.['v'], meta[0]?.type]
  }
  const problemIn = (expression: string) => {
    try {
      return evaluate(expression)
    } catch (error) {
      return (error as Error).message
    }
  }

  test('a SQL expression applies operators by precedence, and those of equal precedence from left to right', () => {
    for (const [expression, value] of [
      ['2 + 3 * 4', 14],
      ['(2 + 3) * 4', 20],
      ['10 - 3 - 2', 5],
      ['100 / 10 / 5', 2],
      ['7 / 2', 3.5],
      ['17 % 10 % 4', 3],
      ['2 * -3', -6],
      ['- - 2', 2],
      ['1 = 1 AND 0 = 1 OR 1 = 1', 1],
      ['0 = 1 AND (0 = 1 OR 1 = 1)', 0],
      ['NOT 1 = 2', 1],
      ['NOT NOT 1 = 2', 0],
      ['1 + 1 = 2', 1],
    ] as const)
      assert.equal(evaluate(expression)[0], value, expression)
  })

  test('in a SQL expression, equality and inequality have two spellings each, and BETWEEN includes both ends', () => {
    for (const [expression, value] of [
      ["blob1 = 'Sale'", 1],
      ["blob1 == 'Sale'", 1],
      ["blob1 != 'Sale'", 0],
      ["blob1 <> 'Sale'", 0],
      ['double2 BETWEEN 2 AND 3', 1],
      ['double2 BETWEEN 1 AND 2', 1],
      ['double2 not between 2 and 3', 0],
      ['double2 IN (1, 2)', 1],
      ['double2 NOT IN (1, 2)', 0],
      ['double2 BETWEEN 1 AND 2 AND double1 > 8', 0],
    ] as const)
      assert.deepEqual(evaluate(expression), [value, 'UInt8'], expression)
  })

  test('LIKE is case-sensitive, and NOT LIKE negates it', () => {
    for (const [expression, value] of [
      ["blob1 LIKE 'Sa%'", 1],
      ["blob1 LIKE 'S_le'", 1],
      ["blob1 LIKE 'sale'", 0],
      ["blob1 NOT LIKE 'Sa%'", 0],
      ["blob1 NOT LIKE 'sa%'", 1],
    ] as const)
      assert.deepEqual(evaluate(expression), [value, 'UInt8'], expression)
  })

  test('a SQL INTERVAL is a whole number of units from seconds to weeks, and a fraction or another unit is refused', () => {
    for (const [interval, seconds] of [
      ["INTERVAL '1' SECOND", 1],
      ["INTERVAL '2' MINUTES", 120],
      ['INTERVAL 3 HOUR', 10_800],
      ["interval '1' day", 86_400],
      ["INTERVAL '1' WEEK", 604_800],
    ] as const)
      assert.deepEqual(evaluate(interval), [seconds, 'UInt32'], interval)
    assert.equal(problemIn("INTERVAL '1' MONTH"), 'Unknown unit MONTH at position 20')
    assert.equal(problemIn("INTERVAL '1.5' DAY"), `Expected a number like '1', found "1.5" at position 16`)
    assert.equal(problemIn("INTERVAL '1' "), 'Unknown unit AS at position 21')
  })

  test('in SQL, adding an interval shifts a time, toStartOf functions round it down, and two times differ by seconds', () => {
    for (const [expression, shown] of [
      ['timestamp', '2026-11-26 12:34:56'],
      ["timestamp - INTERVAL '1' DAY", '2026-11-25 12:34:56'],
      ["INTERVAL '1' HOUR + timestamp", '2026-11-26 13:34:56'],
      ['toStartOfMinute(timestamp)', '2026-11-26 12:34:00'],
      ['toStartOfHour(timestamp)', '2026-11-26 12:00:00'],
      ['toStartOfDay(timestamp)', '2026-11-26 00:00:00'],
      ["toStartOfInterval(timestamp, INTERVAL '15' MINUTE)", '2026-11-26 12:30:00'],
    ] as const)
      assert.deepEqual(evaluate(expression), [shown, 'DateTime'], expression)
    assert.deepEqual(evaluate('timestamp - toStartOfHour(timestamp)'), [34 * 60 + 56, 'UInt32'])
  })

  test('a SQL query returns 64-bit integers, such as counts, as strings, and other numbers as numbers', () => {
    for (const [expression, shown] of [
      ['count()', ['1', 'UInt64']],
      ['count(*)', ['1', 'UInt64']],
      ['sum(_sample_interval)', ['1', 'UInt64']],
      ['sum(double1)', [7.5, 'Float64']],
      ['1', [1, 'UInt32']],
      ['1.0', [1, 'Float64']],
      ['1e2', [100, 'Float64']],
      ["if(blob2 = '', 0, 1)", [0, 'UInt32']],
      ["toUInt32('12')", [12, 'UInt32']],
      ['toString(12)', ['12', 'String']],
    ] as const)
      assert.deepEqual(evaluate(expression), shown, expression)
  })

  test('SQL column and function names ignore case and may be quoted, and names such as "constructor" are unknown', () => {
    assert.equal(evaluate('UPPER("BLOB1")')[0], 'SALE')
    assert.equal(evaluate('`blob1`')[0], 'Sale')
    assert.equal(problemIn('constructor'), 'Unknown column constructor at position 7')
    assert.equal(problemIn('toString'), 'Unknown column toString at position 7')
    assert.equal(problemIn('constructor(1)'), 'Unknown function constructor at position 7')
  })

  test('a SQL function call with a wrong number of arguments, or a meaningless DISTINCT, is refused', () => {
    for (const call of [
      'sum()',
      'sum(1, 2)',
      'sum(DISTINCT 1)',
      'count(DISTINCT)',
      'now(1)',
      'if(1, 2)',
      'avg(*)',
    ])
      assert.match(
        String(problemIn(call)),
        /^(\w+ cannot be called like this|Expected .*) at position \d+$/,
        call,
      )
    assert.equal(problemIn('count(1, 2)'), 'count cannot be called like this at position 7')
  })

  test('the error of an incomplete SQL expression names the expected token', () => {
    assert.equal(problemIn('(1'), 'Expected ), found "AS" at position 10')
    assert.equal(problemIn('double1 NOT 1'), 'Expected IN, found "1" at position 19')
    assert.equal(problemIn('double1 IN 1'), 'Expected (, found "1" at position 18')
    assert.equal(problemIn('double1 BETWEEN 1'), 'Expected AND, found "AS" at position 25')
  })

  test('a SQL query that is nested too deeply is refused', () => {
    for (const nested of ['('.repeat(61), '- '.repeat(30_000), 'NOT '.repeat(15_000), 'if(1, 1, '.repeat(61)])
      assert.match(String(problemIn(`${nested}1`)), /^The query is too deep, found /, nested.slice(0, 20))
    assert.equal(evaluate(`${'('.repeat(50)}1${')'.repeat(50)}`)[0], 1)
  })
})
