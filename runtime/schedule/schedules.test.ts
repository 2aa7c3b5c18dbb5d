import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import { LEASE_MS } from '../kernel/objects/pauses.ts'
import { Schedules } from './schedules.ts'
import type { ScheduleSettings } from './settings.ts'
import type { ScheduleSpec } from './types.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOON = Date.parse('2026-11-23T12:00:30Z')
const SETTINGS: ScheduleSettings = { timezone: 'UTC', isPaused: false, maxAttempts: 3, runInPreview: false }
const HOURLY: ScheduleSpec = { name: 'hourly', repeat: 'hour', cron: '0 * * * *', handler: 'tidy' }
const NIGHTLY: ScheduleSpec = {
  name: 'nightly',
  repeat: 'day at 03:00',
  cron: '0 3 * * *',
  handler: 'report',
}
const ONE_O_CLOCK = Date.parse('2026-11-23T13:00:00Z')

function planSchedules(...specs: ScheduleSpec[]) {
  const schedules = new Schedules(memoryStorage())
  schedules.plan(specs, SETTINGS, NOON)
  const only = () => schedules.list(false)[0]!
  const fail = (start: { schedule: string; id: string; attempt: number }, atMs: number) =>
    schedules.settle(start, { error: 'it rained', ms: 10 }, SETTINGS, atMs)
  return { schedules, only, fail }
}

describe('the schedules of an app', () => {
  test('a scheduled run starts once when it is due, and the next run is planned', () => {
    const { schedules, only } = planSchedules(HOURLY, NIGHTLY)
    assert.deepEqual(
      schedules.list(false).map(({ name, nextRunAt }) => [name, nextRunAt]),
      [
        ['hourly', '2026-11-23T13:00:00.000Z'],
        ['nightly', '2026-11-24T03:00:00.000Z'],
      ],
    )
    assert.deepEqual(schedules.due(SETTINGS, ONE_O_CLOCK - 1), [])
    const [start, ...others] = schedules.due(SETTINGS, ONE_O_CLOCK + 5)
    assert.deepEqual(
      [start?.handler, start?.attempt, start?.scheduledAtMs, others],
      ['tidy', 1, ONE_O_CLOCK, []],
    )
    assert.deepEqual(schedules.due(SETTINGS, ONE_O_CLOCK + 10), [])
    schedules.settle(start!, { error: null, ms: 40 }, SETTINGS, ONE_O_CLOCK + 45)
    const { lastStatus, lastDurationMs, lastRunAt, nextRunAt } = only()
    assert.deepEqual(
      [lastStatus, lastDurationMs, lastRunAt, nextRunAt],
      ['ok', 40, '2026-11-23T13:00:00.005Z', '2026-11-23T14:00:00.000Z'],
    )
    assert.equal(schedules.nextAt(), ONE_O_CLOCK + HOUR)
  })

  test('a failed scheduled run is retried after 30 and 60 s, then counts as failed, and the next run still starts', () => {
    const { schedules, only, fail } = planSchedules(HOURLY)
    const [first] = schedules.due(SETTINGS, ONE_O_CLOCK)
    fail(first!, ONE_O_CLOCK)
    assert.equal(schedules.nextAt(), ONE_O_CLOCK + 30_000)
    assert.deepEqual(schedules.due(SETTINGS, ONE_O_CLOCK + 29_999), [])
    const [second] = schedules.due(SETTINGS, ONE_O_CLOCK + 30_000)
    assert.deepEqual([second?.id, second?.attempt], [first?.id, 2])
    fail(second!, ONE_O_CLOCK + 30_000)
    const [third] = schedules.due(SETTINGS, ONE_O_CLOCK + 90_000)
    assert.equal(third?.attempt, 3)
    fail(third, ONE_O_CLOCK + 90_000)
    assert.deepEqual([only().lastStatus, only().lastError, only().attempts], ['failed', 'it rained', 3])
    assert.equal(schedules.nextAt(), ONE_O_CLOCK + HOUR)
    assert.equal(schedules.due(SETTINGS, ONE_O_CLOCK + HOUR)[0]?.attempt, 1)
  })

  test('a schedule that declares zero retries is not retried, even if the settings allow three attempts', () => {
    const { schedules, only, fail } = planSchedules({ ...HOURLY, retries: 0 })
    fail(schedules.due(SETTINGS, ONE_O_CLOCK)[0]!, ONE_O_CLOCK)
    assert.equal(only().lastStatus, 'failed')
  })

  test('a schedule that missed several runs starts one late run, for the first of them', () => {
    const { schedules } = planSchedules(HOURLY)
    const starts = schedules.due(SETTINGS, ONE_O_CLOCK + 5 * HOUR + 1)
    assert.deepEqual(
      starts.map(({ scheduledAtMs }) => scheduledAtMs),
      [ONE_O_CLOCK],
    )
    assert.equal(schedules.nextAt(), Math.min(ONE_O_CLOCK + 5 * HOUR + 1 + LEASE_MS, ONE_O_CLOCK + 6 * HOUR))
  })

  test('while a run of a schedule is in progress, the next run is skipped', () => {
    const { schedules, only } = planSchedules({ ...HOURLY, cron: '*/5 * * * *' })
    const at = NOON + 5 * MINUTE
    const [start] = schedules.due(SETTINGS, at)
    assert.deepEqual(schedules.due(SETTINGS, at + 5 * MINUTE), [])
    assert.equal(only().lastStatus, 'skipped')
    schedules.settle(start!, { error: null, ms: 1 }, SETTINGS, at + 6 * MINUTE)
    assert.equal(only().lastStatus, 'ok')
  })

  test('a scheduled run whose worker crashed fails after 15 minutes, and its later result is ignored', () => {
    const { schedules, only, fail } = planSchedules(HOURLY)
    const [start] = schedules.due(SETTINGS, ONE_O_CLOCK)
    assert.deepEqual(schedules.due(SETTINGS, ONE_O_CLOCK + LEASE_MS), [])
    assert.match(only().lastError ?? '', /did not end within 15 minutes/)
    const [again] = schedules.due(SETTINGS, ONE_O_CLOCK + LEASE_MS + 30_000)
    assert.equal(again?.attempt, 2)
    const late = ONE_O_CLOCK + LEASE_MS + 31_000
    schedules.settle(start!, { error: null, ms: 1 }, SETTINGS, late)
    schedules.settle({ ...again, id: 'another' }, { error: null, ms: 1 }, SETTINGS, late)
    fail(start!, late)
    assert.deepEqual([only().lastStatus, schedules.due(SETTINGS, late + 60_000)], [null, []])
    schedules.settle(again, { error: null, ms: 1 }, SETTINGS, late)
    assert.equal(only().lastStatus, 'ok')
  })

  test('a new release keeps unchanged schedules, replans changed ones, and deletes removed ones with their runs', () => {
    const { schedules } = planSchedules(HOURLY, NIGHTLY)
    const [start] = schedules.due(SETTINGS, ONE_O_CLOCK)
    schedules.plan([{ ...NIGHTLY, cron: '0 4 * * *', repeat: 'day at 04:00' }], SETTINGS, ONE_O_CLOCK)
    assert.deepEqual(
      schedules.list(false).map(({ name, nextRunAt }) => [name, nextRunAt]),
      [['nightly', '2026-11-24T04:00:00.000Z']],
    )
    schedules.settle(start!, { error: null, ms: 1 }, SETTINGS, ONE_O_CLOCK + 1)
    assert.equal(schedules.list(false).length, 1)
    // Planning an unchanged schedule must not move its next time.
    const kept = planSchedules(HOURLY)
    kept.schedules.plan([HOURLY], SETTINGS, ONE_O_CLOCK - 1)
    assert.equal(kept.schedules.due(SETTINGS, ONE_O_CLOCK).length, 1)
  })

  test('changing the time zone in the settings replans the schedules that declare no time zone', () => {
    const { schedules } = planSchedules(NIGHTLY, { ...NIGHTLY, name: 'own', timezone: 'Asia/Tokyo' })
    schedules.due({ ...SETTINGS, timezone: 'Europe/Berlin' }, NOON)
    const next = Object.fromEntries(schedules.list(false).map(({ name, nextRunAt }) => [name, nextRunAt]))
    assert.deepEqual(next, { nightly: '2026-11-24T02:00:00.000Z', own: '2026-11-23T18:00:00.000Z' })
  })
})
