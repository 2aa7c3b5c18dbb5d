import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { transact } from '../db/database.ts'
import { systemClock } from '../lib/clock.ts'
import { silentLog, testDatabase, type TestDatabase } from '../testing/database.ts'
import { endLeases, type RequireLease, withLease } from './lease.ts'

const PROJECT = { id: 'p1', org_id: 'org_a' }
const DOMAIN = { purpose: 'domain', waitMs: 0 } as const

const insertOrganization = ({ pool }: TestDatabase) =>
  pool.query(`insert into organization (id, name, slug, "createdAt") values ('org_a', 'A', 'a', now())`)
const insertProject = ({ pool }: TestDatabase) =>
  pool.query(
    `insert into projects (id, org_id, name, name_fold, slug, updated_at, created_at)
     values ('p1', 'org_a', 'P', 'p', 'p', now(), now())`,
  )

describe('the leases of a project', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
    await insertOrganization(database)
  })
  after(() => database.drop())
  beforeEach(async () => {
    await database.pool.query('delete from projects')
    await insertProject(database)
  })

  const core = () => ({ db: database.db, clock: systemClock, log: silentLog })
  const holders = async () => {
    const { rows } = await database.pool.query<{ holder: string }>('select holder from project_leases')
    return rows.map(({ holder }) => holder)
  }
  const setLease = (change: string) => database.pool.query(`update project_leases set ${change}`)

  /** Takes the lease and keeps it until `end` is called. */
  async function takeLease(purpose: 'domain' | 'provisioning' = 'domain') {
    const taken = Promise.withResolvers<RequireLease>()
    const ended = Promise.withResolvers<void>()
    const done = withLease(core(), PROJECT, { purpose }, async (hold) => {
      taken.resolve(hold)
      await ended.promise
    })
    const hold = await Promise.race([taken.promise, done.then(() => assert.fail('it ended before it began'))])
    return {
      hold,
      end: async () => {
        ended.resolve()
        await done
      },
    }
  }

  test('work that needs a lease waits until other work releases the lease, and no lease is left afterwards', async () => {
    const first = await takeLease()
    const steps: string[] = []
    const second = withLease(core(), PROJECT, { purpose: 'domain' }, async () => {
      steps.push('second begins')
    })
    await sleep(500)
    steps.push('first ends')
    await first.end()
    await second
    assert.deepEqual(steps, ['first ends', 'second begins'])
    assert.deepEqual(await holders(), [])
  })

  test('a lease is released when the work that holds it fails', async () => {
    const failing = withLease(core(), PROJECT, DOMAIN, () => Promise.reject(new Error('no')))
    await assert.rejects(failing, /^Error: no$/)
    assert.equal(await withLease(core(), PROJECT, DOMAIN, () => Promise.resolve('done')), 'done')
  })

  test('when a lease cannot be released, the result or error of the work is still returned, and the failure is logged', async () => {
    const refused = new Error('refused')
    for (const end of [() => Promise.resolve('done'), () => Promise.reject(refused)]) {
      const logged: string[] = []
      const log = { warn: (_fields: object, message: string) => logged.push(message) }
      const closed = await testDatabase()
      await insertOrganization(closed)
      await insertProject(closed)
      const work = withLease({ ...core(), db: closed.db, log: log as never }, PROJECT, DOMAIN, async () => {
        await closed.drop()
        return await end()
      })
      assert.deepEqual(await Promise.allSettled([work]), await Promise.allSettled([end()]))
      assert.deepEqual(logged, ['a lease could not be released'])
    }
  })

  test('waiting too long for a lease throws a conflict, and an aborted wait throws the reason of the abort', async () => {
    const first = await takeLease()
    const work = () => assert.fail('the lease was not free')
    await assert.rejects(withLease(core(), PROJECT, DOMAIN, work), {
      code: 'conflict',
      message: 'Another request is changing the domain right now. Try again in a moment.',
    })
    const stopping = new AbortController()
    const waiting = withLease(core(), PROJECT, { purpose: 'domain', signal: stopping.signal }, work)
    stopping.abort()
    await assert.rejects(waiting, { name: 'AbortError' })
    await first.end()
  })

  test('leases for different purposes do not wait for each other', async () => {
    const first = await takeLease('provisioning')
    assert.equal(await withLease(core(), PROJECT, DOMAIN, () => Promise.resolve('done')), 'done')
    await first.end()
  })

  test('an expired lease can be taken, and its former holder may then neither change nor store anything, nor release it', async () => {
    const first = await takeLease()
    await first.hold(database.db)
    await setLease(`leased_until = now() - interval '1 second'`)
    const second = await takeLease()
    const lost = { code: 'conflict', message: /^Another process has begun to change the domain/ }
    await assert.rejects(first.hold(database.db), lost)
    await assert.rejects(transact(database.db, first.hold), lost)
    await first.end()
    await second.hold(database.db)
    assert.equal((await holders()).length, 1)
    await second.end()
  })

  test('a lease that is held in a transaction cannot be taken before the commit, even after it has expired', async () => {
    const first = await takeLease()
    const steps: string[] = []
    const waiting: Promise<void>[] = []
    await transact(database.db, async (trx) => {
      await first.hold(trx)
      await trx
        .updateTable('project_leases')
        .set({ leased_until: new Date(0) })
        .execute()
      const second = withLease(core(), PROJECT, { purpose: 'domain' }, async () => {
        steps.push('second begins')
      })
      waiting.push(second)
      await sleep(300)
      steps.push('commit')
    })
    await Promise.all(waiting)
    assert.deepEqual(steps, ['commit', 'second begins'])
    await first.end()
  })

  test('the leases of one purpose can be ended together, as when their processes have died', async () => {
    const [domain, provisioning] = [await takeLease('domain'), await takeLease('provisioning')]
    await endLeases(database.db, 'provisioning')
    await domain.hold(database.db)
    await assert.rejects(provisioning.hold(database.db), {
      message: 'Another process has begun to change a resource of the project. Try again in a moment.',
    })
    await Promise.all([domain.end(), provisioning.end()])
  })

  test('taking a lease of an unknown or foreign project throws not_found, and deleting a project deletes its lease', async () => {
    const work = () => assert.fail('there is no such project')
    const missing = { code: 'not_found', message: 'No such project.' }
    await assert.rejects(withLease(core(), { ...PROJECT, id: 'p2' }, DOMAIN, work), missing)
    await assert.rejects(withLease(core(), { ...PROJECT, org_id: 'org_b' }, DOMAIN, work), missing)
    const first = await takeLease()
    await database.pool.query('delete from projects')
    assert.deepEqual(await holders(), [])
    await first.end()
  })
})
