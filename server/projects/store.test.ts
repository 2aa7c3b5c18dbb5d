import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type Insertable, sql } from 'kysely'
import { transact, type Trx } from '../db/database.ts'
import type { ProjectsTable } from '../db/tables/projects.ts'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import {
  changeProject,
  countProjectsOf,
  deleteProjectRow,
  findProject,
  findProjectForShare,
  listDeleting,
  listAllProjects,
  listLiveProjects,
  listRebindDue,
  lockProjectRow,
  markDeleting,
  markOffline,
  oldestProjects,
  readProject,
  rowsOfProject,
  setLiveUrl,
} from './store.ts'

const AT = new Date('2026-06-01T12:00:00.000Z')
const LATER = new Date('2026-06-01T12:05:00.000Z')
const KEY = { orgId: 'org_a', projectId: 'p1' }
/** The id of the same project, with the id of an organization that does not own it. */
const FOREIGN = { orgId: 'org_b', projectId: 'p1' }

type NewProject = Partial<Insertable<ProjectsTable>>

describe('the rows of projects', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
    await database.pool.query(
      `insert into organization (id, name, slug, "createdAt") values ('org_a', 'A', 'a', $1), ('org_b', 'B', 'b', $1)`,
      [AT],
    )
  })
  after(() => database.drop())
  beforeEach(async () => {
    await database.pool.query('delete from projects')
  })

  const add = (id: string, change: NewProject = {}) =>
    database.db
      .insertInto('projects')
      .values({
        id,
        org_id: 'org_a',
        name: id,
        name_fold: id,
        slug: id,
        slug_locked_at: null,
        provision_error: null,
        model_connection_id: null,
        model: null,
        head_sha: null,
        url: null,
        preview_url: null,
        preview_sha: null,
        live_at: null,
        archived_at: null,
        deleting_at: null,
        readme: null,
        updated_at: AT,
        created_at: AT,
        ...change,
      })
      .execute()

  const within = <T>(work: (trx: Trx) => Promise<T>) => transact(database.db, work)
  const row = async (id = 'p1') => {
    const { rows } = await database.pool.query<ProjectsTable>('select * from projects where id = $1', [id])
    assert.ok(rows[0])
    return rows[0]
  }
  const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

  /** Runs a statement in a separate transaction. Fails when the statement would have to wait for a lock. */
  const atOnce = (statement: string) =>
    database.db.transaction().execute(async (trx) => {
      await sql`set local lock_timeout = '20ms'`.execute(trx)
      await sql.raw(statement).execute(trx)
    })

  test('a project is read, changed, marked as offline and deleted only through its own organization', async () => {
    await add('p1', { lifecycle: 'live', url: 'https://live.example.test' })
    const before = await row()
    assert.equal(await findProject(database.db, FOREIGN), null)
    await assert.rejects(readProject(database.db, FOREIGN), /is gone/)
    await changeProject(database.db, FOREIGN, { name: 'Stolen' })
    const results = await within(async (trx) => {
      await setLiveUrl(trx, FOREIGN, sql<string>`'https://evil.example.test'`)
      await markOffline(trx, FOREIGN, LATER)
      await deleteProjectRow(trx, FOREIGN)
      return [
        await findProjectForShare(trx, FOREIGN),
        await markDeleting(trx, FOREIGN, LATER),
        await lockProjectRow(trx, FOREIGN),
      ]
    })
    assert.deepEqual(results, [null, null, false])
    assert.deepEqual(await row(), before)
    await changeProject(database.db, KEY, { name: 'Mine' })
    assert.equal((await readProject(database.db, KEY)).name, 'Mine')
  })

  test('a project locked with `findProjectForShare` can be changed, but not deleted, until the transaction ends', async () => {
    await add('p1')
    await within(async (trx) => {
      assert.equal((await findProjectForShare(trx, KEY))?.id, 'p1')
      await atOnce(`update projects set name = 'Changed' where id = 'p1'`)
      await assert.rejects(atOnce(`delete from projects where id = 'p1'`), /lock timeout/)
    })
    await atOnce(`delete from projects where id = 'p1'`)
    assert.equal(await findProject(database.db, KEY), null)
  })

  test('`findProjectForShare` with `skipLocked` returns null for a project whose row another transaction has locked for deletion', async () => {
    await add('p1')
    await within(async (trx) => {
      assert.equal(await lockProjectRow(trx, KEY), true)
      assert.equal(await within((other) => findProjectForShare(other, KEY, { skipLocked: true })), null)
    })
    assert.equal((await within((trx) => findProjectForShare(trx, KEY, { skipLocked: true })))?.id, 'p1')
  })

  test('while the row of a project is locked, no row that belongs to it can be added', async () => {
    await add('p1')
    const addTask = `insert into capabilities (project_id, key, enabled, settings, state, generation, created_at)
      values ('p1', 'data', true, '{}', 'idle', 0, now())`
    await within(async (trx) => {
      await lockProjectRow(trx, KEY)
      await assert.rejects(atOnce(addTask), /lock timeout/)
    })
    await atOnce(addTask)
    await within((trx) => deleteProjectRow(trx, KEY))
    assert.equal((await database.pool.query('select from capabilities')).rowCount, 0)
  })

  test("rows of a project are found only through the project's organization, in tables with and without the column `org_id`", async () => {
    await add('p1')
    await add('p2')
    for (const id of ['p1', 'p2']) {
      await database.pool.query(
        `insert into capabilities (project_id, key, enabled, settings, state, generation, created_at)
         values ($1, 'data', true, '{}', 'idle', 0, now())`,
        [id],
      )
      await database.pool.query(
        `insert into moves (project_id, org_id, from_account, live_data, updated_at, created_at)
         values ($1, 'org_a', 'acc', 'copy', now(), now())`,
        [id],
      )
    }
    for (const table of ['capabilities', 'moves'] as const) {
      const { rows } = rowsOfProject(table)
      const count = async (orgId: string) => (await database.pool.query(rows, [orgId, 'p1'])).rowCount
      assert.deepEqual([await count('org_a'), await count('org_b')], [1, 0], table)
    }
  })

  test('a project that is already marked as being deleted keeps the time of the first marking', async () => {
    await add('p1')
    const mark = (at: Date) => within((trx) => markDeleting(trx, KEY, at))
    assert.deepEqual((await mark(AT))?.deleting_at, AT)
    assert.deepEqual((await mark(LATER))?.deleting_at, AT)
    assert.deepEqual((await row()).updated_at, LATER)
    assert.equal(await within((trx) => markDeleting(trx, { ...KEY, projectId: 'none' }, AT)), null)
  })

  test('only a live project gets a public URL; marking it offline removes the URL, and an archived project stays archived', async () => {
    const url = sql<string>`'https://live.example.test'`
    for (const lifecycle of ['live', 'offline', 'archived'] as const) {
      await add(lifecycle, { lifecycle })
      const key = { orgId: 'org_a', projectId: lifecycle }
      await within((trx) => setLiveUrl(trx, key, url))
      assert.equal(
        (await row(lifecycle)).url,
        lifecycle === 'live' ? 'https://live.example.test' : null,
        lifecycle,
      )
      await within((trx) => markOffline(trx, key, LATER))
      const after = await row(lifecycle)
      assert.deepEqual(
        [after.lifecycle, after.url],
        [lifecycle === 'archived' ? 'archived' : 'offline', null],
      )
    }
  })

  test('the live projects of an organization are listed by their last deployment, the newest first, up to the limit', async () => {
    const live = (id: string, change: NewProject) => add(id, { lifecycle: 'live', ...change })
    await live('old', { live_at: AT })
    await live('new', { live_at: LATER })
    await live('same', { live_at: LATER })
    await live('foreign', { org_id: 'org_b', live_at: LATER })
    await add('offline', { live_at: LATER })
    assert.deepEqual(idsOf(await listLiveProjects(database.db, 'org_a', 10)), ['same', 'new', 'old'])
    assert.deepEqual(idsOf(await listLiveProjects(database.db, 'org_a', 1)), ['same'])
  })

  test('projects whose Worker bindings are out of date are listed, except those that are being deleted', async () => {
    const due = { rebind_due: true }
    await add('due', due)
    await add('dying', { ...due, deleting_at: AT })
    await add('foreign', { ...due, org_id: 'org_b' })
    await add('fine')
    assert.deepEqual(idsOf(await listRebindDue(database.db, 'org_a')), ['due'])
  })

  test('projects are listed for the given organizations only, the oldest first; without organizations the list is empty', async () => {
    await add('b', { created_at: LATER, deleting_at: AT })
    await add('a', { created_at: LATER })
    await add('first', { org_id: 'org_b', deleting_at: LATER })
    const both = ['org_a', 'org_b']
    assert.deepEqual(idsOf(await oldestProjects(database.db, both, 10)), ['first', 'a', 'b'])
    assert.deepEqual(idsOf(await oldestProjects(database.db, both, 2)), ['first', 'a'])
    assert.deepEqual(idsOf(await oldestProjects(database.db, ['org_a'], 10)), ['a', 'b'])
    assert.deepEqual(idsOf(await listDeleting(database.db, both)), ['first', 'b'])
    assert.deepEqual(idsOf(await listDeleting(database.db, ['org_b'])), ['first'])
    for (const none of [await oldestProjects(database.db, [], 10), await listDeleting(database.db, [])])
      assert.deepEqual(none, [])
    assert.deepEqual(idsOf(await listAllProjects(database.db)), ['a', 'b', 'first'])
  })

  test('projects are counted by organization, including archived projects, and an organization without projects has no count', async () => {
    await add('a')
    await add('b', { lifecycle: 'archived' })
    await add('c', { org_id: 'org_b' })
    const counts = await countProjectsOf(database.db, ['org_a', 'org_none', `x' or true --`])
    assert.deepEqual([...counts], [['org_a', 2]])
    assert.equal((await countProjectsOf(database.db, [])).size, 0)
  })
})
