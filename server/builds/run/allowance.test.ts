import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { transact } from '../../db/database.ts'
import { silentLog, testDatabase, type TestDatabase } from '../../testing/database.ts'
import {
  countStart,
  countStarts,
  lockAllowance,
  nextAllowance,
  purgeBuildStarts,
  requireAllowance,
} from './allowance.ts'
import { HOUR_MS } from '@slipway/runtime/kernel/durations.ts'

const AT = new Date('2026-06-01T12:00:00.000Z')
const earlier = (ms: number) => new Date(AT.getTime() - ms)

describe('the builds that a plan allows in an hour', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.drop())
  beforeEach(() => database.pool.query('delete from build_starts'))

  /** Adds `count` starts, one millisecond apart. */
  const addStarts = (count: number, first: Date, org = 'o1') =>
    database.pool.query(
      `insert into build_starts (org_id, created_at)
       select $1, $2::timestamptz + n * interval '1 millisecond' from generate_series(0, $3 - 1) n`,
      [org, first, count],
    )
  const next = (plan: 'free' | 'enterprise' = 'free', at = AT) =>
    transact(database.db, (trx) => nextAllowance(trx, 'o1', plan, at))

  test('on the free plan, a build may start while fewer than a hundred builds have started in the last hour', async () => {
    assert.equal(await next(), null)
    await addStarts(99, earlier(HOUR_MS / 2))
    assert.equal(await next(), null)
    await addStarts(1, earlier(HOUR_MS / 2))
    assert.notEqual(await next(), null)
  })

  test('on the free plan, the next build may start once the oldest of the last hundred build starts is an hour old', async () => {
    await addStarts(30, earlier(HOUR_MS / 2))
    await addStarts(100, earlier(HOUR_MS / 4))
    const free = new Date(AT.getTime() + (HOUR_MS * 3) / 4)
    assert.deepEqual(await next(), free)
    assert.deepEqual(await next('free', new Date(free.getTime() - 1)), free)
    assert.equal(await next('free', free), null)
  })

  test('builds of other organizations, or from over an hour ago, do not count against the limit, and the largest plan has none', async () => {
    await addStarts(100, earlier(HOUR_MS / 2), 'o2')
    await addStarts(100, earlier(HOUR_MS + 1000))
    assert.equal(await next(), null)
    await addStarts(500, earlier(HOUR_MS / 2))
    assert.equal(await next('enterprise'), null)
  })

  test('a build that is not allowed is refused with the wait in seconds and in minutes', async () => {
    await addStarts(100, earlier(HOUR_MS - 61_500))
    const ask = (at: Date) => transact(database.db, (trx) => requireAllowance(trx, 'o1', 'free', at))
    await assert.rejects(ask(AT), {
      code: 'rate_limited',
      retryAfterSeconds: 62,
      message: 'The plan allows 100 builds an hour. Try again in 2 minutes.',
    })
    await assert.rejects(ask(new Date(AT.getTime() + 61_499)), {
      retryAfterSeconds: 1,
      message: 'The plan allows 100 builds an hour. Try again in a minute.',
    })
    await ask(new Date(AT.getTime() + 61_500))
  })

  test('build starts of the last hour are counted, without starts in a transaction that was rolled back', async () => {
    await transact(database.db, (trx) => countStart(trx, 'o1', AT))
    await transact(database.db, (trx) => countStart(trx, 'o1', earlier(HOUR_MS)))
    const failed = transact(database.db, async (trx) => {
      await countStart(trx, 'o1', AT)
      throw new Error('not started')
    })
    await assert.rejects(failed, /not started/)
    assert.equal(await countStarts(database.db, 'o1', AT), 1)
    assert.equal(await countStarts(database.db, 'o2', AT), 0)
  })

  test('of builds that start at the same moment, only as many begin as the plan allows', async () => {
    await addStarts(98, earlier(HOUR_MS / 2))
    const start = () =>
      transact(database.db, async (trx) => {
        await lockAllowance(trx, 'o1', 'free')
        await requireAllowance(trx, 'o1', 'free', AT)
        await countStart(trx, 'o1', AT)
      })
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, start))
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 2)
    assert.equal(await countStarts(database.db, 'o1', AT), 100)
  })

  test('the nightly task deletes the build starts that are more than an hour old', async () => {
    await addStarts(1, earlier(HOUR_MS + 1))
    await addStarts(1, earlier(HOUR_MS - 1))
    const platform = { db: database.db, log: silentLog, clock: { now: () => AT } }
    await purgeBuildStarts.run(platform, new AbortController().signal)
    const { rows } = await database.pool.query('select created_at from build_starts')
    assert.deepEqual(rows, [{ created_at: earlier(HOUR_MS - 1) }])
  })
})
