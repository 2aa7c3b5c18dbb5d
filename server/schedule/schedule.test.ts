import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { JOB_TABLE } from '../tables/job-table.ts'
import { type Jobs, openJobs } from '../jobs/jobs.ts'
import type { Platform, PlatformPorts } from '../platform.ts'
import { TASK_SCHEDULE } from '../tables/schedule-table.ts'
import { TestClock } from '../testing/app.ts'
import { silentLog, testDatabase, type TestDatabase } from '../testing/database.ts'
import { undoAfter } from '../testing/undo.ts'
import { taskTable } from './schedule-job.ts'
import { Schedule, periodStart } from './start-schedule.ts'
import type { Period, ScheduledTask } from '../scheduled-task.ts'
import { DAY_MS } from '@slipway/runtime/kernel/durations.ts'

const MINUTE_MS = 60_000

describe('the due times of scheduled tasks', () => {
  const slotAt = (every: Period, now: string) => periodStart(every, new Date(now)).toISOString()

  test('the period of a scheduled task begins at the full minute, ten minutes or hour', () => {
    assert.equal(slotAt('minute', '2026-06-01T12:34:56.789Z'), '2026-06-01T12:34:00.000Z')
    assert.equal(slotAt('10 minutes', '2026-06-01T12:39:59.999Z'), '2026-06-01T12:30:00.000Z')
    assert.equal(slotAt('hour', '2026-06-01T12:00:00.000Z'), '2026-06-01T12:00:00.000Z')
  })

  test("nightly tasks are due at 03:00 UTC; before 03:00 the previous day's time still applies", () => {
    assert.equal(slotAt('night', '2026-06-02T02:59:59.999Z'), '2026-06-01T03:00:00.000Z')
    assert.equal(slotAt('night', '2026-06-02T03:00:00.000Z'), '2026-06-02T03:00:00.000Z')
  })
})

describe('scheduled tasks', () => {
  let database: TestDatabase
  let clock: TestClock
  let platform: PlatformPorts<'jobs'>
  let jobs: Jobs<Platform>
  before(async () => {
    database = await testDatabase()
    clock = new TestClock()
    jobs = await openJobs({ url: database.url, log: silentLog, definitions: JOB_TABLE })
    platform = { db: database.db, clock, jobs, log: silentLog }
  })
  after(async () => {
    await jobs.stop()
    await database.drop()
  })

  const testTask = (name: string, every: Period, run = async () => {}): ScheduledTask => ({
    name,
    every,
    run,
  })
  const sentJobs = async () =>
    (
      await database.pool.query<{ name: string; key: string }>(
        `delete from pgboss.job where name like 'schedule%' returning name, singleton_key as key`,
      )
    ).rows
      .map(({ name, key }) => `${name}: ${key}`)
      .sort()

  test('a scheduled task is queued as a job once when it is due, and nightly tasks go to a separate queue', async () => {
    const schedule = new Schedule(
      taskTable([testTask('a', 'minute'), testTask('b', 'hour'), testTask('c', 'night')]),
    )
    assert.deepEqual((await schedule.sendDue(platform)).toSorted(), ['a', 'b', 'c'])
    assert.deepEqual(await sentJobs(), ['schedule-night: c', 'schedule: a', 'schedule: b'])
    clock.advance(MINUTE_MS - 1)
    assert.deepEqual(await schedule.sendDue(platform), [])
    clock.advance(1)
    assert.deepEqual(await schedule.sendDue(platform), ['a'])
    assert.deepEqual(await sentJobs(), ['schedule: a'])
  })

  test('each due scheduled task is queued by exactly one of several processes', async () => {
    const processes = Array.from(
      { length: 8 },
      () => new Schedule(taskTable([testTask('d', 'minute'), testTask('e', 'minute')])),
    )
    const sent = await Promise.all(processes.map((schedule) => schedule.sendDue(platform)))
    assert.deepEqual(sent.flat().sort(), ['d', 'e'])
    assert.deepEqual(await sentJobs(), ['schedule: d', 'schedule: e'])
  })

  test('a scheduled task that missed several due times while no process ran is queued once', async () => {
    await new Schedule(taskTable([testTask('f', 'minute')])).sendDue(platform)
    clock.advance(3 * DAY_MS)
    const restarted = new Schedule(taskTable([testTask('f', 'minute')]))
    assert.deepEqual(await restarted.sendDue(platform), ['f'])
    assert.deepEqual(await restarted.sendDue(platform), [])
    await sentJobs()
  })

  test('a clock that was a day ahead for a while does not stop scheduled tasks for a day', async () => {
    const schedule = new Schedule(taskTable([testTask('g', 'minute')]))
    clock.advance(DAY_MS)
    await schedule.sendDue(platform)
    clock.advance(-DAY_MS)
    assert.deepEqual(await schedule.sendDue(platform), ['g'])
    await sentJobs()
  })

  test('a scheduled task whose job cannot be stored remains due', async () => {
    const broken = { ...platform, jobs: { send: () => Promise.reject(new Error('disk full')) } }
    const schedule = new Schedule(taskTable([testTask('h', 'minute')]))
    await assert.rejects(schedule.sendDue(broken), /disk full/)
    assert.deepEqual(await schedule.sendDue(platform), ['h'])
    await sentJobs()
  })

  test('a failing scheduled task is logged and does not keep other tasks from running', async (t) => {
    const ran: string[] = []
    const failures: unknown[] = []
    const tasks = [
      testTask('fails', 'minute', () => Promise.reject(new Error('no luck'))),
      testTask('works', 'minute', async () => void ran.push('works')),
    ]
    const job = taskTable(tasks).day
    const worker = await openJobs({
      url: database.url,
      log: silentLog,
      definitions: [job],
    })
    undoAfter(t, () => worker.stop())
    await new Schedule(taskTable(tasks)).sendDue(platform)
    const log = { ...silentLog, debug() {}, error: (entry: unknown) => failures.push(entry) }
    await worker.work({ ...platform, log, metrics: null })
    const jobStates = async () =>
      (await database.pool.query<{ state: string }>(`select state from pgboss.job where name = 'schedule'`))
        .rows
    for (let tries = 0; !(await jobStates()).every(({ state }) => state === 'completed'); tries++) {
      assert.ok(tries < 500, JSON.stringify(await jobStates()))
      await sleep(10)
    }
    assert.deepEqual(ran, ['works'])
    assert.match(JSON.stringify(failures), /"task":"fails","ms":\d+/)
  })

  test('a job for a scheduled task that this release does not know is ignored without an error', async () => {
    const signal = new AbortController().signal
    await taskTable([]).day.run(platform, { data: { task: 'of another release' }, attempt: 1, signal })
  })

  test('every scheduled task has a unique name and an existing queue', () => {
    const names = TASK_SCHEDULE.tasks.map((one) => one.name)
    assert.equal(new Set(names).size, names.length)
    for (const job of [TASK_SCHEDULE.day, TASK_SCHEDULE.night])
      assert.ok(JOB_TABLE.some((one) => one.name === job.name))
  })
})
