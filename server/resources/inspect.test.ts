import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test, type TestContext } from 'node:test'
import type { Cloud } from '../cloudflare/client.ts'
import { conflict } from '../http/errors.ts'
import { ProviderError } from '../lib/provider-error.ts'
import type { PlatformPorts } from '../platform.ts'
import type { ResourceKind } from '../resource-names.ts'
import { silentLog, testDatabase, type TestDatabase } from '../testing/database.ts'
import { inspect, inspectAll } from './inspect.ts'
import type { Finding, ProjectContext, RegisteredResource } from './kinds/kind.ts'
import { RESOURCE_KINDS } from './kinds/table.ts'
import { listNewest } from './list.ts'
import type { ProjectRef } from './work.ts'

const AT = new Date('2026-06-01T12:00:00.000Z')
const ago = (ms: number) => new Date(AT.getTime() - ms)
const PROJECT: ProjectRef = { id: 'p1', org_id: 'o1', slug: 'shop', name: 'Shop' }
const CLOUD = { accountId: 'acc' } as Cloud

describe('the inspection of resources', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
    await database.pool.query(
      `insert into organization (id, name, slug, "createdAt") values ('o1', 'O', 'o1', now());
       insert into projects (id, org_id, name, name_fold, slug, updated_at, created_at)
       values ('p1', 'o1', 'Shop', 'shop', 'shop', now(), now())`,
    )
  })
  after(() => database.drop())
  beforeEach(() => database.pool.query('delete from resources'))

  const add = (
    kind: ResourceKind,
    row: { lookedAt?: Date | null; found?: Finding; state?: string; account?: string } = {},
  ) =>
    database.pool.query(
      `insert into resources (id, org_id, project_id, tier, kind, name, account_id, state, looked_at, found, updated_at, created_at)
       values ($1, 'o1', 'p1', 'shared', $1, 'shop', $2, $3, $4, $5, $6, $6)`,
      [kind, row.account ?? 'acc', row.state ?? 'ok', row.lookedAt ?? null, row.found ?? null, AT],
    )
  const stored = async () => {
    const { rows } = await database.pool.query('select id, found, looked_at from resources order by id')
    return rows
  }
  /** Makes the handlers of these kinds return these findings. Returns the kinds whose handler was called. */
  function mockKinds(
    t: TestContext,
    findings: Partial<Record<ResourceKind, () => Promise<Finding>>>,
  ): string[] {
    const asked: string[] = []
    for (const [kind, find] of Object.entries(findings))
      t.mock.method(RESOURCE_KINDS[kind as ResourceKind], 'find', () => {
        asked.push(kind)
        return find()
      })
    return asked
  }
  const platformWith = (openCloud: () => Promise<Cloud>): PlatformPorts<'accounts'> => ({
    db: database.db,
    log: silentLog,
    clock: { now: () => AT },
    accounts: { openCloud } as unknown as PlatformPorts<'accounts'>['accounts'],
  })
  const look = async (openCloud = async () => CLOUD) => {
    const rows = await inspect(
      platformWith(openCloud),
      PROJECT,
      await listNewest(database.db, PROJECT),
      'ada',
    )
    return Object.fromEntries(rows.map(({ id, found }) => [id, found]))
  }

  test('a cloud resource is inspected if it never was, or was more than a minute ago, and the result is stored', async (t) => {
    const asked = mockKinds(t, {
      bucket: async () => 'missing',
      queue: async () => 'drifted',
      widget: async () => 'ok',
    })
    await add('bucket')
    await add('queue', { lookedAt: ago(60_001), found: 'ok' })
    await add('widget', { lookedAt: ago(60_000), found: 'missing' })
    assert.deepEqual(await look(), { bucket: 'missing', queue: 'drifted', widget: 'missing' })
    assert.deepEqual(asked.toSorted(), ['bucket', 'queue'])
    assert.deepEqual(await stored(), [
      { id: 'bucket', found: 'missing', looked_at: AT },
      { id: 'queue', found: 'drifted', looked_at: AT },
      { id: 'widget', found: 'missing', looked_at: ago(60_000) },
    ])
    assert.deepEqual(await look(), { bucket: 'missing', queue: 'drifted', widget: 'missing' })
    assert.equal(asked.length, 2)
  })

  test('a cloud resource that is being created or whose last write failed is not inspected', async (t) => {
    const asked = mockKinds(t, { bucket: async () => 'ok', queue: async () => 'ok' })
    await add('bucket', { state: 'creating' })
    await add('queue', { state: 'error' })
    assert.deepEqual(await look(), { bucket: null, queue: null })
    assert.deepEqual(asked, [])
  })

  test('only one of several simultaneous reads inspects a cloud resource, and the other reads return the previous result', async (t) => {
    const asked = mockKinds(t, { bucket: async () => 'missing' })
    await add('bucket', { lookedAt: ago(61_000), found: 'ok' })
    const rows = await listNewest(database.db, PROJECT)
    const read = () =>
      inspect(
        platformWith(async () => CLOUD),
        PROJECT,
        rows,
        'ada',
      )
    const found = (await Promise.all([read(), read(), read()])).map(([row]) => row?.found)
    assert.deepEqual([found.toSorted(), asked], [['missing', 'ok', 'ok'], ['bucket']])
  })

  test('a cloud resource whose inspection fails at the provider keeps its last result, and the others get new results', async (t) => {
    mockKinds(t, {
      bucket: () => Promise.reject(new ProviderError('cloudflare', 'down')),
      queue: async () => 'missing',
    })
    await add('bucket', { lookedAt: ago(61_000), found: 'drifted' })
    await add('queue', { lookedAt: ago(61_000), found: 'ok' })
    assert.deepEqual(await look(), { bucket: 'drifted', queue: 'missing' })
  })

  test('a cloud resource that does not respond in time keeps its last inspection result, and the others get new results', async (t) => {
    const deadline = new AbortController()
    t.mock.method(AbortSignal, 'timeout', () => deadline.signal)
    mockKinds(t, {
      bucket: () =>
        new Promise((_resolve, reject) => {
          deadline.signal.addEventListener('abort', () => reject(deadline.signal.reason as Error))
          setImmediate(() => deadline.abort(new DOMException('late', 'TimeoutError')))
        }),
      queue: async () => 'missing',
    })
    await add('bucket', { lookedAt: ago(61_000), found: 'drifted' })
    await add('queue', { lookedAt: ago(61_000), found: 'ok' })
    assert.deepEqual(await look(), { bucket: 'drifted', queue: 'missing' })
    assert.deepEqual(
      (await stored()).map(({ found }) => found),
      ['drifted', 'missing'],
    )
  })

  test('resources outside the connected account, or without any, keep their last results and are not inspected for a minute', async (t) => {
    const asked = mockKinds(t, { bucket: async () => 'missing', queue: async () => 'missing' })
    await add('bucket', { lookedAt: ago(61_000), found: 'ok', account: 'other' })
    assert.deepEqual(await look(), { bucket: 'ok' })
    await add('queue', { found: 'ok' })
    assert.deepEqual(await look(() => Promise.reject(conflict('No cloud account is connected.'))), {
      bucket: 'ok',
      queue: 'ok',
    })
    assert.deepEqual(await look(), { bucket: 'ok', queue: 'ok' })
    assert.deepEqual(asked, [])
  })

  test('an internal error during the inspection of a cloud resource is thrown', async (t) => {
    mockKinds(t, { bucket: () => Promise.reject(new Error('no database')) })
    await add('bucket')
    await assert.rejects(look(), /no database/)
  })

  test("inspecting an account's resources returns a result or an error for each, and skips resources of other accounts", async (t) => {
    const down = new ProviderError('cloudflare', 'down')
    mockKinds(t, { bucket: async () => 'ok', queue: () => Promise.reject(down), widget: async () => 'ok' })
    const row = (kind: ResourceKind, account_id = 'acc') =>
      ({ id: kind, kind, account_id }) as RegisteredResource
    const rows = [row('bucket'), row('queue'), row('widget', 'other')]
    assert.deepEqual(
      [...(await inspectAll(CLOUD, rows, {} as ProjectContext))],
      [
        ['bucket', 'ok'],
        ['queue', down],
      ],
    )
  })
})
