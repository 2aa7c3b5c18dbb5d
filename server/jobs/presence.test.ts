import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, beforeEach, describe, test, type TestContext } from 'node:test'
import { silentLog, testDatabase, type TestDatabase } from '../testing/database.ts'
import { undoAfter } from '../testing/undo.ts'
import { startPresence, type LiveProcesses, type Presence, type ProcessRole } from './presence.ts'

describe('processes that share a database', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
  })
  beforeEach(() => database.pool.query('delete from processes'))
  after(() => database.drop())

  interface Member extends Presence {
    living(): LiveProcesses | undefined
    timesAlone(): number
  }

  async function joinProcess(t: TestContext, role: ProcessRole): Promise<Member> {
    let living: LiveProcesses | undefined
    let timesAlone = 0
    const presence = await startPresence({
      url: database.url,
      role,
      log: silentLog,
      onAlone: async () => void timesAlone++,
      onLiving: (told) => (living = told),
    })
    undoAfter(t, () => presence.leave())
    return {
      get processId() {
        return presence.processId
      },
      leave: () => presence.leave(),
      living: () => living,
      timesAlone: () => timesAlone,
    }
  }

  async function waitUntil(holds: () => boolean | Promise<boolean>): Promise<void> {
    const deadline = performance.now() + 8000
    while (!(await holds())) {
      assert.ok(performance.now() < deadline, `${holds.toString()} did not come true`)
      await sleep(10)
    }
  }

  /** Ends the connection that holds the lock, as the death of the process does. */
  const cutConnection = (member: Member) =>
    database.pool.query(
      `select pg_terminate_backend(pid) from pg_locks
       where locktype = 'advisory' and classid = 5 and objid = $1 and granted`,
      [member.processId],
    )
  const processNumbers = async () =>
    (await database.pool.query<{ id: number }>('select id from processes order by id')).rows.map(
      ({ id }) => id,
    )

  test('every process learns at once that another process joins or leaves', async (t) => {
    const first = await joinProcess(t, 'all')
    assert.deepEqual(first.living(), { web: 1, working: 1 })
    const second = await joinProcess(t, 'web')
    assert.deepEqual(second.living(), { web: 2, working: 1 })
    await waitUntil(() => first.living()?.web === 2)
    const third = await joinProcess(t, 'worker')
    await waitUntil(() => first.living()?.working === 2 && second.living()?.working === 2)
    await third.leave()
    await second.leave()
    await waitUntil(() => first.living()?.web === 1 && first.living()?.working === 1)
    assert.deepEqual(await processNumbers(), [first.processId])
  })

  test('only a worker process that finds no other live worker takes over the jobs of dead processes', async (t) => {
    const web = await joinProcess(t, 'web')
    const worker = await joinProcess(t, 'worker')
    const other = await joinProcess(t, 'all')
    assert.deepEqual([web.timesAlone(), worker.timesAlone(), other.timesAlone()], [0, 1, 0])
  })

  test('when many processes join simultaneously, all count as alive, and only the first takes over work of dead processes', async (t) => {
    const members = await Promise.all(Array.from({ length: 6 }, () => joinProcess(t, 'all')))
    await waitUntil(() => members.every((member) => member.living()?.web === 6))
    assert.equal(
      members.reduce((sum, member) => sum + member.timesAlone(), 0),
      1,
    )
  })

  test('a process that joins does not count a dead process as alive, and deletes the row of the dead process', async (t) => {
    await database.pool.query(
      `insert into processes (role, host, seen_at, version, created_at) values ('all', 'h', now(), '1', now())`,
    )
    const alive = await joinProcess(t, 'all')
    assert.deepEqual([alive.living(), alive.timesAlone()], [{ web: 1, working: 1 }, 1])
    assert.deepEqual(await processNumbers(), [alive.processId])
  })

  test('a process without a heartbeat for half a minute counts as dead even while its database lock is held', async (t) => {
    const machine = await database.pool.connect()
    undoAfter(t, async () => machine.release(true))
    await machine.query(
      `with gone as (insert into processes (role, host, seen_at, version, created_at)
         values ('all', 'h', now() - interval '31 seconds', '1', now()) returning id)
       select pg_advisory_lock(5, id) from gone`,
    )
    const alive = await joinProcess(t, 'all')
    assert.deepEqual([alive.living(), alive.timesAlone()], [{ web: 1, working: 1 }, 1])
  })

  test('a process that lost its database connection, or was counted as dead, registers again and takes over no jobs', async (t) => {
    const first = await joinProcess(t, 'all')
    const second = await joinProcess(t, 'all')
    const before = first.processId
    await cutConnection(first)
    await waitUntil(() => first.processId !== before)
    await waitUntil(() => first.living()?.web === 2 && second.living()?.web === 2)
    const again = first.processId
    await database.pool.query('delete from processes where id = $1', [again])
    await database.pool.query(`select pg_notify('processes', '')`)
    await waitUntil(() => first.processId !== again)
    await waitUntil(async () => first.living()?.web === 2 && (await processNumbers()).length === 2)
    assert.deepEqual([first.timesAlone(), second.timesAlone()], [1, 0])
  })
})
