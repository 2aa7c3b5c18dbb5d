import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cronProblem, nextTick } from './schedules.ts'

const nextTickAfter = (cron: string, after: string) => {
  const at = nextTick(cron, Date.parse(after))
  return at === null ? null : new Date(at).toISOString()
}
/** Returns the first `count` ticks after the time `after`, to the minute. */
const ticksFrom = (cron: string, after: string, count: number) => {
  const ticks: string[] = []
  for (let at = after; ticks.length < count; at = ticks.at(-1) ?? '')
    ticks.push(nextTickAfter(cron, at) ?? 'none')
  return ticks.map((tick) => tick.slice(0, 16))
}

describe('cron expressions', () => {
  test("cron expressions have Cloudflare's syntax: 1 is Sunday, and L and W are supported", () => {
    const friday = '2026-11-20T12:00:00Z'
    for (const [cron, expected] of [
      ['0 17 * * 1', '2026-11-22T17:00:00.000Z'],
      ['10 7 * * mon-fri', '2026-11-23T07:10:00.000Z'],
      ['10 7 * * 2-6', '2026-11-23T07:10:00.000Z'],
      ['0 18 * * 6L', '2026-11-27T18:00:00.000Z'],
      ['0 18 * * friL', '2026-11-27T18:00:00.000Z'],
      ['59 23 LW * *', '2026-11-30T23:59:00.000Z'],
      ['0 15 1 * *', '2026-12-01T15:00:00.000Z'],
      ['*/30 * * * *', '2026-11-20T12:30:00.000Z'],
    ] as const)
      assert.equal(nextTickAfter(cron, friday), expected, cron)
  })

  test('cron expressions are in UTC, so daylight saving time does not shift their ticks', () => {
    assert.equal(nextTickAfter('30 2 * * *', '2026-03-29T02:00:00Z'), '2026-03-29T02:30:00.000Z')
    assert.equal(nextTickAfter('30 1 * * *', '2026-10-25T01:30:00Z'), '2026-10-26T01:30:00.000Z')
  })

  test('a cron step such as 5/20 begins at its start value and again in each period of its field', () => {
    const year = '2027-01-01T00:00:00Z'
    assert.deepEqual(ticksFrom('5/20 0 * * *', year, 4), [
      '2027-01-01T00:05',
      '2027-01-01T00:25',
      '2027-01-01T00:45',
      '2027-01-02T00:05',
    ])
    assert.deepEqual(ticksFrom('0 0 28/2 * *', year, 3), [
      '2027-01-28T00:00',
      '2027-01-30T00:00',
      '2027-02-28T00:00',
    ])
    assert.deepEqual(ticksFrom('0 0 1 FEB/6 *', year, 3), [
      '2027-02-01T00:00',
      '2027-08-01T00:00',
      '2028-02-01T00:00',
    ])
  })

  test('a cron range such as 23-1, with or without a step, continues at the lowest value of its field', () => {
    const friday = '2027-01-01T12:00:00Z'
    assert.deepEqual(ticksFrom('0 23-1 * * *', friday, 4), [
      '2027-01-01T23:00',
      '2027-01-02T00:00',
      '2027-01-02T01:00',
      '2027-01-02T23:00',
    ])
    assert.deepEqual(ticksFrom('0 0 * * FRI-SUN', friday, 3), [
      '2027-01-02T00:00',
      '2027-01-03T00:00',
      '2027-01-08T00:00',
    ])
    assert.deepEqual(ticksFrom('0 20-4/4 * * *', friday, 4), [
      '2027-01-01T20:00',
      '2027-01-02T00:00',
      '2027-01-02T04:00',
      '2027-01-02T20:00',
    ])
  })

  test('a cron expression with a day of the month and a weekday ticks on days that match either field', () => {
    assert.deepEqual(ticksFrom('0 0 13 * sat', '2027-01-01T12:00:00Z', 4), [
      '2027-01-02T00:00',
      '2027-01-09T00:00',
      '2027-01-13T00:00',
      '2027-01-16T00:00',
    ])
  })

  test('a cron expression may name the nth weekday, the weekday nearest to a date, and the last day of a week or month', () => {
    const year = '2027-01-01T00:00:00Z'
    for (const [cron, expected] of [
      ['0 0 * * MON#2', '2027-01-11T00:00:00.000Z'],
      ['0 0 * * 2#2', '2027-01-11T00:00:00.000Z'],
      ['0 0 * * L', '2027-01-02T00:00:00.000Z'],
      // 16 January 2027 is a Saturday.
      ['0 0 16W * *', '2027-01-15T00:00:00.000Z'],
      ['0 0 L * *', '2027-01-31T00:00:00.000Z'],
      ['0 0 29 2 *', '2028-02-29T00:00:00.000Z'],
    ] as const)
      assert.equal(nextTickAfter(cron, year), expected, cron)
  })

  test('a cron expression that Cloudflare does not accept is refused or, when already stored, has no tick', () => {
    for (const cron of [
      '',
      'often',
      '60 * * * *',
      '* 24 * * *',
      '* * 0 * *',
      '* * 32 * *',
      '* * * 13 *',
      '0 0 * * 0',
      '0 0 * * 8',
      '0 0 * * MON#6',
      '* * * *',
      '* * * * * *',
      '@daily',
      '0 0 30 2 *',
      // A date and the signs ?, + and H are extensions of other parsers.
      '2099-01-01T00:00:00',
      '0 0 ? * MON',
      '0 0 1 * +MON',
      'H * * * *',
      '*/0 * * * *',
      '*/60 * * * *',
      '*-30 * * * *',
      '1,,2 * * * *',
      '1-2-3 * * * *',
      '1.5 * * * *',
      '0x10 * * * *',
      '-1 * * * *',
      'JAN * * * *',
      '0 0 L,1 * *',
      '0\n0 1 1 *',
    ]) {
      assert.notEqual(cronProblem(cron), null, cron)
      assert.equal(nextTick(cron, 0), null, cron)
    }
  })
})
