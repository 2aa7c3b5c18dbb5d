import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayOf, dueAtOf, formatDueDay } from './due-date.ts'

const NOW = new Date(2026, 5, 1).getTime()

test('the due date of a chosen day is shown as the same day, in any time zone', () => {
  for (const day of ['2026-01-01', '2026-12-31', '2028-02-29', '0100-03-04'])
    assert.equal(dayOf(dueAtOf(day)), day)
  assert.equal(dueAtOf(''), null)
  assert.equal(dueAtOf('2026-13-40'), null)
  assert.equal(dayOf(null), '')
})

test("a due date's year that was typed with two digits is in this century", () => {
  for (const [typed, meant] of [
    ['0026-11-30', '2026-11-30'],
    ['0000-01-31', '2000-01-31'],
    ['0028-02-29', '2028-02-29'],
  ] as const)
    assert.equal(dayOf(dueAtOf(typed)), meant)
})

test('the due date of a day is on that day in every time zone, even on days of a clock change', (t) => {
  const before = process.env['TZ']
  t.after(() => {
    if (before === undefined) delete process.env['TZ']
    else process.env['TZ'] = before
  })
  for (const zone of [
    'UTC',
    'Europe/Berlin',
    'America/Sao_Paulo',
    'Asia/Kathmandu',
    'Pacific/Kiritimati',
    'Pacific/Pago_Pago',
    'Australia/Lord_Howe',
  ]) {
    process.env['TZ'] = zone
    // In Brazil, the first day of summer time in 2018 had no midnight.
    for (const day of ['2026-03-29', '2026-10-25', '2018-11-04', '2026-01-01', '2026-12-31'])
      assert.equal(dayOf(dueAtOf(day)), day, `${zone} ${day}`)
  }
})

test('a ticket that is due today is not overdue before the day ends', () => {
  const end = Date.parse(dueAtOf('2026-06-01') ?? '')
  assert.ok(end > new Date(2026, 5, 1, 23, 59, 0).getTime())
})

test('a due date shows its year only if it is not the current year', () => {
  assert.equal(formatDueDay(new Date(2026, 10, 30).toISOString(), NOW), 'Nov 30')
  assert.equal(formatDueDay(new Date(2027, 0, 2).toISOString(), NOW), 'Jan 2, 2027')
})
