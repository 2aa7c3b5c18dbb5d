import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { isUnavailable } from './database.ts'
import { readCursor } from './read-cursor.ts'

describe('reading a long result through a cursor', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
    await database.pool.query('create table numbers (n bigint not null)')
    await database.pool.query('insert into numbers select generate_series(1, 10)')
  })
  after(() => database.drop())

  const NUMBERS = 'select n from numbers where n > $1 order by n'
  const readRows = (options: { batch?: number; signal?: AbortSignal } = {}) =>
    readCursor<{ n: number }>(database.streamPool, NUMBERS, [0], { batch: 4, ...options })

  /**
   * Returns the number of transactions that are still open after a reader stopped. Waits until the number is 0,
   * because Postgres notices a closed connection with a delay.
   */
  async function openTransactions(): Promise<number> {
    let open = 0
    for (let tries = 0; tries < 100; tries++) {
      const { rows } = await database.pool.query<{ n: number }>(
        `select count(*) as n from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`,
      )
      open = rows[0]?.n ?? 0
      if (open === 0) break
      await sleep(10)
    }
    return open
  }

  test('a read cursor returns every row of its query once, in order, in batches', async () => {
    const batches: number[][] = []
    for await (const rows of readRows()) batches.push(rows.map((row) => row.n))
    assert.deepEqual(batches, [
      [1, 2, 3, 4],
      [5, 6, 7, 8],
      [9, 10],
    ])
    assert.equal(await openTransactions(), 0)
  })

  test('a read cursor over an empty result returns no batch of rows', async () => {
    for await (const rows of readCursor(database.streamPool, NUMBERS, [99]))
      assert.fail(`${rows.length} rows`)
  })

  test('rows written while a cursor reads do not appear, because the result is one snapshot', async () => {
    const seen: number[] = []
    for await (const rows of readRows({ batch: 2 })) {
      if (seen.length === 0) await database.pool.query('insert into numbers values (1000)')
      seen.push(...rows.map((row) => row.n))
    }
    await database.pool.query('delete from numbers where n = 1000')
    assert.deepEqual(seen, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  test('a consumer that stops reading releases its connection and leaves no transaction open', async () => {
    // Stops six reads midway although the pool has four connections. Without a release the fifth read would block.
    for (let i = 0; i < 6; i++) for await (const _rows of readRows()) break
    assert.equal(await openTransactions(), 0)
  })

  test("aborting the signal of a cursor throws the signal's reason", async () => {
    const leaving = new AbortController()
    const readUntilAborted = async () => {
      for await (const _rows of readRows({ signal: leaving.signal })) leaving.abort(new Error('client gone'))
    }
    await assert.rejects(readUntilAborted, /client gone/)
    assert.equal(await openTransactions(), 0)
  })

  test('when a query fails while its rows are read, the cursor throws and the connection pool stays usable', async () => {
    const failing = readCursor(database.streamPool, 'select 1 / (8 - n) from numbers order by n', [], {
      batch: 2,
    })
    await assert.rejects(async () => {
      for await (const _rows of failing);
    }, /division by zero/)
    assert.equal(await openTransactions(), 0)
    for await (const rows of readRows()) assert.ok(rows.length > 0)
  })

  test('when a cursor loses its connection, the error counts as an unavailable database and does not end the process', async () => {
    const readWhileTerminated = async () => {
      for await (const _rows of readRows({ batch: 1 }))
        await database.pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`,
        )
    }
    await assert.rejects(readWhileTerminated, (error) => isUnavailable(error))
  })

  test("when Postgres terminates the connection of a cursor that is not being read, the connection's place in the pool becomes free and the next read throws", async () => {
    const reading = readRows({ batch: 1 })
    await reading.next()
    assert.equal(database.streamPool.totalCount - database.streamPool.idleCount, 1)
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`,
    )
    for (
      let tries = 0;
      database.streamPool.totalCount > database.streamPool.idleCount && tries < 100;
      tries++
    )
      await sleep(10)
    assert.equal(database.streamPool.totalCount - database.streamPool.idleCount, 0)
    // Batches that were read ahead may still arrive before the error.
    const goOn = async () => {
      while ((await reading.next()).done !== true);
    }
    await assert.rejects(goOn, (error) => isUnavailable(error))
  })

  test('the transaction of a read cursor is read-only', async () => {
    const writing = readCursor(database.streamPool, 'insert into numbers values (7) returning n', [])
    await assert.rejects(writing.next(), /read-only transaction/)
  })
})
