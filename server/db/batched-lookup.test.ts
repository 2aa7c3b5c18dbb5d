import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Pool } from 'pg'
import { testDatabase } from '../testing/database.ts'
import type { Database } from './database.ts'
import { batchedLookup } from './batched-lookup.ts'

const lookUpDouble = batchedLookup<{ key: string; twice: number }>(
  'test_look_up',
  `select key, key::int * 2 as twice from unnest(:keys::text[]) key where key <> '9'`,
  (row) => row.key,
)

let database: Database & { drop(): Promise<void> }
function countStatements(pool: Pool) {
  const counted = Object.create(pool) as Pool & { statements: number }
  counted.statements = 0
  counted.query = ((...args: Parameters<Pool['query']>) => {
    counted.statements++
    return pool.query(...args)
  }) as Pool['query']
  return counted
}

describe('batched look-ups', () => {
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.drop())

  test('look-ups of rows in one turn of the event loop share one SQL statement, and each returns its own row', async () => {
    const pool = countStatements(database.pool)
    const rows = await Promise.all(['1', '2', '2', '9'].map((key) => lookUpDouble(pool, key)))
    assert.deepEqual(
      rows.map((row) => row?.twice),
      [2, 4, 4, undefined],
    )
    assert.equal(pool.statements, 1)
  })

  test('a later look-up queries the database again: nothing is cached', async () => {
    const pool = countStatements(database.pool)
    await lookUpDouble(pool, '1')
    await lookUpDouble(pool, '1')
    assert.equal(pool.statements, 2)
  })

  test('a failed SQL statement fails only the look-ups that share it and no later look-up', async () => {
    const failed = await Promise.allSettled([
      lookUpDouble(database.pool, 'x'),
      lookUpDouble(database.pool, '1'),
    ])
    assert.deepEqual(
      failed.map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    assert.equal((await lookUpDouble(database.pool, '1'))?.twice, 2)
  })
})
