import assert from 'node:assert/strict'
import { test } from 'node:test'
import { previousWindowStartMs, calendarWindowAt, type WindowKind } from './window.ts'

const windowTimes = (kind: WindowKind, at: string) => {
  const { start, end } = calendarWindowAt(kind, Date.parse(at))
  return [new Date(start).toISOString(), end === null ? null : new Date(end).toISOString()]
}

test('the windows of a usage meter follow the UTC calendar, and each window ends when the next one starts', () => {
  // A Wednesday. Weeks begin on Monday.
  const at = '2026-12-30T23:59:59.999Z'
  assert.deepEqual(windowTimes('hour', at), ['2026-12-30T23:00:00.000Z', '2026-12-31T00:00:00.000Z'])
  assert.deepEqual(windowTimes('day', at), ['2026-12-30T00:00:00.000Z', '2026-12-31T00:00:00.000Z'])
  assert.deepEqual(windowTimes('week', at), ['2026-12-28T00:00:00.000Z', '2027-01-04T00:00:00.000Z'])
  assert.deepEqual(windowTimes('month', at), ['2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'])
  assert.deepEqual(windowTimes('lifetime', at), ['1970-01-01T00:00:00.000Z', null])
  assert.deepEqual(windowTimes('day', '2026-12-31T00:00:00.000Z')[0], '2026-12-31T00:00:00.000Z')
  assert.deepEqual(windowTimes('week', '2027-01-04T00:00:00.000Z')[0], '2027-01-04T00:00:00.000Z')
  assert.deepEqual(windowTimes('month', '2028-02-29T12:00:00.000Z')[1], '2028-03-01T00:00:00.000Z')
})

test('usage meters store counts from the start of the previous month or week on, and counts of a lifetime meter forever', () => {
  const before = (kind: WindowKind, at: string) =>
    new Date(previousWindowStartMs(kind, calendarWindowAt(kind, Date.parse(at)))).toISOString()
  assert.equal(before('month', '2026-03-15T00:00:00Z'), '2026-02-01T00:00:00.000Z')
  assert.equal(before('week', '2026-11-23T10:00:00Z'), '2026-11-16T00:00:00.000Z')
  assert.equal(before('lifetime', '2026-11-23T10:00:00Z'), '1970-01-01T00:00:00.000Z')
})
