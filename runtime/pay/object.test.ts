import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import { recordErrors } from '../data/partition/objects.test.fixture.ts'
import type { JobInfo, JobOutcome } from '../kernel/objects/jobs.ts'
import { importInWorkerd } from '../kernel/objects/workerd.test.fixture.ts'
import { RunnerWorld } from '../kernel/objects/runners.test.fixture.ts'
import type { ObjectOrders } from './object.ts'
import type { PaidEvent } from './types.ts'

const NOW = Date.parse('2026-11-24T12:00:00.000Z')
const MINUTE_MS = 60_000
const ADA = `u_${'a'.repeat(26)}`
const EVENT: PaidEvent = {
  orderId: 'ord_1',
  userId: ADA,
  productId: 'book',
  kind: 'once',
  amount: 1200,
  currency: 'usd',
  paidAt: '2026-11-24T12:00:00.000Z',
  isRenewal: false,
}

const importOrders = () => importInWorkerd(() => import('./object.ts'))

describe('the job for each payment of an app', () => {
  let Orders: typeof ObjectOrders
  let world: RunnerWorld<ObjectOrders>
  let ran: { event: PaidEvent; info: JobInfo }[]
  let logged: { message: string; route: string }[]
  let outcome: () => JobOutcome | Promise<JobOutcome>
  before(async () => {
    Orders = (await importOrders()).ObjectOrders
  })
  beforeEach(() => {
    mock.restoreAll()
    mock.timers.reset()
    mock.timers.enable({ apis: ['Date'], now: NOW })
    logged = recordErrors()
    ran = []
    outcome = () => ({ ok: true })
    world = openWorld()
  })
  after(() => {
    mock.restoreAll()
    mock.timers.reset()
  })

  function openWorld(): RunnerWorld<ObjectOrders> {
    const made = new RunnerWorld((deps) => new Orders(deps, (id) => id === ADA))
    const paid = async (event: PaidEvent, info: JobInfo) => {
      ran.push({ event, info })
      return await outcome()
    }
    Object.assign(made.env, { APP: { paid } })
    return made
  }
  function pay(order = 'ord_1', event = `evt_${order}`) {
    const change = {
      what: 'paid' as const,
      order,
      user: ADA,
      product: 'book',
      kind: 'once' as const,
      amount: 1200,
      currency: 'usd',
      customer: 'cus_1',
      session: 'cs_1',
      subscription: null,
      payment: `pi_${order}`,
    }
    return world.runner.answer('settle', { event, mode: 'live', changes: [change] })
  }
  const attempts = () => ran.map(({ info }) => info.attempt)

  test('the job "paid" is called once for a payment, with the order and its person', async () => {
    pay()
    pay()
    await world.wake()
    const info = { id: 'ord_1', attempt: 1, scheduledAt: EVENT.paidAt, userId: ADA }
    assert.deepEqual(ran, [{ event: EVENT, info }])
    world.restart()
    world.runner.wake()
    assert.deepEqual([ran.length, logged], [1, []])
  })

  test('a failed "paid" job is retried with growing pauses, and fails permanently after six attempts with one logged error', async () => {
    outcome = () => ({ ok: false, error: 'No printer.' })
    pay()
    const times: number[] = []
    for (let rounds = 0; rounds < 6; rounds++) {
      await world.wake()
      times.push((Date.now() - NOW) / 1000)
    }
    assert.deepEqual(
      [attempts(), times],
      [
        [1, 2, 3, 4, 5, 6],
        [0, 30, 90, 210, 450, 930],
      ],
    )
    const message = 'The job paid was given up for the order ord_1: No printer.'
    assert.deepEqual(logged, [{ message, route: 'job paid' }])
    mock.timers.tick(3_600_000)
    world.runner.wake()
    assert.equal(ran.length, 6)
  })

  test('a "paid" job that is interrupted at every attempt fails permanently after six attempts with one logged error', () => {
    outcome = () => new Promise(() => {})
    pay()
    for (let rounds = 0; rounds < 20 && logged.length === 0; rounds++) {
      world.ring()
      world.restart()
    }
    const message = 'The job paid was given up for the order ord_1: It did not end in time.'
    assert.deepEqual([attempts(), logged], [[1, 2, 3, 4, 5, 6], [{ message, route: 'job paid' }]])
  })

  test('the job "paid" gets the order without its person once the person is erased', async () => {
    pay()
    world.runner.answer('strip', { user: ADA })
    await world.wake()
    assert.deepEqual(
      ran.map(({ event, info }) => [event, info.userId]),
      [[{ ...EVENT, userId: null }, null]],
    )
  })

  test('at most twenty jobs "paid" start at once, and the rest start at the next alarm', async () => {
    for (let n = 0; n < 25; n++) pay(`ord_${n}`)
    await world.wake()
    assert.equal(ran.length, 20)
    await world.wake()
    assert.deepEqual([ran.length, new Set(ran.map(({ event }) => event.orderId)).size], [25, 25])
  })

  test('while an app is not deployed or payments are off, its "paid" jobs wait and are tried again every five minutes', async () => {
    pay()
    const { APP } = world.env
    for (const env of [{ APP: undefined }, { APP, APP_CALLERS: JSON.stringify(['hook']) }]) {
      Object.assign(world.env, env)
      const before = Date.now()
      await world.wake()
      assert.equal(world.alarmAt, Math.max(before, Date.now()) + 5 * MINUTE_MS)
    }
    assert.equal(ran.length, 0)
    delete world.env['APP_CALLERS']
    await world.wake()
    assert.equal(ran.length, 1)
  })

  test('a job "paid" that ends while its app is moved to another cloud account runs again in the new account', async () => {
    const gate = Promise.withResolvers<JobOutcome>()
    outcome = () => gate.promise
    pay()
    world.ring()
    world.hold.set(true)
    const dump = world.runner.answer('dump', null)
    gate.resolve({ ok: true })
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(pay('ord_2'), {
      ok: false,
      error: {
        code: 'unavailable',
        message: 'The app is being moved and accepts no changes right now. Try again in a few minutes.',
      },
    })
    const from = world
    world = openWorld()
    assert.ok(dump.ok && dump.value !== null)
    for (const [user, orders] of Object.entries(dump.value.people))
      world.runner.answer('restore', { user, dump: orders })
    world.runner.answer('restorePay', dump.value.pay)
    outcome = () => ({ ok: true })
    await world.wake()
    assert.deepEqual(
      ran.map(({ event, info }) => [event.orderId, info.attempt]),
      [
        ['ord_1', 1],
        ['ord_1', 2],
      ],
    )
    // When the move fails, the object in the old account also runs the job again.
    from.hold.set(false)
    from.restart()
    from.ring()
    from.ring()
    assert.equal(ran.length, 3)
  })
})
