import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { purgeSessions } from '../auth/purge-sessions.ts'
import { purgeIdempotency } from '../http/purge-idempotency.ts'
import type { Core } from '../platform.ts'
import { TestClock } from '../testing/app.ts'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { purge } from './purge.ts'

describe('purging expired rows', () => {
  let database: TestDatabase
  const clock = new TestClock()
  const signal = new AbortController().signal
  before(async () => {
    database = await testDatabase()
    const at = clock.now()
    await database.pool.query(
      `insert into organization (id, name, slug, "createdAt") values ('org_a', 'A', 'a', $1)`,
      [at],
    )
    await database.pool.query(
      `insert into "user" (id, name, email, "emailVerified", "createdAt", "updatedAt") values ('u', 'U', 'u@a.test', true, $1, $1)`,
      [at],
    )
  })
  after(() => database.drop())

  const idsOf = async (table: string, column = 'id') =>
    (await database.pool.query<{ id: string }>(`select ${column} as id from ${table} order by 1`)).rows.map(
      (row) => row.id,
    )
  const platform = () => ({ db: database.db, clock }) as unknown as Core
  const secondsFromNow = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000)

  test('the purge deletes more expired rows than fit in one batch, and keeps rows that have not expired', async () => {
    await database.pool.query(
      `insert into scheduled_tasks (name, slot_at, created_at)
       select n, case when n <= 12000 then $1::timestamptz else $2 end, $1 from generate_series(1, 12003) n`,
      [clock.now(), secondsFromNow(1)],
    )
    const what = { table: 'scheduled_tasks', time: 'slot_at', until: clock.now() } as const
    assert.equal(await purge(database.db, what, signal), 12_000)
    assert.deepEqual(await idsOf('scheduled_tasks', 'name'), ['12001', '12002', '12003'])
    assert.equal(await purge(database.db, what, signal), 0)
  })

  test('a purge whose signal is aborted throws and deletes no further batch', async () => {
    const what = { table: 'scheduled_tasks', time: 'slot_at', until: secondsFromNow(9) } as const
    await assert.rejects(purge(database.db, what, AbortSignal.abort(new Error('stopping'))), /stopping/)
    assert.equal((await idsOf('scheduled_tasks', 'name')).length, 3)
  })

  test('responses stored for an Idempotency-Key are deleted when they expire', async () => {
    for (const [key, expires] of [
      ['over', 0],
      ['kept', 1],
    ] as const)
      await database.pool.query(
        `insert into idempotency_keys (org_id, user_id, path, key, body_hash, claim, claimed_until, expires_at, created_at)
         values ('org_a', 'u', '/projects', $1, 'h', 'c', $2, $2, $3)`,
        [key, secondsFromNow(expires), clock.now()],
      )
    await purgeIdempotency.run(platform(), signal)
    assert.deepEqual(await idsOf('idempotency_keys', 'key'), ['kept'])
  })

  test('expired sessions and sign-in codes are deleted', async () => {
    for (const [id, expires] of [
      ['over', -1],
      ['open', 1],
    ] as const) {
      const times = [id, secondsFromNow(expires), clock.now()]
      await database.pool.query(
        `insert into session (id, token, "userId", "expiresAt", "createdAt", "updatedAt") values ($1, $1, 'u', $2, $3, $3)`,
        times,
      )
      await database.pool.query(
        `insert into verification (id, identifier, value, "expiresAt", "createdAt", "updatedAt") values ($1, $1, 'v', $2, $3, $3)`,
        times,
      )
    }
    await purgeSessions.run(platform(), signal)
    assert.deepEqual([await idsOf('session'), await idsOf('verification')], [['open'], ['open']])
  })
})
