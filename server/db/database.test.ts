import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { silentLog, testDatabase, type TestDatabase } from '../testing/database.ts'
import {
  databaseErrorCode,
  isUnavailable,
  openDatabase,
  parseInt8,
  preparedQuery,
  transact,
} from './database.ts'
import { lockOrganization, lockProject } from './locks.ts'

let database: TestDatabase
const failWith = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    await work()
  } catch (error) {
    return error
  }
  return assert.fail('nothing was thrown')
}

/** Locks the organization in a separate transaction. Returns the function that ends this transaction. */
async function holdOrganization(orgId: string): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holding = transact(database.db, async (trx) => {
    await lockOrganization(trx, orgId)
    held.resolve()
    await release.promise
  })
  await held.promise
  return () => {
    release.resolve()
    return holding
  }
}

describe('the database', () => {
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.drop())

  test('a bigint column is read from the database as a number, and a value beyond 2^53 throws', async () => {
    const { rows } = await database.pool.query('select count(*) as n, 9007199254740991 as most from pg_class')
    assert.equal(typeof (rows[0] as { n: unknown }).n, 'number')
    assert.equal((rows[0] as { most: unknown }).most, Number.MAX_SAFE_INTEGER)
    assert.throws(() => parseInt8('9007199254740993'), /does not fit/)
  })

  test('a time is stored unchanged in every year and every time zone of the process', async (t) => {
    const before = process.env['TZ']
    t.after(() => {
      if (before === undefined) delete process.env['TZ']
      else process.env['TZ'] = before
    })
    const times = [
      '0001-01-01T00:00:00.000Z',
      '0026-11-30T10:00:00.000Z',
      '1800-06-01T12:00:00.000Z',
      '2026-07-01T12:00:00.123Z',
      '9999-12-31T23:59:59.999Z',
    ]
    // Before standard time, the offset of each city had seconds: New York was 4:56:02 behind UTC.
    for (const zone of ['UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Kathmandu']) {
      process.env['TZ'] = zone
      for (const time of times) {
        const { rows } = await database.pool.query<{ at: Date }>('select $1::timestamptz as at', [
          new Date(time),
        ])
        assert.equal(rows[0]?.at.toISOString(), time, zone)
      }
    }
  })

  test('a database transaction that fails is rolled back as a whole', async () => {
    await database.pool.query('create table kept (n integer)')
    const failing = transact(database.db, async (trx) => {
      await sql`insert into kept values (1)`.execute(trx)
      throw new Error('no')
    })
    await assert.rejects(failing, /no/)
    assert.equal((await database.pool.query('select from kept')).rowCount, 0)
  })

  test('database transactions that block each other are retried until both succeed', async () => {
    await database.pool.query(
      'create table pair (id integer primary key, n integer); insert into pair values (1, 0), (2, 0)',
    )
    let tries = 0
    const bothHoldOne = Promise.withResolvers<void>()
    const bumpBoth = (first: number, second: number) =>
      transact(database.db, async (trx) => {
        await sql`update pair set n = n + 1 where id = ${first}`.execute(trx)
        if (++tries === 2) bothHoldOne.resolve()
        await bothHoldOne.promise
        await sql`update pair set n = n + 1 where id = ${second}`.execute(trx)
      })
    await Promise.all([bumpBoth(1, 2), bumpBoth(2, 1)])
    assert.deepEqual((await database.pool.query('select n from pair')).rows, [{ n: 2 }, { n: 2 }])
    assert.ok(tries > 2)
  })

  test('a transaction that always conflicts throws after three retries', async () => {
    let tries = 0
    const failing = transact(database.db, async () => {
      tries++
      throw Object.assign(new Error('again'), { code: '40001' })
    })
    await assert.rejects(failing, /again/)
    assert.equal(tries, 4)
  })

  test('a prepared statement returns its rows, and its name cannot be declared twice', async () => {
    const double = preparedQuery<{ n: number }, { n: number }>('test.double', 'select :n::int * 2 as n')
    assert.deepEqual(await double(database.pool, { n: 21 }), [{ n: 42 }])
    assert.deepEqual(await double(database.pool, { n: 4 }), [{ n: 8 }])
    assert.throws(() => preparedQuery('test.double', 'select 1'), /declared twice/)
  })

  test('an error caused by an unavailable database can be distinguished from an error caused by a refused statement', async (t) => {
    const nobody = openDatabase({ url: 'postgresql://slipway@127.0.0.1:1/none', log: silentLog })
    const noSocket = openDatabase({
      url: 'postgresql://slipway@localhost/none?host=/nonexistent',
      log: silentLog,
    })
    t.after(() => Promise.all([nobody.close(), noSocket.close()]))
    assert.ok(isUnavailable(await failWith(() => nobody.pool.query('select 1'))))
    assert.ok(isUnavailable(await failWith(() => noSocket.pool.query('select 1'))))
    const exceedTimeout = async () => {
      const client = await database.pool.connect()
      try {
        await client.query('set statement_timeout = 20')
        await client.query('select pg_sleep(5)')
      } finally {
        client.release(true)
      }
    }
    assert.ok(isUnavailable(await failWith(exceedTimeout)))
    const refused = await failWith(() => database.pool.query('select 1 / 0'))
    assert.equal(databaseErrorCode(refused), '22012')
    assert.equal(isUnavailable(refused), false)
    const noFile = Object.assign(new Error('no file'), { code: 'ENOENT', syscall: 'open' })
    assert.equal(isUnavailable(noFile), false)
  })

  test('a lock timeout counts as an unavailable database, so that the caller retries later', async () => {
    const release = await holdOrganization('busy')
    const waiting = transact(database.db, async (trx) => {
      await sql`set local lock_timeout = 20`.execute(trx)
      await lockOrganization(trx, 'busy')
    })
    const refused = await failWith(() => waiting)
    await release()
    assert.equal(databaseErrorCode(refused), '55P03')
    assert.ok(isUnavailable(refused))
  })

  test('the connection pool still works after Postgres has terminated one of its connections', async () => {
    const killed = await failWith(() => database.pool.query('select pg_terminate_backend(pg_backend_pid())'))
    assert.ok(isUnavailable(killed))
    assert.equal((await database.pool.query('select 1')).rowCount, 1)
  })

  test('locks of different organizations and projects do not block each other, and each lock is released when its transaction ends', async () => {
    const release = await holdOrganization('one')
    let hasSame = false
    const same = transact(database.db, async (trx) => {
      await lockOrganization(trx, 'one')
      hasSame = true
    })
    await transact(database.db, (trx) => lockOrganization(trx, 'two'))
    await transact(database.db, (trx) => lockProject(trx, 'one'))
    assert.equal(hasSame, false)
    await Promise.all([release(), same])
  })
})
