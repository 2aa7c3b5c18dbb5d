import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Insertable } from 'kysely'
import type { DeploymentsTable } from '../db/tables/projects.ts'
import { transact } from '../db/database.ts'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import {
  boundAccountsAmong,
  changeDeployment,
  claimPreview,
  countLiveProjects,
  type Deployment,
  insertDeployment,
  isDeploying,
  latestDeployment,
  listReleases,
  previousDeployment,
  readDeployment,
  recordVersion,
} from './store.ts'

const AT = new Date('2026-06-01T12:00:00.000Z')
const PROJECT = { id: 'p1', org_id: 'org_a' }
/** The id of the same project, with the id of an organization that does not own it. */
const FOREIGN = { id: 'p1', org_id: 'org_b' }

describe('the rows of deployments', () => {
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
    await addProject('p1')
    await addProject('p2')
    await addProject('foreign', { orgId: 'org_b' })
  })

  const addProject = (id: string, { orgId = 'org_a', lifecycle = 'offline' } = {}) =>
    database.pool.query(
      `insert into projects (id, org_id, name, name_fold, slug, lifecycle, updated_at, created_at)
       values ($1, $2, $1, $1, $1, $4, $3, $3)`,
      [id, orgId, AT, lifecycle],
    )

  let count = 0
  /** Adds a deployment that is newer than those before it. */
  const add = async (change: Partial<Insertable<DeploymentsTable>> = {}): Promise<Deployment> => {
    count++
    const at = new Date(AT.getTime() + count * 1000)
    return await database.db
      .insertInto('deployments')
      .values({
        id: `dep_${String(count).padStart(4, '0')}`,
        org_id: 'org_a',
        project_id: 'p1',
        tier: 'production',
        sha: `sha${count}`,
        status: 'superseded',
        version_id: `v${count}`,
        content_hash: null,
        url: null,
        actor: 'Ada',
        error: null,
        live_at: at,
        wiring: null,
        created_at: at,
        ...change,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  }
  const begin = (projectId = 'p1') =>
    insertDeployment(database.db, {
      orgId: 'org_a',
      projectId,
      tier: 'production',
      sha: 'sha',
      actor: 'Ada',
      at: AT,
    })
  const claim = (sha: string) =>
    transact(database.db, (trx) => claimPreview(trx, PROJECT, { sha, actor: 'Ada', at: AT }))

  test('a production deployment is stored as running, and a second one is refused until the first one has ended', async () => {
    const id = await begin()
    const row = await readDeployment(database.db, 'org_a', id)
    assert.deepEqual(
      [row?.status, row?.tier, row?.version_id, row?.live_at, row?.created_at],
      ['deploying', 'production', null, null, AT],
    )
    await assert.rejects(begin(), /deployments_one_going/)
    await begin('p2')
    await claim('a')
    await changeDeployment(database.db, { org_id: 'org_a', id }, { status: 'failed', error: 'refused' })
    await begin()
  })

  test('a deployment can be read and changed only with the id of its own organization', async () => {
    const { id } = await add()
    assert.equal(await readDeployment(database.db, 'org_b', id), null)
    await changeDeployment(database.db, { org_id: 'org_b', id }, { status: 'failed' })
    assert.equal((await readDeployment(database.db, 'org_a', id))?.status, 'superseded')
    assert.equal(await isDeploying(database.db, FOREIGN), false)
    assert.deepEqual(await listReleases(database.db, FOREIGN), [])
    assert.equal(await latestDeployment(database.db, FOREIGN, 'production', ['superseded']), null)
  })

  test('recording the worker version of a running deployment changes no other field of the deployment', async () => {
    const before = await add({ status: 'deploying', version_id: null })
    await recordVersion(database.db, before, 'v9')
    assert.deepEqual(await readDeployment(database.db, 'org_a', before.id), { ...before, version_id: 'v9' })
  })

  test('a project counts against the limit of live projects while live or being deployed to production, not while only previewed', async () => {
    const live = (except?: string) =>
      countLiveProjects(database.db, { orgId: 'org_a', ...(except !== undefined && { except }) })
    assert.equal(await live(), 0)
    await claim('a')
    await add({ status: 'failed' })
    assert.equal(await live(), 0)
    await begin()
    assert.equal(await live(), 1)
    await database.pool.query(`update projects set lifecycle = 'live' where id in ('p1', 'foreign')`)
    assert.equal(await live(), 1, 'a live project that is being shipped counts once')
    await database.pool.query(`update projects set lifecycle = 'live' where id = 'p2'`)
    assert.deepEqual([await live(), await live('p1'), await live('none')], [2, 1, 2])
  })

  test('the latest deployment is the newest of the given environment and states, by time and then by id', async () => {
    const first = await add({ status: 'live' })
    const preview = await add({ status: 'live', tier: 'preview' })
    const same = await add({ status: 'failed', created_at: first.created_at })
    await add({ status: 'superseded', project_id: 'p2' })
    const latest = async (tier: 'production' | 'preview', ...statuses: Deployment['status'][]) =>
      (await latestDeployment(database.db, PROJECT, tier, statuses))?.id
    assert.equal(await latest('production', 'live'), first.id)
    assert.equal(await latest('production', 'live', 'failed'), same.id)
    assert.equal(await latest('preview', 'live', 'failed'), preview.id)
    assert.equal(await latest('production', 'rolled_back'), undefined)
  })

  test('a rollback goes to the newest earlier release that has another worker version and was not rolled back itself', async () => {
    const wanted = await add()
    await add({ status: 'rolled_back' })
    await add({ status: 'failed' })
    await add({ version_id: null })
    await add({ tier: 'preview' })
    await add({ project_id: 'p2' })
    await add({ version_id: 'same' })
    const live = await add({ status: 'live', version_id: 'same' })
    await add()
    assert.equal((await previousDeployment(database.db, live))?.id, wanted.id)
    assert.equal(await previousDeployment(database.db, wanted), null)
    assert.equal(await previousDeployment(database.db, { ...live, org_id: 'org_b' }), null)
  })

  test('a rollback skips earlier releases that have the content of the live one, and no releases whose content is unknown', async () => {
    const unknown = await add()
    const other = await add({ content_hash: 'other' })
    await add({ content_hash: 'same' })
    const live = await add({ status: 'live', content_hash: 'same' })
    assert.equal((await previousDeployment(database.db, live))?.id, other.id)
    await changeDeployment(database.db, other, { status: 'rolled_back' })
    assert.equal((await previousDeployment(database.db, live))?.id, unknown.id)
  })

  test("the list of a project's releases contains the production deployments that are or were live, the newest first", async () => {
    const shown = [await add(), await add({ status: 'rolled_back' }), await add({ status: 'live' })]
    await add({ status: 'failed' })
    await add({ status: 'deploying' })
    await add({ tier: 'preview' })
    await add({ project_id: 'p2' })
    const releases = await listReleases(database.db, PROJECT)
    assert.deepEqual(
      releases.map(({ id }) => id),
      shown.toReversed().map(({ id }) => id),
    )
  })

  test('a preview request for the version being deployed returns that deployment; a request for another version replaces it', async () => {
    const first = await claim('a')
    assert.equal(await claim('a'), first)
    const second = await claim('b')
    assert.equal(await readDeployment(database.db, 'org_a', first), null)
    const row = await readDeployment(database.db, 'org_a', second)
    assert.deepEqual([row?.tier, row?.status, row?.sha, row?.version_id], ['preview', 'deploying', 'b', null])
    assert.equal(await isDeploying(database.db, PROJECT), true)
    await changeDeployment(database.db, { org_id: 'org_a', id: second }, { status: 'live' })
    assert.equal(await isDeploying(database.db, PROJECT), false)
    await claim('c')
    assert.equal((await readDeployment(database.db, 'org_a', second))?.status, 'live')
  })

  test('a deployed worker version counts as bound to those capabilities of its deployment that are still enabled', () => {
    const bound = (wiring: string[] | null, ...enabled: string[]) => [
      ...boundAccountsAmong({ wiring: wiring && JSON.stringify(wiring) }, new Set(enabled)),
    ]
    assert.deepEqual(bound(['data', 'files'], 'files', 'ai'), ['files'])
    assert.deepEqual(bound(null, 'files'), [])
    assert.deepEqual(bound([], 'files'), [])
  })
})
