import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import type { ObjectState } from 'cloudflare:workers'
import { recordErrors } from '../data/objects.test.fixture.ts'
import { Alarms } from '../kernel/alarms.ts'
import { Hold } from '../kernel/hold.ts'
import type { JobInfo, JobOutcome } from '../kernel/jobs.ts'
import type { Tier } from '../kernel/objects.ts'
import { memoryStorage } from '../kernel/sqlite.test.fixture.ts'
import { importInWorkerd } from '../kernel/workerd.test.fixture.ts'
import type { TimerRunner } from './timer-runner.ts'

const NOW = Date.parse('2026-11-20T10:00:00.000Z')
const MINUTE_MS = 60_000
const ADA = `u_${'a'.repeat(26)}`

const importRunner = () => importInWorkerd(() => import('./timer-runner.ts'))

/** The object of a person, whose storage survives a restart, and an app that runs the jobs. */
class World {
  readonly storage
  readonly hold
  readonly ran: { job: string; data: unknown; info: JobInfo }[] = []
  alarmAt: number | null = null
  /** Returns the outcome of a job. A promise may stay pending. */
  outcome: () => JobOutcome | Promise<JobOutcome> = () => ({ ok: true })
  env: Record<string, unknown> = {
    SCHEDULE_ATTEMPTS: '3',
    APP: {
      timer: async (job: string, data: unknown, info: JobInfo) => {
        this.ran.push({ job, data, info })
        return await this.outcome()
      },
    },
  }
  readonly #make: typeof TimerRunner
  #work: Promise<unknown>[] = []
  runner!: TimerRunner

  constructor(make: typeof TimerRunner, tier: Tier = 'production') {
    this.#make = make
    const setAlarm = async (at: number) => void (this.alarmAt = at)
    this.storage = { ...memoryStorage(), setAlarm, deleteAll: async () => {} }
    this.hold = new Hold(this.storage)
    this.restart(tier)
  }

  /** Starts the object again with only its stored data. */
  restart(tier: Tier = 'production'): void {
    this.#work = []
    const ctx = { storage: this.storage, waitUntil: (work: Promise<unknown>) => void this.#work.push(work) }
    this.runner = new this.#make(
      {
        ctx: ctx as unknown as ObjectState,
        env: this.env,
        tier,
        hold: this.hold,
        alarms: new Alarms(this.storage),
      },
      ADA,
    )
  }

  /** Sets a timer and returns its id. */
  set(inMinutes: number, data: unknown = null): string {
    const at = new Date(NOW + inMinutes * MINUTE_MS).toISOString()
    const answer = this.runner.answer('set', { at, name: 'remind', data })
    assert.ok(answer.ok)
    return answer.value.id
  }

  /** Moves the clock to the alarm and runs it. Does not wait for the jobs that it starts. */
  ring(): void {
    assert.ok(this.alarmAt !== null)
    mock.timers.setTime(Math.max(Date.now(), this.alarmAt))
    this.runner.wake()
  }

  async wake(): Promise<void> {
    this.ring()
    await Promise.all(this.#work.splice(0))
  }
}

describe('the timers of a person in their object', () => {
  let make: typeof TimerRunner
  let logged: { message: string; route: string }[]
  before(async () => {
    make = (await importRunner()).TimerRunner
  })
  beforeEach(() => {
    mock.restoreAll()
    mock.timers.reset()
    mock.timers.enable({ apis: ['Date'], now: NOW })
    logged = recordErrors()
  })
  after(() => {
    mock.restoreAll()
    mock.timers.reset()
  })

  test('the job of a timer is called once when the timer is due, with its data, its time and the id of its person', async () => {
    const world = new World(make)
    const id = world.set(5, { text: 'Water the plants' })
    assert.equal(world.alarmAt, NOW + 5 * MINUTE_MS)
    await world.wake()
    const info = { id, attempt: 1, scheduledAt: '2026-11-20T10:05:00.000Z', userId: ADA }
    assert.deepEqual(world.ran, [{ job: 'remind', data: { text: 'Water the plants' }, info }])
    world.restart()
    world.runner.wake()
    assert.deepEqual([world.ran.length, world.runner.count(), logged], [1, 0, []])
  })

  test('a timer whose job fails each time is given up after the attempts in the settings, with one logged error', async () => {
    const world = new World(make)
    world.outcome = () => ({ ok: false, error: 'The list is empty.' })
    world.set(0)
    for (let rounds = 0; rounds < 3; rounds++) await world.wake()
    assert.deepEqual(
      [world.ran.map(({ info }) => info.attempt), world.runner.count(), logged],
      [
        [1, 2, 3],
        0,
        [
          {
            message: 'A timer was given up after 3 attempts: The list is empty.',
            route: 'job remind',
          },
        ],
      ],
    )
  })

  test('a timer whose job is interrupted each time is given up after the attempts in the settings, with one logged error', () => {
    const world = new World(make)
    world.outcome = () => new Promise(() => {})
    world.set(0)
    for (let rounds = 0; rounds < 10 && world.runner.count() > 0; rounds++) {
      world.ring()
      world.restart()
    }
    const message = 'A timer was given up after 3 attempts: The run did not end within 15 minutes.'
    assert.deepEqual(
      [world.ran.map(({ info }) => info.attempt), world.runner.count(), logged],
      [[1, 2, 3], 0, [{ message, route: 'job remind' }]],
    )
  })

  test('the outcome of a job that ends after its time limit is ignored, because the job was started again', async () => {
    const world = new World(make)
    const first = Promise.withResolvers<JobOutcome>()
    world.outcome = () => first.promise
    world.set(0)
    world.ring()
    world.outcome = () => new Promise(() => {})
    // One alarm ends the first attempt, and the next one starts the second.
    world.ring()
    world.ring()
    first.resolve({ ok: true })
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual([world.ran.map(({ info }) => info.attempt), world.runner.count()], [[1, 2], 1])
  })

  test('a person cancels a timer of their own once, and a timer that does not exist is not found', async () => {
    const world = new World(make)
    const [first, second] = [world.set(1), world.set(2)]
    const cancel = (id: string) => world.runner.answer('cancel', { id })
    const gone = { ok: false, error: { code: 'not_found', message: 'There is no such timer.' } }
    assert.deepEqual(cancel(first), { ok: true, value: { id: first } })
    assert.deepEqual([cancel(first), cancel('someone-else')], [gone, gone])
    assert.deepEqual(world.runner.answer('list', null), {
      ok: true,
      value: [{ id: second, name: 'remind', at: '2026-11-20T10:02:00.000Z' }],
    })
    await world.wake()
    assert.deepEqual(
      world.ran.map(({ info }) => info.id),
      [second],
    )
  })

  test('while the app is moved, timers can be listed and not changed, and one that is due waits for the end of the move', async () => {
    const world = new World(make)
    const id = world.set(1)
    world.hold.set(true)
    const message = 'The app is being moved and takes no changes right now. Try again in a few minutes.'
    const held = { ok: false, error: { code: 'unavailable', message } }
    const at = '2026-11-20T11:00:00Z'
    assert.deepEqual(world.runner.answer('set', { at, name: 'remind', data: null }), held)
    assert.deepEqual(world.runner.answer('cancel', { id }), held)
    assert.equal(world.runner.answer('list', null).ok, true)
    await world.wake()
    assert.deepEqual([world.ran, world.alarmAt], [[], NOW + 6 * MINUTE_MS])
    world.hold.set(false)
    await world.wake()
    assert.equal(world.ran.length, 1)
  })

  test('a timer waits, and is checked again every five minutes, while it may not run', async () => {
    const cases: [why: string, env: Record<string, unknown>, tier: Tier][] = [
      ['the schedules are paused', { SCHEDULE_PAUSED: 'on' }, 'production'],
      ['the app is not deployed', { APP: undefined }, 'production'],
      ['the capability is off', { APP_CALLERS: JSON.stringify(['hook']) }, 'production'],
      ['previews run nothing by themselves', {}, 'preview'],
    ]
    for (const [why, env, tier] of cases) {
      mock.timers.setTime(NOW)
      const world = new World(make, tier)
      Object.assign(world.env, env)
      world.set(0)
      await world.wake()
      assert.deepEqual([world.ran, world.alarmAt, world.runner.count()], [[], NOW + 5 * MINUTE_MS, 1], why)
    }
  })

  test('without a timer no alarm is set, even while timers may not run', () => {
    const world = new World(make)
    world.runner.wake()
    world.hold.set(true)
    world.runner.wake()
    assert.equal(world.alarmAt, null)
  })

  test('timers that were copied to another account run there, each as its next attempt', async () => {
    const from = new World(make)
    from.outcome = () => ({ ok: false, error: 'not now' })
    const [failed, later] = [from.set(0, 'first'), from.set(3, 'second')]
    await from.wake()
    const to = new World(make)
    to.runner.restore(from.runner.dump())
    assert.equal(to.alarmAt, NOW + 0.5 * MINUTE_MS)
    await to.wake()
    await to.wake()
    assert.deepEqual(
      to.ran.map(({ data, info }) => [info.id, data, info.attempt]),
      [
        [failed, 'first', 2],
        [later, 'second', 1],
      ],
    )
  })
})
