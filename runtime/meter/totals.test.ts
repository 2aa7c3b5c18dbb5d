import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import type { Counter } from './counters.ts'
import { MeterTotals } from './totals.ts'
import { DAY_MS } from '../kernel/durations.ts'

describe('the meter totals of all people', () => {
  const counter = (spent: number, rev: number, more: Partial<Counter> = {}): Counter => ({
    key: 'mails',
    kind: 'day',
    start: DAY_MS,
    spent,
    rev,
    kept_from: 0,
    ...more,
  })

  test('the total of a usage meter includes the latest count of each person once', () => {
    const totals = new MeterTotals(memoryStorage())
    totals.apply('u_ada', [counter(3, 1)])
    totals.apply('u_ben', [counter(4, 1)])
    totals.apply('u_ada', [counter(5, 2)])
    assert.deepEqual(totals.sum('mails', 'day', DAY_MS), { spent: 9, people: 2 })
    assert.deepEqual(totals.sum('mails', 'day', 2 * DAY_MS), { spent: 0, people: 0 })
    assert.deepEqual(totals.sum('calls', 'day', DAY_MS), { spent: 0, people: 0 })
    assert.deepEqual(totals.sum('mails', 'week', DAY_MS), { spent: 0, people: 0 })
  })

  test('a person whose units were all refunded is not counted in the total of a usage meter', () => {
    const totals = new MeterTotals(memoryStorage())
    totals.apply('u_ada', [counter(3, 1)])
    totals.apply('u_ada', [counter(0, 2)])
    assert.deepEqual(totals.sum('mails', 'day', DAY_MS), { spent: 0, people: 0 })
  })

  test("a meter's total uses the newest value of each person, whatever the order and number of updates", () => {
    const arrivals = fc.array(
      fc.record({ subject: fc.constantFrom('u_a', 'u_b', 'u_c'), rev: fc.integer({ min: 1, max: 6 }) }),
      { maxLength: 30 },
    )
    fc.assert(
      fc.property(arrivals, (all) => {
        const totals = new MeterTotals(memoryStorage())
        const newest = new Map<string, number>()
        for (const { subject, rev } of all) {
          totals.apply(subject, [counter(rev * 10, rev)])
          newest.set(subject, Math.max(rev, newest.get(subject) ?? 0))
        }
        const spent = [...newest.values()].reduce((sum, rev) => sum + rev * 10, 0)
        assert.deepEqual(totals.sum('mails', 'day', DAY_MS), { spent, people: newest.size })
      }),
      { numRuns: 60 },
    )
  })

  test('outdated windows of a usage meter are deleted, but not the windows of other meters or of other lengths', () => {
    const totals = new MeterTotals(memoryStorage())
    totals.apply('u_ada', [counter(1, 1), counter(2, 1, { kind: 'hour' }), counter(4, 1, { key: 'calls' })])
    totals.apply('u_ben', [counter(8, 1, { start: 3 * DAY_MS, kept_from: 2 * DAY_MS })])
    const spent = (key: string, kind: Counter['kind'], start = DAY_MS) => totals.sum(key, kind, start).spent
    assert.deepEqual(
      [
        spent('mails', 'day'),
        spent('mails', 'hour'),
        spent('calls', 'day'),
        spent('mails', 'day', 3 * DAY_MS),
      ],
      [0, 2, 4, 8],
    )
  })

  test('the id of a spend from a usage meter belongs to the first person who uses it, for a day', () => {
    const totals = new MeterTotals(memoryStorage())
    const [mine, theirs] = [
      { key: 'mails', subject: 'u_ada' },
      { key: 'mails', subject: 'u_ben' },
    ]
    assert.equal(totals.claimed('spend-1', 0), null)
    assert.deepEqual(totals.claim('spend-1', mine, 0), mine)
    assert.deepEqual(totals.claim('spend-1', theirs, DAY_MS - 1), mine)
    assert.deepEqual(totals.claim('spend-2', theirs, 5), theirs)
    assert.deepEqual(totals.claim('spend-1', theirs, DAY_MS), theirs, 'a day later it is free')
  })

  test('erasing a person removes their units and the ids of their spends from the totals of usage meters', () => {
    const totals = new MeterTotals(memoryStorage())
    totals.apply('u_ada', [counter(3, 5)])
    totals.apply('u_ben', [counter(4, 1)])
    totals.claim('spend-1', { key: 'mails', subject: 'u_ada' }, 0)
    totals.forget('u_ada')
    assert.deepEqual(totals.sum('mails', 'day', DAY_MS), { spent: 4, people: 1 })
    assert.equal(totals.claimed('spend-1', 1), null)
    totals.apply('u_ada', [counter(1, 1)])
    assert.equal(totals.sum('mails', 'day', DAY_MS).spent, 5, 'a new person of that id starts at zero')
  })
})
