import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import { recordErrors } from '../data/partition/objects.test.fixture.ts'
import type { JobOutcome } from '../kernel/objects/jobs.ts'
import type { Tier } from '../kernel/objects/objects.ts'
import { importInWorkerd } from '../kernel/objects/workerd.test.fixture.ts'
import { RunnerWorld, WAITING_CASES } from '../kernel/objects/runners.test.fixture.ts'
import type { TimerRunner } from './timer-runner.ts'

const NOW = Date.parse('2026-11-20T10:00:00.000Z')
const MINUTE_MS = 60_000
const ADA = `u_${'a'.repeat(26)}`

const importRunner = () => importInWorkerd(() => import('./timer-runner.ts'))

const openWorld = (make: typeof TimerRunner, tier: Tier = 'production') =>
  new RunnerWorld((deps) => new make(deps, ADA), { tier })

function setTimer({ runner }: RunnerWorld<TimerRunner>, inMinutes: number, data: unknown = null): string {
  const at = new Date(NOW + inMinutes * MINUTE_MS).toISOString()
  const answer = runner.answer('set', { at, name: 'remind', data })
  assert.ok(answer.ok)
  return answer.value.id
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
    const world = openWorld(make)
    const id = setTimer(world, 5, { text: 'Water the plants' })
    assert.equal(world.alarmAt, NOW + 5 * MINUTE_MS)
    await world.wake()
    const info = { id, attempt: 1, scheduledAt: '2026-11-20T10:05:00.000Z', userId: ADA }
    assert.deepEqual(world.ran, [{ job: 'remind', data: { text: 'Water the plants' }, info }])
    world.restart()
    world.runner.wake()
    assert.deepEqual([world.ran.length, world.runner.count(), logged], [1, 0, []])
  })

  test('a timer whose job fails at every configured attempt is not retried again, and one error is logged', async () => {
    const world = openWorld(make)
    world.outcome = () => ({ ok: false, error: 'The list is empty.' })
    setTimer(world, 0)
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

  test('a timer whose job is interrupted at every configured attempt is not retried again, and one error is logged', () => {
    const world = openWorld(make)
    world.outcome = () => new Promise(() => {})
    setTimer(world, 0)
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

  test("the outcome of a timer's job that ends after its time limit is ignored, because the job was started again", async () => {
    const world = openWorld(make)
    const first = Promise.withResolvers<JobOutcome>()
    world.outcome = () => first.promise
    setTimer(world, 0)
    world.ring()
    world.outcome = () => new Promise(() => {})
    // One alarm ends the first attempt, and the next one starts the second.
    world.ring()
    world.ring()
    first.resolve({ ok: true })
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual([world.ran.map(({ info }) => info.attempt), world.runner.count()], [[1, 2], 1])
  })

  test('a person can cancel only their own timers', async () => {
    const world = openWorld(make)
    const [first, second] = [setTimer(world, 1), setTimer(world, 2)]
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

  test('during a move to another cloud account timers can be listed but not changed, and due timers wait', async () => {
    const world = openWorld(make)
    const id = setTimer(world, 1)
    world.hold.set(true)
    const message = 'The app is being moved and accepts no changes right now. Try again in a few minutes.'
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

  test('a due timer that cannot run, for instance because its app is not deployed, is tried again every five minutes', async () => {
    for (const [why, env, tier] of WAITING_CASES) {
      mock.timers.setTime(NOW)
      const world = openWorld(make, tier)
      Object.assign(world.env, env)
      setTimer(world, 0)
      await world.wake()
      assert.deepEqual([world.ran, world.alarmAt, world.runner.count()], [[], NOW + 5 * MINUTE_MS, 1], why)
    }
  })

  test('without a timer no alarm is set, even while the app is being moved to another cloud account', () => {
    const world = openWorld(make)
    world.runner.wake()
    world.hold.set(true)
    world.runner.wake()
    assert.equal(world.alarmAt, null)
  })

  test('timers that were copied to another account run there, and continue the count of their attempts', async () => {
    const from = openWorld(make)
    from.outcome = () => ({ ok: false, error: 'not now' })
    const [failed, later] = [setTimer(from, 0, 'first'), setTimer(from, 3, 'second')]
    await from.wake()
    const to = openWorld(make)
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
