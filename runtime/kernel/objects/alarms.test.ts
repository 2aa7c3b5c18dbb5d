import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Alarms } from './alarms.ts'
import { memoryStorage } from './sqlite.test.fixture.ts'

function setUp() {
  const set: number[] = []
  const storage = {
    ...memoryStorage(),
    setAlarm: async (at: number) => void set.push(at),
    deleteAll: async () => {},
  }
  return { storage, set, alarms: new Alarms(storage) }
}

test('the alarm is set to the earliest time of several handlers, and only handlers that are due are called', async () => {
  const { alarms, set } = setUp()
  alarms.set('timers', 5000)
  alarms.set('outbox', 2000)
  assert.equal(set.at(-1), 2000)
  const called: string[] = []
  const handlers = { outbox: () => called.push('outbox'), timers: () => called.push('timers') }
  await alarms.wake(handlers, 2000)
  assert.deepEqual([called, set.at(-1)], [['outbox'], 5000])
  await alarms.wake(handlers, 6000)
  assert.deepEqual(called, ['outbox', 'timers'])
})

test('an alarm time that a handler sets for itself while it runs is kept', async () => {
  const { alarms, set } = setUp()
  alarms.set('schedule', 1000)
  await alarms.wake({ schedule: () => alarms.set('schedule', 90_000) }, 1000)
  assert.equal(set.at(-1), 90_000)
})

test('an alarm time that a handler sets for itself is kept even when it equals the time of its retry after a crash', async () => {
  const { alarms, storage, set } = setUp()
  alarms.set('hooks', 1000)
  await alarms.wake({ hooks: () => alarms.set('hooks', 31_000) }, 1000)
  assert.equal(set.at(-1), 31_000)
  const called: string[] = []
  await new Alarms(storage).wake({ hooks: () => called.push('hooks') }, 31_000)
  assert.deepEqual(called, ['hooks'])
})

test('an alarm handler that throws is called again later, and does not delay other handlers', async () => {
  const { alarms, set } = setUp()
  alarms.set('outbox', 1000)
  alarms.set('timers', 1000)
  const called: string[] = []
  const handlers = {
    outbox: () => {
      called.push('outbox')
      throw new Error('it rained')
    },
    timers: () => called.push('timers'),
  }
  await assert.rejects(alarms.wake(handlers, 1000), /it rained/)
  assert.deepEqual([called.toSorted(), set.at(-1)], [['outbox', 'timers'], 31_000])
})

test('after a crash in an alarm handler, the Durable Object calls that handler again', async () => {
  const { alarms, storage } = setUp()
  alarms.set('schedule', 1000)
  void alarms.wake({ schedule: () => new Promise(() => {}) }, 1000)
  const called: string[] = []
  await new Alarms(storage).wake({ schedule: () => called.push('schedule') }, 31_000)
  assert.deepEqual(called, ['schedule'])
})

test('an alarm set by an earlier version, which stored no alarm times, calls every handler', async () => {
  const { alarms } = setUp()
  const called: string[] = []
  await alarms.wake({ outbox: () => called.push('outbox'), timers: () => called.push('timers') }, 1000)
  assert.deepEqual(called, ['outbox', 'timers'])
})
