import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import { Counters, type Meter } from './counters.ts'
import { MeterTotals } from './totals.ts'
import { DAY_MS } from '../kernel/durations.ts'

const DAY: Meter = { key: 'exports', window: 'day', limit: 5 }
const NOON = Date.parse('2026-11-23T12:00:00Z')
const MIDNIGHT = '2026-11-24T00:00:00.000Z'

function createCounters() {
  const storage = memoryStorage()
  return { storage, counters: new Counters(storage) }
}
const tablesIn = (storage: ReturnType<typeof memoryStorage>) =>
  storage.sql.exec("select name from sqlite_master where type = 'table'").toArray().length

describe('the counters of a Durable Object', () => {
  test('spending from a usage meter takes all requested units or none, and reading the meter takes none', () => {
    const { counters } = createCounters()
    assert.deepEqual(counters.consume(DAY, 3, null, NOON), { ok: true, remaining: 2, resetsAt: MIDNIGHT })
    assert.deepEqual(counters.consume(DAY, 3, null, NOON), { ok: false, remaining: 2, resetsAt: MIDNIGHT })
    assert.deepEqual(counters.peek(DAY, 3, NOON), { ok: false, remaining: 2, resetsAt: MIDNIGHT })
    assert.equal(counters.consume(DAY, 2, null, NOON).ok, true)
    assert.equal(counters.peek(DAY, 1, NOON).remaining, 0)
  })

  test('reading a usage meter, a rejected spend, and a refund of an unknown spend store nothing', () => {
    const { storage, counters } = createCounters()
    counters.peek(DAY, 1, NOON)
    counters.consume(DAY, 6, 'a', NOON)
    assert.throws(() => counters.refund(DAY, 'a', NOON), /Nothing was spent/)
    assert.equal(counters.dump(), null)
    assert.equal(counters.count(), 0)
    assert.equal(tablesIn(storage), 0)
  })

  test('all units of a usage meter are available again in a new window, and a lifetime meter never gets a new window', () => {
    const { counters } = createCounters()
    const last = Date.parse(MIDNIGHT) - 1
    counters.consume(DAY, 5, null, last)
    assert.equal(counters.peek(DAY, 1, last).remaining, 0)
    assert.equal(counters.peek(DAY, 1, last + 1).remaining, 5)
    const life: Meter = { ...DAY, window: 'lifetime' }
    counters.consume(life, 5, null, NOON)
    assert.deepEqual(counters.peek(life, 1, NOON + 1000 * DAY_MS), {
      ok: false,
      remaining: 0,
      resetsAt: null,
    })
  })

  test('spending units of a meter again with the same id within a day counts once, and a different spend with that id is rejected', () => {
    const { counters } = createCounters()
    const first = counters.consume(DAY, 2, 'a', NOON)
    counters.consume(DAY, 1, 'b', NOON)
    assert.deepEqual(counters.consume(DAY, 2, 'a', NOON + DAY_MS - 1), first)
    assert.equal(counters.peek(DAY, 1, NOON).remaining, 2)
    assert.throws(() => counters.consume(DAY, 3, 'a', NOON), /another spend/)
    assert.throws(() => counters.consume({ ...DAY, key: 'other' }, 2, 'a', NOON), /another spend/)
    counters.consume(DAY, 2, 'a', NOON + DAY_MS)
    assert.equal(counters.peek(DAY, 1, NOON + DAY_MS).remaining, 3, 'a day later it is another spend')
  })

  test('units spent from a meter are refunded once, even after their window has ended, and the id can then be used for another spend', () => {
    const { counters } = createCounters()
    counters.consume(DAY, 5, 'a', NOON)
    assert.equal(counters.refund(DAY, 'a', NOON).remaining, 5)
    assert.equal(counters.refund(DAY, 'a', NOON).remaining, 5)
    assert.equal(counters.consume(DAY, 4, 'a', NOON).remaining, 1)
    const next = Date.parse(MIDNIGHT)
    assert.equal(counters.refund(DAY, 'a', next).remaining, 5)
    assert.equal(counters.peek(DAY, 1, NOON).remaining, 5)
  })

  test('the id of a rejected spend from a usage meter can be used again', () => {
    const { counters } = createCounters()
    counters.consume(DAY, 5, null, NOON)
    assert.equal(counters.consume(DAY, 1, 'a', NOON).ok, false)
    assert.equal(counters.consume({ ...DAY, limit: 6 }, 1, 'a', NOON).ok, true)
  })

  test("lowering a usage meter's limit below the spent units leaves no units, and raising the limit makes units available again", () => {
    const { counters } = createCounters()
    counters.consume(DAY, 4, null, NOON)
    assert.deepEqual(counters.consume({ ...DAY, limit: 2 }, 1, null, NOON), {
      ok: false,
      remaining: 0,
      resetsAt: MIDNIGHT,
    })
    assert.equal(counters.peek({ ...DAY, limit: 10 }, 1, NOON).remaining, 6)
  })

  test('a usage meter stores counts of its current and its previous window, and counts each length of window separately', () => {
    const { counters } = createCounters()
    for (const days of [0, 1, 2]) counters.consume(DAY, 1, null, NOON + days * DAY_MS)
    assert.equal(counters.count(), 2)
    assert.equal(counters.peek({ ...DAY, window: 'month' }, 1, NOON).remaining, 5)
  })

  test('moving an app to another cloud account copies the counters, the ids of spends and the refunds of its usage meters', () => {
    const from = createCounters().counters
    from.consume(DAY, 1, 'kept', NOON)
    from.consume(DAY, 2, 'back', NOON)
    from.refund(DAY, 'back', NOON)
    const to = createCounters().counters
    const dump = from.dump()
    assert.ok(dump)
    for (let times = 0; times < 2; times++) to.restore(dump)
    assert.deepEqual(to.dump(), dump)
    assert.equal(to.consume(DAY, 1, 'kept', NOON).remaining, 4, 'the first answer')
    assert.equal(to.peek(DAY, 1, NOON).remaining, 4)
    assert.equal(to.unsent().length, 1, 'the directory of the other account learns of them')
  })
})

describe('meters in the directory', () => {
  test("the app's total of a usage meter is correct when counters arrive twice or in another order", () => {
    const totals = new MeterTotals(memoryStorage())
    const { counters } = createCounters()
    counters.consume(DAY, 2, null, NOON)
    const early = counters.unsent()
    counters.consume(DAY, 1, null, NOON)
    const late = counters.unsent()
    for (const batch of [late, early, late, early]) totals.apply('u_a', batch)
    totals.apply('u_b', early)
    const { start } = late[0]!
    assert.deepEqual(totals.sum('exports', 'day', start), { spent: 5, people: 2 })
    totals.forget('u_a')
    assert.deepEqual(totals.sum('exports', 'day', start), { spent: 2, people: 1 })
  })

  test('a usage counter is reported again only after it has changed', () => {
    const { counters } = createCounters()
    counters.consume(DAY, 2, null, NOON)
    const sent = counters.unsent()
    counters.consume(DAY, 1, null, NOON)
    counters.markSent(sent)
    assert.deepEqual(
      counters.unsent().map(({ spent }) => spent),
      [3],
    )
    counters.markSent(counters.unsent())
    assert.deepEqual(counters.unsent(), [])
  })

  test("the app's totals of a usage meter are deleted for windows older than the previous one", () => {
    const totals = new MeterTotals(memoryStorage())
    const { counters } = createCounters()
    for (const days of [0, 1, 2]) {
      counters.consume(DAY, 1, null, NOON + days * DAY_MS)
      totals.apply('u_a', counters.unsent())
    }
    const start = Date.parse('2026-11-23T00:00:00Z')
    const spent = [0, 1, 2].map((days) => totals.sum('exports', 'day', start + days * DAY_MS).spent)
    assert.deepEqual(spent, [0, 1, 1])
  })

  test('the id of a spend from a usage meter is reserved for a day for the person who used it first', () => {
    const totals = new MeterTotals(memoryStorage())
    const [ada, bob] = [
      { key: 'exports', subject: 'u_a' },
      { key: 'exports', subject: 'u_b' },
    ]
    assert.deepEqual(totals.claim('x', ada, NOON), ada)
    assert.deepEqual(totals.claim('x', bob, NOON), ada)
    assert.deepEqual(totals.claimed('x', NOON), ada)
    assert.equal(totals.claimed('y', NOON), null)
    assert.deepEqual(totals.claim('x', bob, NOON + DAY_MS), bob)
  })
})
