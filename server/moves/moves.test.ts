import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '../db/database.ts'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import {
  addMoves,
  beginMove,
  cancelMove,
  changeMove,
  endMove,
  hasWaitingMove,
  listUnsettledMoves,
  lockHeldMove,
  type Move,
  moveOf,
  readMove,
  recordMoves,
  releaseMove,
  requireNotMoving,
} from './moves.ts'

const AT = new Date('2026-06-01T12:00:00.000Z')
const LATER = new Date('2026-06-01T12:05:00.000Z')
const isConflict = { name: 'ApiError', code: 'conflict' }

describe('moves of projects between accounts', () => {
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
    await database.pool.query('delete from cloud_accounts')
    for (const orgId of ['org_a', 'org_b']) {
      await addAccount(orgId, 'local', 'local')
      await addAccount(orgId, 'real', 'real')
    }
  })

  const addAccount = (orgId: string, accountId: string, profile: string) =>
    database.pool.query(
      `insert into cloud_accounts (org_id, account_id, profile, name, connected_at, created_at)
       values ($1, $2, $3, $2, $4, $4)`,
      [orgId, accountId, profile, AT],
    )

  const addProject = (id: string, orgId = 'org_a') =>
    database.pool.query(
      `insert into projects (id, org_id, name, name_fold, slug, updated_at, created_at)
       values ($1, $2, $1, $1, $1, $3, $3)`,
      [id, orgId, AT],
    )

  const addResource = (projectId: string, accountId: string, { orgId = 'org_a', at = AT, name = 'w' } = {}) =>
    database.pool.query(
      `insert into resources (id, org_id, project_id, tier, kind, name, account_id, state, updated_at, created_at)
       values ($1, $2, $3, 'production', 'worker', $1, $4, 'ok', $5, $5)`,
      [`res_${orgId}_${projectId}_${accountId}_${name}`, orgId, projectId, accountId, at],
    )

  const addMove = (projectId: string, change: Partial<Move> = {}) =>
    database.db
      .insertInto('moves')
      .values({
        project_id: projectId,
        org_id: 'org_a',
        from_account: 'local',
        live_data: 'copy',
        deployment_id: null,
        cursor: null,
        problem: null,
        updated_at: AT,
        created_at: AT,
        ...change,
      })
      .execute()

  const moveIn = (projectId: string, orgId = 'org_a') =>
    readMove(database.db, { id: projectId, org_id: orgId })

  const connect = (accountId: string, change: Partial<Parameters<typeof recordMoves>[1]> = {}) =>
    transact(database.db, (trx) =>
      recordMoves(trx, { orgId: 'org_a', accountId, before: 'local', liveData: 'copy', at: AT, ...change }),
    )

  const begin = (projectId: string, liveData?: 'copy' | 'leave', accountId = 'real') =>
    transact(database.db, (trx) =>
      beginMove(trx, {
        orgId: 'org_a',
        projectId,
        deploymentId: `dep_${projectId}`,
        accountId,
        liveData,
        at: LATER,
      }),
    )

  const deploymentOf = (projectId: string) => ({
    id: `dep_${projectId}`,
    org_id: 'org_a',
    project_id: projectId,
  })

  test('connecting a cloud account records a move for each project in a local emulator account, and for no other project', async () => {
    await addProject('p1')
    await addResource('p1', 'local')
    await addProject('empty')
    await addProject('arrived')
    await addResource('arrived', 'real')
    await addAccount('org_a', 'real2', 'real')
    await addProject('elsewhere')
    await addResource('elsewhere', 'real2')
    await addProject('foreign', 'org_b')
    await addResource('foreign', 'local', { orgId: 'org_b', name: 'f' })
    await addProject('busy', 'org_b')
    await addMove('busy', { org_id: 'org_b', state: 'moving' })
    await connect('real', { liveData: 'leave' })
    const move = await moveIn('p1')
    assert.deepEqual(
      [move?.from_account, move?.live_data, move?.state, move?.is_held, move?.deployment_id],
      ['local', 'leave', 'waiting', false, null],
    )
    for (const id of ['empty', 'arrived', 'elsewhere']) assert.equal(await moveIn(id), null, id)
    assert.equal(await moveIn('foreign', 'org_b'), null)
  })

  test('a project with resources in two local emulator accounts is moved from the account that it used last', async () => {
    await addAccount('org_a', 'local2', 'local')
    for (const [id, last, earlier] of [
      ['p1', 'local', 'local2'],
      ['p2', 'local2', 'local'],
    ] as const) {
      await addProject(id)
      await addResource(id, last, { at: LATER })
      await addResource(id, earlier, { at: AT })
    }
    await connect('real')
    assert.deepEqual(
      [(await moveIn('p1'))?.from_account, (await moveIn('p2'))?.from_account],
      ['local', 'local2'],
    )
  })

  test('connecting another cloud account is refused while a project is being moved or its old resources are being removed', async () => {
    for (const state of ['moving', 'removing'] as const) {
      await database.pool.query('delete from projects')
      await addProject('p1')
      await addMove('p1', { state })
      await addProject('p2')
      await addMove('p2')
      await assert.rejects(connect('real', { liveData: 'leave' }), isConflict, state)
      assert.equal((await moveIn('p2'))?.live_data, 'copy')
    }
  })

  test("renewing the cloud account's credentials changes neither a running move nor a project's choice to copy or leave its data", async () => {
    await addProject('p1')
    await addMove('p1', { state: 'moving' })
    await addProject('p2')
    await addMove('p2', { live_data: 'leave' })
    await connect('real', { before: 'real', liveData: 'copy' })
    assert.equal((await moveIn('p1'))?.state, 'moving')
    assert.equal((await moveIn('p2'))?.live_data, 'leave')
  })

  test('reconnecting the former cloud account cancels the moves away from that account, except the move of an app that is still read-only', async () => {
    await addProject('p1')
    await addMove('p1')
    await addProject('held')
    await addMove('held', { is_held: true })
    await addProject('other')
    await addMove('other', { from_account: 'local2' })
    await connect('local', { before: 'real' })
    assert.equal(await moveIn('p1'), null)
    assert.equal((await moveIn('held'))?.is_held, true)
    assert.equal((await moveIn('other'))?.from_account, 'local2')
  })

  test('when another cloud account is connected, its choice to copy or leave the data applies to project moves that have not started', async () => {
    await addProject('p1')
    await addMove('p1')
    await connect('real', { before: 'real2', liveData: 'leave' })
    assert.equal((await moveIn('p1'))?.live_data, 'leave')
  })

  test('recording the move of a project that already has one changes neither its progress nor its choice to copy the data', async () => {
    await addProject('p1')
    await addResource('p1', 'local')
    const add = (liveData: 'copy' | 'leave') =>
      transact(database.db, (trx) => addMoves(trx, { orgId: 'org_a', accountId: 'real', liveData, at: AT }))
    await add('copy')
    await changeMove(
      database.db,
      { org_id: 'org_a', project_id: 'p1' },
      { cursor: 'c', records: 4, state: 'moving' },
    )
    await add('leave')
    const move = await moveIn('p1')
    assert.deepEqual([move?.cursor, move?.records, move?.state, move?.live_data], ['c', 4, 'moving', 'copy'])
  })

  test("a deployment restarts its project's move to another account from the beginning, even if an earlier attempt copied data", async () => {
    await addProject('p1')
    await addMove('p1', { cursor: 'old', records: 7, files: 3, live_data: 'leave' })
    await begin('p1')
    const move = await moveIn('p1')
    assert.deepEqual(
      [move?.state, move?.deployment_id, move?.cursor, move?.records, move?.files, move?.live_data],
      ['moving', 'dep_p1', null, 0, 0, 'leave'],
    )
    assert.deepEqual(move?.updated_at, LATER)
  })

  test('a deployment starts no move when it stays within one cloud account or when the project is already being moved', async () => {
    await addProject('same')
    await addMove('same')
    await begin('same', undefined, 'local')
    assert.equal((await moveIn('same'))?.state, 'waiting')
    await addProject('busy')
    await addMove('busy', { state: 'moving', deployment_id: 'dep_first' })
    await begin('busy')
    assert.equal((await moveIn('busy'))?.deployment_id, 'dep_first')
    await addProject('settled')
    await begin('settled')
    assert.equal(await moveIn('settled'), null)
  })

  test('a deployment also moves a project whose local resources were created after the other cloud account was connected', async () => {
    await addProject('p1')
    await addResource('p1', 'local')
    await begin('p1', 'leave')
    const move = await moveIn('p1')
    assert.deepEqual([move?.state, move?.live_data, move?.from_account], ['moving', 'leave', 'local'])
  })

  test('deploying a project with its data left in the old account does not change that choice for other projects', async () => {
    for (const id of ['p1', 'p2']) {
      await addProject(id)
      await addResource(id, 'local')
    }
    await begin('p1', 'leave')
    const other = await moveIn('p2')
    assert.deepEqual([other?.state, other?.live_data], ['waiting', 'copy'])
    await begin('p2')
    assert.equal((await moveIn('p2'))?.live_data, 'copy')
  })

  test("only the deployment that started a project's move to another account continues it", async () => {
    await addProject('p1')
    await addMove('p1')
    await begin('p1')
    assert.equal((await moveOf(database.db, deploymentOf('p1')))?.project_id, 'p1')
    assert.equal(await moveOf(database.db, { ...deploymentOf('p1'), id: 'dep_other' }), null)
    assert.equal(await moveOf(database.db, { ...deploymentOf('p1'), org_id: 'org_b' }), null)
    await changeMove(database.db, { org_id: 'org_a', project_id: 'p1' }, { state: 'removing' })
    assert.equal(await moveOf(database.db, deploymentOf('p1')), null)
  })

  test('a failed deployment resets the project move that it started to waiting, and the app stays marked as read-only', async () => {
    await addProject('p1')
    await addMove('p1')
    await begin('p1')
    await changeMove(database.db, { org_id: 'org_a', project_id: 'p1' }, { is_held: true, cursor: 'c' })
    const release = (deployment = deploymentOf('p1')) =>
      transact(database.db, (trx) => releaseMove(trx, deployment, LATER))
    assert.equal(await release({ ...deploymentOf('p1'), id: 'dep_other' }), false)
    assert.equal(await release({ ...deploymentOf('p1'), org_id: 'org_b' }), false)
    assert.equal(await release(), true)
    const move = await moveIn('p1')
    assert.deepEqual(
      [move?.state, move?.deployment_id, move?.cursor, move?.is_held],
      ['waiting', null, null, true],
    )
    assert.equal(await release(), false)
  })

  test("a failed deployment does not end a project's move to another account whose old resources are already being removed", async () => {
    await addProject('p1')
    await addMove('p1', { state: 'removing', deployment_id: 'dep_p1' })
    assert.equal(await transact(database.db, (trx) => releaseMove(trx, deploymentOf('p1'), LATER)), false)
    assert.equal((await moveIn('p1'))?.state, 'removing')
  })

  test("locking the move of a read-only app makes other changes of the move wait, and a writable app's move is not locked", async () => {
    await addProject('p1')
    await addMove('p1', { is_held: true })
    const of = { org_id: 'org_a', project_id: 'p1' }
    await transact(database.db, async (trx) => {
      assert.equal((await lockHeldMove(trx, of))?.project_id, 'p1')
      const blocked = database.db.transaction().execute(async (other) => {
        await sql`set local lock_timeout = '20ms'`.execute(other)
        await changeMove(other, of, { is_held: false })
      })
      await assert.rejects(blocked, /lock timeout/)
    })
    await changeMove(database.db, of, { is_held: false })
    assert.equal(await transact(database.db, (trx) => lockHeldMove(trx, of)), null)
    await changeMove(database.db, of, { is_held: true, state: 'moving' })
    assert.equal(await transact(database.db, (trx) => lockHeldMove(trx, of)), null)
  })

  test("a project's move to another account can end only while its old resources are being removed, and only once", async () => {
    await addProject('p1')
    await addMove('p1', { state: 'moving' })
    const end = (orgId = 'org_a') =>
      transact(database.db, (trx) => endMove(trx, { org_id: orgId, project_id: 'p1' }))
    assert.equal(await end(), false)
    await changeMove(database.db, { org_id: 'org_a', project_id: 'p1' }, { state: 'removing' })
    assert.equal(await end('org_b'), false)
    assert.equal(await end(), true)
    assert.equal(await end(), false)
  })

  test("a project's move to another account is cancelled only if it has not started and its app is writable", async () => {
    const of = { org_id: 'org_a', project_id: 'p1' }
    await addProject('p1')
    await addMove('p1', { state: 'moving' })
    await cancelMove(database.db, of)
    await changeMove(database.db, of, { state: 'waiting', is_held: true })
    await cancelMove(database.db, of)
    await changeMove(database.db, of, { is_held: false })
    await cancelMove(database.db, { ...of, org_id: 'org_b' })
    assert.notEqual(await moveIn('p1'), null)
    await cancelMove(database.db, of)
    assert.equal(await moveIn('p1'), null)
  })

  test('changes to a project are refused only while its move to another account is running', async () => {
    const project = { id: 'p1', org_id: 'org_a' }
    await addProject('p1')
    await requireNotMoving(database.db, project)
    for (const state of ['waiting', 'removing'] as const) {
      await database.pool.query('delete from moves')
      await addMove('p1', { state })
      await requireNotMoving(database.db, project)
    }
    await changeMove(database.db, { org_id: 'org_a', project_id: 'p1' }, { state: 'moving' })
    await assert.rejects(requireNotMoving(database.db, project), isConflict)
  })

  test("only a project's move to another account that no deployment has started counts as waiting", async () => {
    for (const state of ['waiting', 'moving', 'removing'] as const) {
      await addProject(state)
      await addMove(state, { state })
    }
    await addProject('none')
    const { rows } = await sql<{ id: string }>`
      select id from projects p where ${hasWaitingMove(sql.ref('p.id'))}`.execute(database.db)
    assert.deepEqual(rows, [{ id: 'waiting' }])
  })

  test("a project's move is listed for a retry when its app is still read-only, or when removing old resources failed or stopped", async () => {
    const cases: [id: string, change: Partial<Move>, isListed: boolean][] = [
      ['held', { is_held: true }, true],
      ['waiting', {}, false],
      ['moving', { state: 'moving', is_held: true }, false],
      ['stale', { state: 'removing' }, true],
      ['fresh', { state: 'removing', updated_at: LATER }, false],
      ['problem', { state: 'removing', updated_at: LATER, problem: 'refused' }, true],
    ]
    for (const [id, change] of cases) {
      await addProject(id)
      await addMove(id, change)
    }
    const listed = (await listUnsettledMoves(database.db, LATER)).map((move) => move.project_id)
    assert.deepEqual(
      listed.toSorted(),
      cases
        .filter(([, , isListed]) => isListed)
        .map(([id]) => id)
        .toSorted(),
    )
  })

  test("a project's move behind a hundred others that fail every time is still listed for a retry", async () => {
    await database.pool.query(
      `insert into projects (id, org_id, name, name_fold, slug, updated_at, created_at)
       select 'prj_' || n, 'org_a', 'p' || n, 'p' || n, 'p' || n, $1, $1 from generate_series(1, 101) n`,
      [AT],
    )
    await database.pool.query(
      `insert into moves (project_id, org_id, from_account, live_data, is_held, updated_at, created_at)
       select 'prj_' || n, 'org_a', 'acc', 'copy', true, $1::timestamptz + n * interval '1 second', $1
       from generate_series(1, 101) n`,
      [AT],
    )
    const listed = new Set<string>()
    // Each round lists 100 of the 101 moves. The chance that ten rounds leave out the newest move is 10^-20.
    for (let round = 0; round < 10; round++)
      for (const move of await listUnsettledMoves(database.db, AT)) listed.add(move.project_id)
    assert.ok(listed.has('prj_101'))
  })
})
