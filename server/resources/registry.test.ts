import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { CloudflareError } from '../cloudflare/errors.ts'
import type { Core } from '../platform.ts'
import { silentLog, testDatabase, type TestDatabase } from '../testing/database.ts'
import {
  findResource,
  deleteResourceRow,
  deleteSharedResourceRows,
  deleteResourceRows,
  resourceKey,
  listByProject,
  listFormerNames,
  nameTaken,
  readResource,
  recordRefusal,
  reserveResource,
  type ResourceKey,
  settleResource,
  storeProviderId,
} from './registry.ts'

const AT = new Date('2026-06-01T12:00:00.000Z')
const LATER = new Date('2026-06-01T12:05:00.000Z')
const PROJECT = { id: 'p1', org_id: 'org_a', slug: 'plants' }
const KEY: ResourceKey = { orgId: 'org_a', projectId: 'p1', accountId: 'acc', kind: 'worker', name: 'plants' }

describe('the registry of resources in cloud accounts', () => {
  let database: TestDatabase
  let platform: Core
  let now = AT
  before(async () => {
    database = await testDatabase()
    platform = { db: database.db, log: silentLog, clock: { now: () => now } }
    await database.pool.query(
      `insert into organization (id, name, slug, "createdAt") values ('org_a', 'A', 'a', $1), ('org_b', 'B', 'b', $1)`,
      [AT],
    )
  })
  after(() => database.drop())
  beforeEach(async () => {
    now = AT
    await database.pool.query('delete from projects')
    await addProject('p1')
    await addProject('p2')
    await addProject('foreign', 'org_b')
  })

  const addProject = (id: string, orgId = 'org_a', deletingAt: Date | null = null) =>
    database.pool.query(
      `insert into projects (id, org_id, name, name_fold, slug, deleting_at, updated_at, created_at)
       values ($1, $2, $1, $1, $1, $4, $3, $3)`,
      [id, orgId, AT, deletingAt],
    )

  const reserve = (change: Partial<ResourceKey> = {}, exists: () => Promise<boolean> = async () => false) =>
    reserveResource(platform, { ...KEY, ...change }, { tier: 'production', capability: 'data', exists })

  const count = async () => (await database.pool.query('select from resources')).rowCount

  /** Makes a test fail when the reservation looks up the resource in the account. */
  const unasked = () => Promise.reject(new Error('The account was asked.'))
  const isTaken = { name: 'CloudflareError', fault: 'name_taken', status: 409 }

  test('reserving a cloud resource stores its row in the state `creating` before the resource exists', async () => {
    const row = await reserve()
    assert.deepEqual(
      [row.state, row.project_id, row.org_id, row.account_id, row.tier, row.capability, row.wasMissing],
      ['creating', 'p1', 'org_a', 'acc', 'production', 'data', true],
    )
    assert.deepEqual([row.provider_id, row.version_id, row.detail, row.created_at], [null, null, null, AT])
    assert.match(row.id, /^res_/)
  })

  test('reserving a cloud resource that has a row returns that row without a request to the account', async () => {
    const first = await reserve()
    now = LATER
    const second = await reserve({}, unasked)
    assert.deepEqual([second.id, second.created_at, second.wasMissing], [first.id, AT, false])
    assert.equal(await count(), 1)
  })

  test('a resource in the cloud account that belongs to another owner is never adopted, and gets no row', async () => {
    await assert.rejects(
      reserve({}, async () => true),
      isTaken,
    )
    assert.equal(await count(), 0)
  })

  test('reserving a resource name that another project has is refused, in the same organization and in another', async () => {
    await reserve()
    await assert.rejects(reserve({ projectId: 'p2' }, unasked), isTaken)
    await assert.rejects(reserve({ projectId: 'foreign', orgId: 'org_b' }), isTaken)
    assert.equal(await count(), 1)
    assert.equal((await findResource(database.db, KEY))?.project_id, 'p1')
  })

  test('a reserved resource name is still free in another cloud account and for another kind of resource', async () => {
    const rows = [await reserve(), await reserve({ accountId: 'acc2' }), await reserve({ kind: 'queue' })]
    assert.equal(new Set(rows.map(({ id }) => id)).size, 3)
  })

  test('two processes that reserve one resource at the same moment get one row, and only one process has to create the resource', async () => {
    const both = Promise.withResolvers<boolean>()
    let asked = 0
    /** Responds when both processes have found no row. */
    const exists = () => {
      if (++asked === 2) both.resolve(false)
      return both.promise
    }
    const rows = await Promise.all([reserve({}, exists), reserve({}, exists)])
    assert.equal(rows[0]?.id, rows[1]?.id)
    assert.equal(rows.filter(({ wasMissing }) => wasMissing).length, 1)
    assert.equal(await count(), 1)
  })

  test('when two projects reserve one resource name at the same moment, one gets it and the other is refused', async () => {
    const results = await Promise.allSettled([reserve(), reserve({ projectId: 'p2' })])
    const refused = results.flatMap((one) =>
      one.status === 'rejected' ? [one.reason as CloudflareError] : [],
    )
    assert.deepEqual(
      refused.map(({ fault }) => fault),
      ['name_taken'],
    )
    assert.equal(await count(), 1)
  })

  test('reserving a resource succeeds when another process of the project reserves it during the look-up in the account', async () => {
    const row = await reserve({}, async () => {
      await reserve()
      return true
    })
    assert.equal(row.wasMissing, false)
    assert.equal(await count(), 1)
  })

  test('reserving a resource is refused when another project reserves it during the look-up in the account', async () => {
    const late = reserve({}, async () => {
      await reserve({ projectId: 'p2' })
      return false
    })
    await assert.rejects(late, isTaken)
    assert.equal((await findResource(database.db, KEY))?.project_id, 'p2')
  })

  test('no resource is reserved for a project that is deleted, being deleted or of another organization', async () => {
    await addProject('dying', 'org_a', AT)
    await assert.rejects(reserve({ projectId: 'dying' }, unasked), { code: 'conflict' })
    await assert.rejects(reserve({ projectId: 'gone' }, unasked), { code: 'not_found' })
    await assert.rejects(reserve({ projectId: 'foreign' }, unasked), { code: 'not_found' })
    assert.equal(await count(), 0)
  })

  test('reserving a resource that has a row is refused while its project is being deleted, and the row stays', async () => {
    await reserve()
    await database.pool.query(`update projects set deleting_at = $1 where id = 'p1'`, [AT])
    await assert.rejects(reserve({}, unasked), { code: 'conflict' })
    assert.equal(await count(), 1)
  })

  test('when looking up a resource in the account fails, reserving it throws that error and leaves no row', async () => {
    await assert.rejects(reserve({}, unasked), /was asked/)
    assert.equal(await count(), 0)
  })

  test('the error for a taken resource name states the kind and the name of the resource in words', () => {
    const error = nameTaken({ ...KEY, kind: 'object_namespace', name: 'plants-live' })
    assert.ok(error.message.includes('object namespace named plants-live'))
    assert.equal(error.status, 409)
  })

  test('recording a successful write of a resource sets version and provider id, and clears the old error and last inspection', async () => {
    const { id } = await reserve()
    await database.pool.query(
      `update resources set found = 'missing', looked_at = $1, detail = 'old', state = 'error' where id = $2`,
      [AT, id],
    )
    now = LATER
    await settleResource(platform, KEY, { state: 'ok', versionId: 'v1', providerId: 'x1' })
    const row = await findResource(database.db, KEY)
    assert.deepEqual(
      [
        row?.state,
        row?.version_id,
        row?.provider_id,
        row?.detail,
        row?.found,
        row?.looked_at,
        row?.updated_at,
      ],
      ['ok', 'v1', 'x1', null, null, null, LATER],
    )
  })

  test('a failed write of a resource keeps its stored version id, because that version is still deployed; a write with null clears the id', async () => {
    await reserve()
    await settleResource(platform, KEY, { state: 'ok', versionId: 'v1', providerId: 'x1' })
    await settleResource(platform, KEY, { state: 'error', detail: 'refused' })
    const failed = await findResource(database.db, KEY)
    assert.deepEqual(
      [failed?.state, failed?.detail, failed?.version_id, failed?.provider_id],
      ['error', 'refused', 'v1', 'x1'],
    )
    await settleResource(platform, KEY, { state: 'ok', versionId: null, providerId: null })
    const empty = await findResource(database.db, KEY)
    assert.deepEqual([empty?.version_id, empty?.provider_id, empty?.detail], [null, null, null])
  })

  test('recording the result of a write changes no resource of another kind, name, account or organization', async () => {
    await reserve()
    const others = [{ kind: 'queue' as const }, { name: 'plants-live' }, { accountId: 'acc2' }]
    for (const change of others) await reserve(change)
    for (const change of [...others, { orgId: 'org_b' }])
      await settleResource(
        platform,
        { ...KEY, ...change, ...('orgId' in change ? {} : { orgId: 'org_b' }) },
        { state: 'ok' },
      )
    const { rows } = await database.pool.query<{ state: string }>('select state from resources')
    assert.deepEqual(
      rows.map(({ state }) => state),
      ['creating', 'creating', 'creating', 'creating'],
    )
    await settleResource(platform, KEY, { state: 'ok' })
    const { rows: settled } = await database.pool.query(
      `select name, kind, account_id from resources where state = 'ok'`,
    )
    assert.deepEqual(settled, [{ name: 'plants', kind: 'worker', account_id: 'acc' }])
  })

  test("the provider's id of a resource is stored only in the row of the resource, and only by the resource's own project", async () => {
    const row = await reserve()
    const other = await reserve({ kind: 'queue' })
    for (const project of [
      { id: 'p2', org_id: 'org_a' },
      { id: 'p1', org_id: 'org_b' },
    ])
      await storeProviderId(database.db, project, row, 'stolen')
    assert.equal((await findResource(database.db, KEY))?.provider_id, null)
    await storeProviderId(database.db, PROJECT, row, 'x1')
    assert.equal((await findResource(database.db, KEY))?.provider_id, 'x1')
    assert.equal((await readResource(database.db, PROJECT, other.id))?.provider_id, null)
  })

  test('a resource is read only through its own project and organization', async () => {
    const { id } = await reserve()
    assert.equal((await readResource(database.db, PROJECT, id))?.name, 'plants')
    assert.equal(await readResource(database.db, { ...PROJECT, id: 'p2' }, id), null)
    assert.equal(await readResource(database.db, { ...PROJECT, org_id: 'org_b' }, id), null)
    assert.equal(await findResource(database.db, { ...KEY, orgId: 'org_b' }), null)
  })

  test('the resources of several projects are returned grouped by project, the oldest first', async () => {
    await reserve({ name: 'z' })
    now = LATER
    await reserve({ name: 'a' })
    await reserve({ projectId: 'p2', name: 'b' })
    await reserve({ projectId: 'foreign', orgId: 'org_b', name: 'f' })
    const listed = await listByProject(database.db, [
      PROJECT,
      { id: 'p2', org_id: 'org_a' },
      { id: 'foreign', org_id: 'org_a' },
    ])
    const names = [...listed].map(([id, rows]) => [id, rows.map(({ name }) => name)])
    assert.deepEqual(names.toSorted(), [
      ['p1', ['z', 'a']],
      ['p2', ['b']],
    ])
    assert.equal((await listByProject(database.db, [])).size, 0)
  })

  test("a project's former names are the names of its live and admin Workers registered under another slug in this cloud account", async () => {
    const shared = (name: string, change: Partial<ResourceKey> = {}) =>
      reserveResource(
        platform,
        { ...KEY, ...change, name },
        { tier: 'shared', capability: null, exists: async () => false },
      )
    for (const name of ['old-live', 'old-admin', 'plants-live', 'plants-admin', 'old-assets'])
      await shared(name)
    await shared('old-live', { kind: 'object_namespace' })
    await shared('away-live', { accountId: 'acc2' })
    await shared('theirs-live', { projectId: 'p2' })
    await reserve({ name: 'app-live' })
    const names = await listFormerNames(database.db, PROJECT, 'acc')
    assert.deepEqual(names.toSorted(), ['old-admin', 'old-live'])
  })

  test("deleting the rows of a project's former name deletes only resources that both tiers share in this account", async () => {
    const about = { tier: 'shared', capability: null, exists: async () => false } as const
    await reserveResource(platform, { ...KEY, name: 'old-live' }, about)
    await reserveResource(platform, { ...KEY, name: 'old-live', kind: 'object_namespace' }, about)
    await reserveResource(platform, { ...KEY, name: 'old-live', accountId: 'acc2' }, about)
    await reserve({ name: 'old-live', kind: 'queue' })
    for (const project of [
      { id: 'p2', org_id: 'org_a' },
      { id: 'p1', org_id: 'org_b' },
    ])
      await deleteSharedResourceRows(database.db, project, { accountId: 'acc', name: 'old-live' })
    assert.equal(await count(), 4)
    await deleteSharedResourceRows(database.db, PROJECT, { accountId: 'acc', name: 'old-live' })
    const { rows } = await database.pool.query('select account_id, kind from resources order by account_id')
    assert.deepEqual(rows, [
      { account_id: 'acc', kind: 'queue' },
      { account_id: 'acc2', kind: 'worker' },
    ])
  })

  test('rows of resources are deleted only through their own project and organization, one or several at a time', async () => {
    const rows = [await reserve({ name: 'a' }), await reserve({ name: 'b' }), await reserve({ name: 'c' })]
    const ids = rows.map(({ id }) => id)
    const [first = '', ...rest] = ids
    for (const project of [
      { id: 'p2', org_id: 'org_a' },
      { id: 'p1', org_id: 'org_b' },
    ]) {
      await deleteResourceRow(database.db, project, first)
      await deleteResourceRows(database.db, project, ids)
    }
    assert.equal(await count(), 3)
    await deleteResourceRow(database.db, PROJECT, first)
    assert.equal(await count(), 2)
    await deleteResourceRows(database.db, PROJECT, rest)
    assert.equal(await count(), 0)
  })

  test('the reason why the provider refused to remove resources is stored with these resources only', async () => {
    const [a, b] = [await reserve({ name: 'a' }), await reserve({ name: 'b' })]
    now = LATER
    await recordRefusal(platform, { id: 'p1', org_id: 'org_b' }, [a.id, b.id], 'not yours')
    await recordRefusal(platform, PROJECT, [a.id], 'in use')
    const states = await Promise.all([a, b].map(({ id }) => readResource(database.db, PROJECT, id)))
    assert.deepEqual(
      states.map((row) => [row?.state, row?.detail]),
      [
        ['error', 'in use'],
        ['creating', null],
      ],
    )
    assert.deepEqual(states[0]?.updated_at, LATER)
  })

  test('the key derived from a stored resource row equals the key with which the resource was reserved', async () => {
    const { id } = await reserve()
    const row = await readResource(database.db, PROJECT, id)
    assert.ok(row)
    assert.deepEqual(resourceKey(PROJECT, row), KEY)
  })
})
