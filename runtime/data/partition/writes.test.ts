import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '../../kernel/access/actor.ts'
import type { CollectionSpec, Manifest } from '../../kernel/manifest.ts'
import { memoryStorage } from '../../kernel/objects/sqlite.test.fixture.ts'
import { callsOf } from '../calls.ts'
import type { RawQuery, StoredRecord, WriteOp } from '../frames.ts'
import { applyOps } from './mutate.ts'
import { parseQuery } from '../query.ts'
import { countStatement, type Statement } from './statement.ts'
import { PartitionStore } from './store.ts'

const NOW = new Date('2026-11-20T00:00:00Z')
const PAGES: CollectionSpec = {
  title: 'Pages',
  partition: 'app',
  read: 'owner',
  write: 'owner',
  fields: {
    path: { type: 'text', required: true, unique: true },
    views: { type: 'integer', max: 100, default: 0 },
    weight: { type: 'number' },
    note: { type: 'json' },
    kind: { type: 'text', index: true },
  },
}
const MANIFEST: Manifest = { name: 'App', migrations: [], collections: { pages: PAGES } }
const ada: Actor = { userId: 'u_ada', role: 'member' }
const bob: Actor = { userId: 'u_bob', role: 'member' }

function openStore() {
  const store = new PartitionStore(memoryStorage())
  store.prepare('hash', MANIFEST, NOW.toISOString())
  const write = (actor: Actor, ops: WriteOp[]) =>
    applyOps(store, { manifest: MANIFEST, actor, partition: 'app', now: NOW }, ops).result.records
  const calls = callsOf({
    get: () => Promise.reject(new Error('not asked for')),
    search: () => Promise.reject(new Error('not asked for')),
    list: async (collection, query) =>
      JSON.parse(store.page('hash', collection, PAGES, { query: parseQuery(PAGES, query), owner: null })),
    count: async (collection, where) =>
      store.countOf(collection, parseQuery(PAGES, { where }).conditions, null),
    write: async (ops) => write('system', ops),
  })
  return { store, write, calls }
}

async function collectRows(rows: AsyncIterable<StoredRecord>): Promise<StoredRecord[]> {
  return await Array.fromAsync(rows)
}

test('an increment adds to the stored number, and counts an unset field as 0', async () => {
  const { calls } = openStore()
  const { id } = await calls.create('pages', { path: '/' })
  await calls.increment('pages', id, 'views')
  await calls.increment('pages', id, 'views', 5)
  await calls.increment('pages', id, 'views', -2)
  const page = await calls.increment('pages', id, 'weight', 0.5)
  assert.deepEqual([page['views'], page['weight'], page.rev], [4, 0.5, 5])
})

test("an increment beyond a field's limits is rejected, and a JSON field stores {increment: 1} as an ordinary object", async () => {
  const { calls } = openStore()
  const { id } = await calls.create('pages', { path: '/', views: 99 })
  await calls.increment('pages', id, 'views')
  const refused: [field: string, amount: unknown][] = [
    ['views', 1],
    ['views', 0.5],
    ['views', '1'],
    ['views', Number.NaN],
    ['views', null],
    ['kind', 1],
    ['nothing', 1],
  ]
  for (const [field, amount] of refused)
    await assert.rejects(async () => calls.increment('pages', id, field, amount as number), {
      code: 'invalid_request',
      field,
    })
  const { note } = await calls.update('pages', id, { note: { increment: 1 } })
  assert.deepEqual(note, { increment: 1 })
})

test('the first upsert creates a record, and the next upsert with the same unique value updates the record', async () => {
  const { store, calls } = openStore()
  const visit = () => calls.upsert('pages', 'path', { path: '/a', views: { increment: 1 } })
  const first = await visit()
  const second = await visit()
  assert.deepEqual([first.rev, second.rev, second.id, second['views']], [1, 2, first.id, 2])
  assert.equal(store.count(), 1)
  for (const [by, fields] of [
    ['kind', { path: '/a' }],
    ['constructor', { path: '/a' }],
    ['path', { views: 1 }],
    ['path', { path: null }],
    ['path', { path: { increment: 1 } }],
  ] as const)
    await assert.rejects(async () => calls.upsert('pages', by, fields), { code: 'invalid_request' })
})

test("an upsert with another person's unique value is rejected as taken, and reveals nothing of that person's record", () => {
  const { write } = openStore()
  const upsert: WriteOp = { op: 'upsert', collection: 'pages', by: 'path', fields: { path: '/a' } }
  write(ada, [upsert])
  assert.equal(write(ada, [upsert])[0]?.rev, 2)
  assert.throws(() => write(bob, [upsert]), { code: 'conflict', field: 'path' })
  assert.throws(() => write('anonymous', [upsert]), { code: 'unauthorized' })
})

test('creating many records in one call creates all records or none', async () => {
  const { store, calls } = openStore()
  const made = await calls.createMany('pages', [{ path: '/a' }, { path: '/b' }])
  assert.deepEqual(
    made.map((page) => page?.['path']),
    ['/a', '/b'],
  )
  await assert.rejects(async () => calls.createMany('pages', [{ path: '/c' }, { path: '/a' }]), {
    code: 'conflict',
  })
  const tooMany = Array.from({ length: 101 }, (_, i) => ({ path: `/${i}` }))
  await assert.rejects(async () => calls.createMany('pages', tooMany), { code: 'invalid_request' })
  assert.deepEqual(await calls.createMany('pages', []), [])
  for (const inputs of [undefined, null, 'x', { path: '/x' }] as unknown as { path: string }[][])
    await assert.rejects(async () => calls.createMany('pages', inputs), { field: 'inputs' })
  assert.equal(store.count(), 2)
})

test('reading all records reads page after page, and fails when there are too many', async () => {
  const { calls } = openStore()
  for (let from = 0; from < 450; from += 90)
    await calls.createMany(
      'pages',
      Array.from({ length: 90 }, (_, i) => ({ path: `/${from + i}`, kind: i % 2 === 0 ? 'even' : 'odd' })),
    )
  const paths = (await collectRows(calls.all('pages', { sort: 'path' }))).map((page) => page['path'])
  assert.equal(new Set(paths).size, 450)
  assert.deepEqual(paths, paths.toSorted())
  assert.equal((await collectRows(calls.all('pages', { where: { kind: 'even' } }))).length, 225)

  const row = { id: 'x', ownerId: null, rev: 1, createdAt: '', updatedAt: '' }
  const unused = () => Promise.reject(new Error('not asked for'))
  let asked = 0
  const endless = callsOf({
    get: unused,
    search: unused,
    count: unused,
    write: unused,
    list: (_: string, { limit = 0 }: RawQuery) => {
      asked += 1
      return Promise.resolve({ items: Array.from({ length: limit }, () => row), nextCursor: 'more', seq: 0 })
    },
  })
  await assert.rejects(collectRows(endless.all('pages')), { code: 'invalid_request', field: 'where' })
  assert.equal(asked, 50)
})

test('counting records accepts the same filters as listing them, and includes a record once it is written', async () => {
  const { calls } = openStore()
  await calls.createMany('pages', [
    { path: '/a', kind: 'x' },
    { path: '/b', kind: 'x' },
    { path: '/c', kind: 'y' },
  ])
  assert.deepEqual([await calls.count('pages'), await calls.count('pages', { kind: 'x' })], [3, 2])
  await calls.create('pages', { path: '/d', kind: 'x' })
  assert.deepEqual([await calls.count('pages'), await calls.count('pages', { kind: 'x' })], [4, 3])
  assert.equal(await calls.count('pages', { path: { prefix: '/' }, kind: { ne: 'y' } }), 3)
  await assert.rejects(async () => calls.count('pages', { views: 1 }), {
    code: 'invalid_request',
    field: 'where.views',
  })
})

test('counting records reads only an index, never the records themselves', () => {
  const { store } = openStore()
  const planOf = ({ sql, values }: Statement) =>
    store.run<{ detail: string }>(`explain query plan ${sql}`, ...values).map(({ detail }) => detail)
  const counted = (where: Record<string, unknown>, owner: string | null = null) =>
    planOf(countStatement('pages', parseQuery(PAGES, { where }).conditions, owner))
  for (const where of [
    { kind: 'x' },
    { kind: { in: ['x', 'y'] } },
    { kind: { prefix: 'x' } },
    { path: '/a' },
  ])
    for (const line of counted(where))
      assert.match(line, /^SEARCH .* USING (COVERING )?INDEX|SUBQUERY|json_each/, line)
  for (const line of counted({}, 'u_ada')) assert.match(line, /^SEARCH .* INDEX i_pages_owner/)
  for (const line of counted({})) assert.match(line, /USING COVERING INDEX/)
})
