import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Pool } from 'pg'
import { transact } from '../../db/database.ts'
import { silentLog, testDatabase, type TestDatabase } from '../../testing/database.ts'
import { ApiError } from '../errors.ts'
import type { Counter } from '../../lib/counter.ts'
import { Counters } from './counters.ts'
import { deleteCountersOf, purgeRateLimits } from './purge.ts'
import type { Core } from '../../platform.ts'

const RULE = { name: 'key', points: 10, seconds: 60 }

/** Returns how many of `n` calls the counter allows. The others must be 429s; any other error fails the test. */
async function countPasses(counter: Counter, bucket: string, n: number): Promise<number> {
  const results = await Promise.allSettled(Array.from({ length: n }, () => counter.spend(bucket)))
  for (const result of results) {
    if (result.status === 'fulfilled') continue
    assert.ok(result.reason instanceof ApiError, String(result.reason))
    assert.equal(result.reason.code, 'rate_limited')
    const seconds = result.reason.retryAfterSeconds ?? 0
    assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= RULE.seconds, String(seconds))
  }
  return results.filter((result) => result.status === 'fulfilled').length
}

describe('counters of several processes', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
  })
  beforeEach(() => database.pool.query('truncate rate_limits'))
  after(() => database.drop())

  const newProcess = () => new Counters({ pool: database.pool, log: silentLog })
  const storedKeys = async () =>
    (await database.pool.query<{ key: string }>('select key from rate_limits')).rows.map(({ key }) => key)

  test('with a single process, rate limits are counted in memory and nothing is written to the database', async () => {
    const counter = newProcess().open(RULE)
    assert.equal(await countPasses(counter, 'a', 15), 10)
    assert.deepEqual(await storedKeys(), [])
  })

  test('several processes that share a rate limit allow exactly as many calls as one process', async () => {
    const [one, two] = [newProcess(), newProcess()]
    await Promise.all([one.share(true), two.share(true)])
    const passed = await Promise.all([
      countPasses(one.open(RULE), 'a', 15),
      countPasses(two.open(RULE), 'a', 15),
      countPasses(two.open(RULE), 'b', 15),
    ])
    assert.deepEqual([passed[0] + passed[1], passed[2]], [10, 10])
  })

  test('rate limit counts move to the database when a second process joins, and back when that process leaves', async () => {
    const [one, two] = [newProcess(), newProcess()]
    await one.share(false)
    assert.equal(await countPasses(one.open(RULE), 'a', 4), 4)
    await two.share(true)
    assert.equal(await countPasses(two.open(RULE), 'a', 3), 3)
    await one.share(true)
    assert.equal(await countPasses(two.open(RULE), 'a', 1), 1)
    await one.share(false)
    assert.deepEqual(await storedKeys(), [])
    assert.equal(await countPasses(one.open(RULE), 'a', 9), 2)
    assert.equal(await countPasses(one.open(RULE), 'b', 11), 10)
    await one.share(true)
    assert.equal(await countPasses(two.open(RULE), 'a', 1), 0)
  })

  test('setting the clock back by a day does not make the rate limit refuse requests for a day', async () => {
    const ahead = newProcess()
    await ahead.share(true)
    const dayMs = 24 * 3600 * 1000
    const row = ['key:a', RULE.points + 5, Date.now() + dayMs]
    await database.pool.query('insert into rate_limits (key, points, expire) values ($1, $2, $3)', row)
    assert.equal(await countPasses(ahead.open(RULE), 'a', 15), 10)
  })

  test('switching rate limit counts between memory and database during requests neither loses nor adds counts', async () => {
    const counters = newProcess()
    const counter = counters.open({ ...RULE, points: 100 })
    let passed = 0
    for (let turn = 0; turn < 20; turn++) {
      const moved = counters.share(turn % 2 === 0)
      passed += await countPasses(counter, 'a', 20)
      await moved
    }
    assert.equal(passed, 100)
  })

  test('a rate limit starts from zero after its window, even if the table has an old count', async () => {
    await database.pool.query(`insert into rate_limits values ('key:a', 999, $1)`, [Date.now() - 1])
    const counters = newProcess()
    assert.equal(await countPasses(counters.open(RULE), 'a', 2), 2)
    await counters.share(true)
    assert.equal(await countPasses(counters.open(RULE), 'a', 20), 8)
  })

  test('the cleanup task deletes the rows of expired rate limit windows and keeps the other rows', async () => {
    await database.pool.query(`insert into rate_limits values ('key:old', 1, 999), ('key:new', 1, 1001)`)
    const platform = { db: database.db, clock: { now: () => new Date(1000) } } as unknown as Core
    await purgeRateLimits.run(platform, new AbortController().signal)
    assert.deepEqual(await storedKeys(), ['key:new'])
  })

  test("deleting a person's rate limit counts deletes only the counts under the person's id and e-mail address", async () => {
    const counters = newProcess()
    await counters.share(true)
    const counter = counters.open(RULE)
    for (const bucket of ['user_ann', 'ann@example.test', 'user_bob', 'bob@example.test'])
      await counter.spend(bucket)
    await transact(database.db, (trx) => deleteCountersOf(trx, ['user_ann', 'ann@example.test']))
    assert.equal((await storedKeys()).length, 2)
    assert.equal(await countPasses(counter, 'bob@example.test', 12), 9)
    assert.equal(await countPasses(counter, 'ann@example.test', 12), 10)
  })

  test('a rate limit counter declared as local to its process is never written to the database', async () => {
    const [one, two] = [newProcess(), newProcess()]
    await Promise.all([one.share(true), two.share(true)])
    const local = { ...RULE, name: 'export', isLocal: true }
    assert.deepEqual(
      [await countPasses(one.open(local), 'a', 15), await countPasses(two.open(local), 'a', 15)],
      [10, 10],
    )
    assert.deepEqual(await storedKeys(), [])
  })

  test('a call that is refunded to a rate limit can be made again, with counts in memory and in the database', async () => {
    for (const isShared of [false, true]) {
      const counters = newProcess()
      await counters.share(isShared)
      const counter = counters.open(RULE)
      assert.equal(await countPasses(counter, 'a', 10), 10)
      await counter.refund('a')
      assert.equal(await countPasses(counter, 'a', 3), 1)
    }
  })

  test('once a rate limit is used up, further calls are refused without another database query', async () => {
    let asked = 0
    const pool = {
      query: (...args: Parameters<Pool['query']>) => {
        asked++
        return database.pool.query(...args)
      },
    } as unknown as Pool
    const counters = new Counters({ pool, log: silentLog })
    await counters.share(true)
    const counter = counters.open(RULE)
    for (let n = 0; n < 11; n++) await countPasses(counter, 'a', 1)
    const before = asked
    assert.equal(await countPasses(counter, 'a', 50), 0)
    assert.equal(asked, before)
  })

  test('a rate limit accepts any string as its key, and no e-mail address is stored in plain text', async () => {
    const counters = newProcess()
    await counters.share(true)
    const counter = counters.open(RULE)
    for (const bucket of ['\0', 'x'.repeat(20_000), 'ann@example.test', 'é', "a'b", ''])
      assert.equal(await countPasses(counter, bucket, 12), 10, bucket.slice(0, 20))
    const stored = (await storedKeys()).join('\n')
    assert.equal(stored.split('\n').length, 6)
    assert.doesNotMatch(stored, /ann|example/)
  })

  test('while the database is unavailable, rate limits count in memory and do not wait for the database on each call', async () => {
    let asked = 0
    const pool = {
      query: () => {
        asked++
        return Promise.reject(new Error('connect ECONNREFUSED'))
      },
    } as unknown as Pool
    const counters = new Counters({ pool, log: silentLog })
    await counters.share(true)
    const counter = counters.open(RULE)
    assert.equal(await countPasses(counter, 'a', 1), 1)
    const before = asked
    assert.equal(await countPasses(counter, 'a', 20), 9)
    assert.equal(asked, before)
  })

  test('a database that does not respond delays a rate-limited request by at most a second', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const pool = { query: () => new Promise(() => {}) } as unknown as Pool
    const counters = new Counters({ pool, log: silentLog })
    const shared = counters.share(true)
    const counter = counters.open(RULE)
    const spent = countPasses(counter, 'a', 1)
    // The rate limit library sends its query in a later turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve))
    t.mock.timers.tick(1000)
    await shared
    assert.equal(await spent, 1)
  })
})
