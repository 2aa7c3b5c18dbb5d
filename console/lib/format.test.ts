import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  countOf,
  dayAfterMonth,
  formatClock,
  formatCost,
  formatCount,
  formatDay,
  formatDuration,
  formatMonth,
  formatRelative,
  formatSize,
  lowerFirstLetter,
} from './format.ts'

test('a duration is shown in milliseconds, seconds, or minutes and seconds', () => {
  assert.deepEqual([0, 412, 949, 1500, 9949, 12_400, 124_000].map(formatDuration), [
    '1 ms',
    '412 ms',
    '949 ms',
    '1.5 s',
    '9.9 s',
    '12 s',
    '2 min 4 s',
  ])
})

test('a duration in clock format has minutes and seconds, and is 0:00 when it is negative', () => {
  assert.deepEqual([-5, 7000, 765_000].map(formatClock), ['0:00', '0:07', '12:45'])
})

test('a count is shortened to thousands and millions', () => {
  assert.deepEqual([0, 999, 1000, 12_449, 120_000, 999_950].map(formatCount), [
    '0',
    '999',
    '1.0k',
    '12.4k',
    '120k',
    '1.0M',
  ])
})

test('a time is shown relative to now, in the past and in the future', () => {
  const now = new Date('2026-11-20T18:00:00Z')
  const ago = (seconds: number) => formatRelative(new Date(now.getTime() - seconds * 1000), now)
  assert.deepEqual([5, 300, 7200, 86_400].map(ago), ['just now', '5 minutes ago', '2 hours ago', 'yesterday'])
  assert.equal(ago(-7 * 86_400 + 60), 'in 7 days')
  assert.deepEqual([-36 * 3600, -3590].map(ago), ['tomorrow', 'in 59 minutes'])
  // The other machine's clock may be slightly ahead, so a few seconds in the future count as now.
  assert.deepEqual([-2, -30, -120].map(ago), ['just now', 'within a minute', 'in 2 minutes'])
})

test('a count of one is followed by a noun in the singular, and every other count by a plural', () => {
  assert.deepEqual([countOf(1, 'file'), countOf(0, 'file')], ['1 file', '0 files'])
})

test('a title inside a sentence begins with a lower-case letter, unless it begins with an abbreviation', () => {
  assert.deepEqual(['Worker', 'Media server of calls', 'AI gateway'].map(lowerFirstLetter), [
    'worker',
    'media server of calls',
    'AI gateway',
  ])
})

test('a size is shown in powers of ten, as providers bill it', () => {
  assert.deepEqual([0, 999, 1000, 12_345, 99_960_000, 123_456_789, 5e9, 3e15].map(formatSize), [
    '0 B',
    '999 B',
    '1 kB',
    '12.3 kB',
    '100 MB',
    '123 MB',
    '5 GB',
    '3000 TB',
  ])
})

test('a size that is rounded up to a thousand is shown in the next unit', () => {
  assert.deepEqual([999_499, 999_500, 999_999, 999_950_000, 1e12 - 1].map(formatSize), [
    '999 kB',
    '1 MB',
    '1 MB',
    '1 GB',
    '1 TB',
  ])
})

test('a duration is never shown with sixty seconds, an hour is shown in minutes, and a negative duration as 1 ms', () => {
  assert.deepEqual([59_499, 59_500, 59_999, 60_000, 119_600, 3_600_000].map(formatDuration), [
    '59 s',
    '1 min 0 s',
    '1 min 0 s',
    '1 min 0 s',
    '2 min 0 s',
    '60 min 0 s',
  ])
  assert.equal(formatDuration(-20), '1 ms', 'a clock that was set back')
})

test('an amount of dollars below one cent is shown as less than $0.01, and a larger amount is rounded to cents', () => {
  assert.deepEqual([0, 0.0049, 0.0099, 0.01, 0.995, 12.344, 1000].map(formatCost), [
    'less than $0.01',
    'less than $0.01',
    'less than $0.01',
    'about $0.01',
    'about $0.99',
    'about $12.34',
    'about $1000.00',
  ])
})

test('the name of a month and the day after that month do not depend on the time zone of the reader', (t) => {
  const before = process.env['TZ']
  t.after(() => {
    if (before === undefined) delete process.env['TZ']
    else process.env['TZ'] = before
  })
  for (const zone of ['Pacific/Kiritimati', 'UTC', 'Pacific/Pago_Pago']) {
    process.env['TZ'] = zone
    assert.equal(formatMonth('2026-12'), 'December 2026', zone)
    assert.equal(dayAfterMonth('2026-12'), 'January 1, 2027', zone)
    assert.equal(dayAfterMonth('2028-02'), 'March 1, 2028', zone)
  }
})

test('times far in the past or future are shown in months and years, and rounded towards now', () => {
  const now = new Date('2026-11-20T18:00:00Z')
  const inDays = (days: number) => formatRelative(new Date(now.getTime() + days * 86_400_000), now)
  assert.deepEqual([-45, -364, -366, -800, 29, 60, 400].map(inDays), [
    'last month',
    '12 months ago',
    'last year',
    '2 years ago',
    'in 29 days',
    'in 2 months',
    'next year',
  ])
})

test('a day is formatted with its month and year, and a text that is not a time is shown unchanged', () => {
  assert.equal(formatDay('2026-11-26T12:00:00Z'), 'November 26, 2026')
  assert.deepEqual(['', 'soon'].map(formatDay), ['', 'soon'])
})
