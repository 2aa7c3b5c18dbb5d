import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { memoryStorage } from './sqlite.test.fixture.ts'
import { LEASE_MS } from './pauses.ts'
import { ATTEMPTS_MAX, MessageStore, type MessageWork } from './messages.ts'
import { HOUR_MS } from '../durations.ts'

const KINDS = ['run', 'send'] as const
const workOf = (id: string, kind: 'run' | 'send' = 'run') => ({ id, kind, target: 'on-paid', body: '{}' })

describe('messages and work of an app', () => {
  test('a webhook message with the same endpoint and id counts as a duplicate for 72 hours', () => {
    const store = new MessageStore<MessageWork>(memoryStorage(), 'hook')
    assert.equal(store.same('pay evt_1', 0), null)
    store.keep({ id: 'r1', collection: 'payments', key: 'pay evt_1', at: 0 })
    assert.equal(store.same('pay evt_1', 72 * HOUR_MS - 1), 'r1')
    assert.equal(store.same('pay evt_1', 72 * HOUR_MS), null)
    assert.equal(store.same('other evt_1', 1), null)
    assert.deepEqual(
      { ...store.message('r1') },
      { id: 'r1', collection: 'payments', key: 'pay evt_1', at: 0 },
    )
  })

  test('a webhook handler never runs twice at once, and is retried with growing delays up to six attempts', () => {
    const store = new MessageStore<MessageWork>(memoryStorage(), 'hook')
    store.add(workOf('r1'), 0)
    store.add(workOf('r1'), 0)
    const begun: number[] = []
    for (let now = store.nextAt(0); now !== null; now = store.nextAt(0)) {
      const { starts } = store.due(KINDS, now, 10)
      assert.deepEqual(store.due(KINDS, now, 10).starts, [], 'it does not begin twice')
      const [start] = starts
      assert.ok(start)
      begun.push(now / 1000)
      assert.equal(start.attempt, begun.length)
      assert.equal(store.settle(start, false, now), begun.length < ATTEMPTS_MAX ? 'again' : 'given up')
      assert.equal(store.settle(start, false, now), null, 'an attempt ends once')
    }
    assert.deepEqual(begun, [0, 30, 90, 210, 450, 930])
    assert.equal(store.isUnderWay('r1'), false)
  })

  test('a webhook handler that exceeds its lease counts as failed, and fails permanently after the last attempt', () => {
    const store = new MessageStore<MessageWork>(memoryStorage(), 'hook')
    store.add(workOf('r1'), 0)
    let now = 0
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      const [late] = store.due(KINDS, now, 10).starts
      assert.equal(late?.attempt, attempt)
      now += LEASE_MS
      const { starts, lost } = store.due(KINDS, now, 10)
      assert.deepEqual(starts, [])
      assert.equal(lost.length, attempt < ATTEMPTS_MAX ? 0 : 1)
      assert.equal(store.settle(late, true, now), null, 'what ends after its time changes nothing')
      now = store.nextAt(0) ?? now
    }
    assert.equal(store.count('run'), 0)
  })

  test("outgoing webhook messages do not wait for queued handlers while the app's worker cannot be reached", () => {
    const store = new MessageStore<MessageWork>(memoryStorage(), 'hook')
    for (let i = 0; i < 5; i++) store.add(workOf(`r${i}`), 0)
    store.add(workOf('out', 'send'), 0)
    assert.deepEqual(
      store.due(['send'], 1, 3).starts.map(({ id }) => id),
      ['out'],
    )
    assert.equal(store.due(KINDS, 1, 3).starts.length, 3)
  })

  test('copying webhook messages to another cloud account twice stores each once with its number of attempts', () => {
    const [from, to] = [
      new MessageStore<MessageWork>(memoryStorage(), 'hook'),
      new MessageStore<MessageWork>(memoryStorage(), 'hook'),
    ]
    assert.equal(from.dump(), null)
    from.keep({ id: 'r1', collection: 'payments', key: 'pay evt_1', at: 5 })
    from.add(workOf('r1'), 5)
    from.due(KINDS, 6, 10)
    const dump = from.dump()
    assert.ok(dump)
    for (let i = 0; i < 2; i++) to.restore(dump)
    assert.equal(to.same('pay evt_1', 6), 'r1')
    const [start] = to.due(KINDS, 6 + LEASE_MS, 10).starts
    assert.equal(start?.attempt, 2)
    assert.equal(to.settle(start, true, 7 + LEASE_MS), 'done')
    assert.equal(to.nextAt(1000), 1006)
    assert.deepEqual(
      to.before(6, 10).map(({ id, at }) => [id, at]),
      [['r1', 5]],
    )
    to.forget('r1')
    assert.equal(to.nextAt(1000), null)
  })
})
