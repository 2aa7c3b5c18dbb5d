import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import { Timers } from './timers.ts'

const NOW = Date.parse('2026-11-20T10:00:00.000Z')
const MINUTE_MS = 60_000
const ATTEMPTS = 3
const iso = (ms: number) => new Date(ms).toISOString()

function openTimers() {
  const storage = memoryStorage()
  const timers = new Timers(storage)
  const set = (inMinutes: number, data: unknown = null) =>
    timers.set({ at: iso(NOW + inMinutes * MINUTE_MS), name: 'remind', data }, NOW)
  const due = (inMinutes: number) => timers.due(ATTEMPTS, NOW + inMinutes * MINUTE_MS).starts
  return { storage, timers, set, due }
}

describe('the timers of a person', () => {
  test('a timer runs once when it is due, with the data that it was set with', () => {
    const { timers, set, due } = openTimers()
    const data = { text: `"; drop table _timers; --`, list: [1, null] }
    const id = set(5, data)
    assert.deepEqual(due(4), [])
    const [start] = due(5)
    assert.deepEqual(start, { id, name: 'remind', data, attempt: 1, atMs: NOW + 5 * MINUTE_MS })
    assert.deepEqual(due(5), [], 'a running timer is not started again')
    assert.equal(timers.settle(start, true, ATTEMPTS, NOW), false)
    assert.deepEqual([timers.count(), timers.nextAt()], [0, null])
  })

  test('timers are listed by their time, whatever the order in which they were set', () => {
    const { timers, set } = openTimers()
    const ids = [set(30), set(10), set(20)]
    assert.deepEqual(
      timers.list().map(({ id }) => id),
      [ids[1], ids[2], ids[0]],
    )
    assert.equal(timers.nextAt(), NOW + 10 * MINUTE_MS)
    assert.deepEqual(timers.list()[0], { id: ids[1], name: 'remind', at: iso(NOW + 10 * MINUTE_MS) })
  })

  test('a timer set for a time in the past is due at once, and the next alarm is not set for a time in the past', () => {
    const { timers, set, due } = openTimers()
    set(-60)
    assert.equal(timers.nextAt(), NOW)
    assert.equal(due(0).length, 1)
  })

  test('setting a timer with an invalid time, name or data is refused with an error that names the field', () => {
    const { storage, timers } = openTimers()
    const good = { at: iso(NOW), name: 'remind', data: null }
    const refused: [field: string, change: object][] = [
      ['at', { at: 'tomorrow' }],
      ['at', { at: '' }],
      ['at', { at: NOW }],
      ['at', { at: undefined }],
      ['at', { at: '2040-01-01T00:00:00Z' }],
      ['name', { name: 'Remind' }],
      ['name', { name: '../remind' }],
      ['name', { name: '' }],
      ['name', { name: 'a'.repeat(61) }],
      ['name', { name: ['remind'] }],
      ['data', { data: 'x'.repeat(8191) }],
    ]
    for (const [field, change] of refused)
      assert.throws(
        () => timers.set({ ...good, ...change }, NOW),
        { code: 'invalid_request', field },
        JSON.stringify(change),
      )
    assert.equal(timers.count(), 0)
    assert.deepEqual(storage.sql.exec("select name from sqlite_master where type = 'table'").toArray(), [])
    timers.set({ ...good, data: 'x'.repeat(8190) }, NOW)
    timers.set({ at: iso(NOW), name: 'remind', data: undefined }, NOW)
    assert.equal(timers.count(), 2)
  })

  test('a person has at most a hundred timers, and a canceled one no longer counts', () => {
    const { timers, set } = openTimers()
    const ids = Array.from({ length: 100 }, (_, n) => set(n))
    assert.throws(() => set(1), { code: 'conflict' })
    assert.equal(timers.cancel(ids[50] ?? ''), true)
    assert.doesNotThrow(() => set(1))
  })

  test('a canceled timer does not run, and an unknown or canceled timer cannot be canceled', () => {
    const { timers, set, due } = openTimers()
    assert.equal(timers.cancel('none'), false)
    const id = set(1)
    for (const other of ["' or 1 = 1 --", undefined, null, 7, { id }, [id]])
      assert.equal(timers.cancel(other), false)
    assert.deepEqual([timers.cancel(id), timers.cancel(id)], [true, false])
    assert.deepEqual(due(1), [])
  })

  test('a failed timer is retried after half a minute and then after a minute, and is deleted after the third failure', () => {
    const { timers, set, due } = openTimers()
    set(0)
    const fail = (atMinutes: number) => {
      const [start] = due(atMinutes)
      assert.ok(start)
      return {
        attempt: start.attempt,
        isLast: timers.settle(start, false, ATTEMPTS, NOW + atMinutes * MINUTE_MS),
      }
    }
    assert.deepEqual(fail(0), { attempt: 1, isLast: false })
    assert.deepEqual(due(0.4), [])
    assert.deepEqual(fail(0.5), { attempt: 2, isLast: false })
    assert.deepEqual(due(1.4), [])
    assert.deepEqual(fail(1.5), { attempt: 3, isLast: true })
    assert.equal(timers.count(), 0)
  })

  test('a timer whose worker was killed counts as failed after 15 minutes, and the late result of that run is ignored', () => {
    const { timers, set, due } = openTimers()
    set(0)
    const [first] = due(0)
    assert.ok(first)
    assert.equal(timers.nextAt(), NOW + 15 * MINUTE_MS)
    assert.deepEqual(due(14.9), [])
    assert.deepEqual(due(15), [], 'the pause after a failure comes first')
    const [second] = due(15.5)
    assert.equal(second?.attempt, 2)
    assert.equal(timers.settle(first, true, ATTEMPTS, NOW), false)
    assert.equal(timers.count(), 1, 'the second run is still in progress')
    assert.equal(timers.settle(second, true, ATTEMPTS, NOW), false)
    assert.equal(timers.count(), 0)
  })

  test('a timer whose worker is killed at each of its three attempts is deleted and does not start again', () => {
    const { timers, set, due } = openTimers()
    set(0)
    const attempts: number[] = []
    for (let minutes = 0; minutes < 120; minutes += 0.5)
      attempts.push(...due(minutes).map(({ attempt }) => attempt))
    assert.deepEqual(attempts, [1, 2, 3])
    assert.equal(timers.count(), 0)
  })

  test('a timer that was canceled during its run stays deleted when that run fails', () => {
    const { timers, set, due } = openTimers()
    const id = set(0)
    const [start] = due(0)
    assert.ok(start)
    timers.cancel(id)
    assert.equal(timers.settle(start, false, ATTEMPTS, NOW), false)
    assert.equal(timers.count(), 0)
  })

  test('moving an app to another cloud account copies timers with their time and attempt count, and repeating the copy adds no timers', () => {
    const from = openTimers()
    const to = openTimers()
    const [failing, later] = [from.set(0, 'a'), from.set(60, 'b')]
    const [start] = from.due(0)
    assert.ok(start)
    from.timers.settle(start, false, ATTEMPTS, NOW)
    for (let copies = 0; copies < 2; copies++) to.timers.restore(from.timers.dump())
    assert.deepEqual(to.timers.dump(), from.timers.dump())
    assert.deepEqual(
      to.due(0.5).map(({ id, attempt }) => [id, attempt]),
      [[failing, 2]],
    )
    assert.deepEqual(
      to.due(60).map(({ id, data }) => [id, data]),
      [[later, 'b']],
    )
  })

  test('a timer whose run is in progress while its app is copied to another cloud account is started again in that account', () => {
    const from = openTimers()
    const to = openTimers()
    from.set(0)
    from.due(0)
    to.timers.restore(from.timers.dump())
    assert.deepEqual(
      to.due(15).map(({ attempt }) => attempt),
      [2],
    )
  })

  test('reading the timers of a person who has none creates no table', () => {
    const { storage, timers, due } = openTimers()
    timers.restore([])
    assert.deepEqual(
      [timers.list(), timers.count(), timers.nextAt(), timers.dump(), due(9)],
      [[], 0, null, [], []],
    )
    assert.deepEqual(storage.sql.exec("select name from sqlite_master where type = 'table'").toArray(), [])
  })
})
