import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import type { JobOutcome } from '../kernel/objects/jobs.ts'
import type { Tier } from '../kernel/objects/objects.ts'
import { importInWorkerd } from '../kernel/objects/workerd.test.fixture.ts'
import type { ScheduleRunner } from './runner.ts'
import { RunnerWorld, WAITING_CASES } from '../kernel/objects/runners.test.fixture.ts'
import type { ScheduleSpec } from './types.ts'

const NOON = Date.parse('2026-11-23T12:00:30Z')
const ONE_O_CLOCK = Date.parse('2026-11-23T13:00:00Z')
const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000]
const LEASE_MS = 15 * MINUTE_MS
const HOURLY: ScheduleSpec = { name: 'hourly', repeat: 'hour', cron: '0 * * * *', handler: 'tidy' }

const importRunner = () => importInWorkerd(() => import('./runner.ts'))

const openWorld = (make: typeof ScheduleRunner, tier: Tier = 'production') =>
  new RunnerWorld((deps) => new make(deps), { tier, attempts: 2 })

function onlyOf({ runner }: RunnerWorld<ScheduleRunner>) {
  const [job, ...others] = runner.list()
  assert.ok(job !== undefined && others.length === 0)
  return job
}

describe('the schedules of an app in their object', () => {
  let make: typeof ScheduleRunner
  before(async () => {
    make = (await importRunner()).ScheduleRunner
  })
  beforeEach(() => {
    mock.timers.reset()
    mock.timers.enable({ apis: ['Date'], now: NOON })
  })
  after(() => mock.timers.reset())

  test('the job of a schedule is called when the schedule is due, and its outcome is listed', async () => {
    const world = openWorld(make)
    world.runner.plan([HOURLY])
    assert.equal(world.alarmAt, ONE_O_CLOCK)
    await world.wake()
    const [call] = world.ran
    const scheduledAt = '2026-11-23T13:00:00.000Z'
    assert.deepEqual(world.ran, [
      { job: 'tidy', data: null, info: { id: call?.info.id, attempt: 1, scheduledAt, userId: null } },
    ])
    assert.deepEqual(onlyOf(world), {
      name: 'hourly',
      repeat: 'hour',
      nextRunAt: '2026-11-23T14:00:00.000Z',
      lastRunAt: '2026-11-23T13:00:00.000Z',
      lastStatus: 'ok',
      lastDurationMs: 0,
      attempts: 1,
      lastError: null,
      paused: false,
    })
    assert.equal(world.alarmAt, ONE_O_CLOCK + HOUR_MS)
  })

  test('a scheduled job that fails is retried under the same id, and its last error is listed', async () => {
    const world = openWorld(make)
    world.runner.plan([HOURLY])
    world.outcome = () => ({ ok: false, error: 'No printer.' })
    await world.wake()
    assert.equal(world.alarmAt, ONE_O_CLOCK + 30_000)
    await world.wake()
    const [first, second] = world.ran.map(({ info }) => [info.id, info.attempt])
    assert.deepEqual([first?.[1], second], [1, [first?.[0], 2]])
    assert.deepEqual([onlyOf(world).lastStatus, onlyOf(world).lastError], ['failed', 'No printer.'])
  })

  test("a scheduled run whose call to the app's worker fails has the message of that error", async () => {
    const world = openWorld(make)
    world.runner.plan([HOURLY])
    world.outcome = () => Promise.reject(new Error('The worker exceeded its CPU limit.'))
    await world.wake()
    assert.equal(onlyOf(world).lastError, 'The worker exceeded its CPU limit.')
  })

  test('a scheduled run that is interrupted at every attempt ends as failed, with the reason', () => {
    const world = openWorld(make)
    world.runner.plan([HOURLY])
    world.outcome = () => new Promise(() => {})
    for (let alarms = 0; alarms < 10 && onlyOf(world).lastStatus !== 'failed'; alarms++) {
      world.ring()
      world.restart()
    }
    const { lastStatus, lastError, attempts } = onlyOf(world)
    assert.deepEqual(
      [world.ran.length, lastStatus, lastError, attempts],
      [2, 'failed', 'The run did not end within 15 minutes.', 2],
    )
  })

  test('the outcome of a scheduled run that ends after its time limit is ignored, because the run was started again', async () => {
    const world = openWorld(make)
    world.runner.plan([HOURLY])
    const first = Promise.withResolvers<JobOutcome>()
    world.outcome = () => first.promise
    world.ring()
    world.outcome = () => new Promise(() => {})
    mock.timers.setTime(ONE_O_CLOCK + LEASE_MS)
    world.ring()
    world.ring()
    assert.equal(world.ran.length, 2)
    first.resolve({ ok: true })
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual([onlyOf(world).lastStatus, onlyOf(world).attempts], [null, 2])
  })

  test('a long run of one schedule does not delay other schedules', async () => {
    const world = openWorld(make)
    const slow = Promise.withResolvers<JobOutcome>()
    world.outcome = () => (world.ran.at(-1)?.job === 'tidy' ? slow.promise : { ok: true })
    world.runner.plan([HOURLY, { ...HOURLY, name: 'other', handler: 'report' }])
    world.ring()
    await new Promise((resolve) => setImmediate(resolve))
    const statuses = () => Object.fromEntries(world.runner.list().map((job) => [job.name, job.lastStatus]))
    assert.deepEqual(statuses(), { hourly: null, other: 'ok' })
    slow.resolve({ ok: true })
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(statuses(), { hourly: 'ok', other: 'ok' })
  })

  test('after a release is activated again, a stopped schedule runs only once for all the times it missed', async () => {
    const world = openWorld(make)
    world.runner.plan([HOURLY])
    world.runner.suspend()
    assert.equal(onlyOf(world).paused, true)
    await world.wake()
    mock.timers.setTime(ONE_O_CLOCK + 3 * HOUR_MS)
    await world.wake()
    assert.equal(world.ran.length, 0)
    world.runner.plan([HOURLY])
    assert.equal(onlyOf(world).paused, false)
    await world.wake()
    assert.equal(world.ran.length, 1)
    await world.wake()
    assert.deepEqual(
      world.ran.map(({ info }) => info.scheduledAt),
      ['2026-11-23T13:00:00.000Z', '2026-11-23T17:00:00.000Z'],
    )
  })

  test('a schedule that a new release removes does not run, and an unchanged schedule keeps its next time', async () => {
    const world = openWorld(make)
    world.runner.plan([HOURLY, { ...HOURLY, name: 'gone' }])
    mock.timers.setTime(NOON + 30 * MINUTE_MS)
    world.runner.plan([HOURLY])
    assert.equal(onlyOf(world).nextRunAt, '2026-11-23T13:00:00.000Z')
    await world.wake()
    assert.equal(world.ran.length, 1)
    world.runner.plan([])
    assert.deepEqual(world.runner.list(), [])
  })

  test('a due schedule that cannot run, for instance because its app is not deployed, is tried again every five minutes', async () => {
    for (const [why, env, tier] of WAITING_CASES) {
      mock.timers.setTime(NOON)
      const world = openWorld(make, tier)
      Object.assign(world.env, env)
      world.runner.plan([HOURLY])
      await world.wake()
      const { lastStatus, paused } = onlyOf(world)
      assert.deepEqual(
        [world.ran, world.alarmAt, lastStatus, paused],
        [[], ONE_O_CLOCK + 5 * MINUTE_MS, null, 'SCHEDULE_PAUSED' in env],
        why,
      )
    }
  })

  test('while an app is being moved to another cloud account its schedules wait until the move has ended', async () => {
    const world = openWorld(make)
    world.runner.plan([HOURLY])
    world.hold.set(true)
    await world.wake()
    assert.equal(world.ran.length, 0)
    world.hold.set(false)
    await world.wake()
    assert.equal(world.ran[0]?.info.scheduledAt, '2026-11-23T13:00:00.000Z')
  })
})
