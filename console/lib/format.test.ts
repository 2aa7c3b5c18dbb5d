import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  countOf,
  formatClock,
  formatCount,
  formatDay,
  formatDuration,
  formatRelative,
  formatSize,
  inSentence,
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
  assert.deepEqual(['Worker', 'Media server of calls', 'AI gateway'].map(inSentence), [
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

test('a day is written out, and a text that is no time is shown as it is', () => {
  assert.equal(formatDay('2026-11-26T12:00:00Z'), 'November 26, 2026')
  assert.deepEqual(['', 'soon'].map(formatDay), ['', 'soon'])
})
