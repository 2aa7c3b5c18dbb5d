import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { listUnsettledMoves } from './moves.ts'

describe('unsettled moves', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.drop())

  test('moves that fail in every round do not keep the other moves waiting', async () => {
    const { db, pool } = database
    const now = new Date()
    await pool.query(
      `insert into organization (id, name, slug, "createdAt") values ('org_a', 'A', 'a', $1)`,
      [now],
    )
    await pool.query(
      `insert into projects (id, org_id, name, name_fold, slug, updated_at, created_at)
       select 'prj_' || n, 'org_a', 'p' || n, 'p' || n, 'p' || n, $1, $1 from generate_series(1, 101) n`,
      [now],
    )
    await pool.query(
      `insert into moves (project_id, org_id, from_account, live_data, is_held, updated_at, created_at)
       select 'prj_' || n, 'org_a', 'acc', 'copy', true, $1::timestamptz + n * interval '1 second', $1
       from generate_series(1, 101) n`,
      [now],
    )
    const listed = new Set<string>()
    // The chance that ten rounds of 100 of the 101 moves leave the newest one out is 10^-20.
    for (let round = 0; round < 10; round++)
      for (const move of await listUnsettledMoves(db, now)) listed.add(move.project_id)
    assert.ok(listed.has('prj_101'))
  })
})
