import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPattern, nextRunTime, patternOf } from './repeat.ts'

test('an interval of a schedule in words, such as "6 hours", is translated to a cron pattern', () => {
  const patterns = {
    minute: '* * * * *',
    '15 minutes': '*/15 * * * *',
    hour: '0 * * * *',
    '6 hours': '0 */6 * * *',
    day: '0 0 * * *',
    'day at 07:30': '30 7 * * *',
    'weekday at 09:00': '0 9 * * 1-5',
    'Monday at 9:05': '5 9 * * 1',
    'month on 15 at 08:00': '0 8 15 * *',
    month: '0 0 1 * *',
  }
  for (const [every, pattern] of Object.entries(patterns)) {
    assert.equal(patternOf(every), pattern, every)
    assert.ok(isPattern(pattern), pattern)
  }
})

test('a schedule in words or as a cron pattern is rejected if it has uneven intervals, an impossible day or time, or seconds', () => {
  for (const every of [
    '7 minutes',
    '5 hours',
    '90 minutes',
    'someday',
    'day at 24:00',
    'day at 10:60',
    'month on 29',
    'day on 3',
    '30 seconds',
    '',
    'day at noon',
  ])
    assert.equal(patternOf(every), null, every)
  for (const pattern of [
    '* * * * * *',
    '61 * * * *',
    'never',
    '',
    '0 0 31 2 *',
    '@yearly',
    '2030-01-01T00:00:00',
  ])
    assert.equal(isPattern(pattern), false, pattern)
})

test('a cron pattern of a rare date, such as a Monday on 29 February, is accepted, and one of a date that no year has is rejected', () => {
  for (const weekday of [0, 1, 2, 3, 4, 5, 6]) assert.ok(isPattern(`0 0 29 2 +${weekday}`), `${weekday}`)
  assert.ok(isPattern('0 0 29 2 +1#5'))
  assert.equal(isPattern('0 0 1 2 +1#5'), false)
})

test('a daily schedule keeps its local time through both clock changes, and runs once a day', () => {
  const nextTimes = (after: string, count: number) => {
    const found: string[] = []
    for (let at = Date.parse(after); found.length < count;) {
      at = nextRunTime('30 2 * * *', 'Europe/Berlin', at) ?? Number.NaN
      found.push(new Date(at).toISOString())
    }
    return found
  }
  // In this time zone, 02:30 does not exist on 29 March and occurs twice on 25 October.
  assert.deepEqual(nextTimes('2026-03-28T00:00:00Z', 3), [
    '2026-03-28T01:30:00.000Z',
    '2026-03-29T01:00:00.000Z',
    '2026-03-30T00:30:00.000Z',
  ])
  assert.deepEqual(nextTimes('2026-10-24T00:00:00Z', 3), [
    '2026-10-24T00:30:00.000Z',
    '2026-10-25T00:30:00.000Z',
    '2026-10-26T01:30:00.000Z',
  ])
})
