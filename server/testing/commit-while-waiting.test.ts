import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { PoolClient } from 'pg'
import { commitWhileWaiting } from './commit-while-waiting.ts'
import { testDatabase } from './database.ts'

describe('a call during the commit of another transaction', () => {
  let database: Awaited<ReturnType<typeof testDatabase>>
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.drop())

  const insertKey = (other: PoolClient) =>
    other.query(`insert into encryption_keys values ('key', 'value', now())`)
  const callDuringChange = (call: () => Promise<unknown>) =>
    commitWhileWaiting(database.pool, insertKey, call)

  test('a call that does not wait for a lock fails its test at once, with what the call returned or threw', async () => {
    const began = performance.now()
    await assert.rejects(
      callDuringChange(async () => 'the result'),
      /did not wait for a lock. It returned 'the result'/,
    )
    const cause = new Error('refused')
    await assert.rejects(
      callDuringChange(() => Promise.reject(cause)),
      { cause },
    )
    assert.ok(performance.now() - began < 10_000)
  })

  test('a change that fails leaves no open transaction in the pool', async () => {
    const failed = commitWhileWaiting(
      database.pool,
      async (other) => {
        await insertKey(other)
        throw new Error('failed')
      },
      async () => {},
    )
    await assert.rejects(failed, /failed/)
    // A transaction that began before the last statement of its connection is still open.
    const { rows } = await database.pool.query(
      `select count(*)::int as open from pg_stat_activity
       where datname = current_database() and xact_start < query_start`,
    )
    assert.deepEqual(rows, [{ open: 0 }])
  })
})
