import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccessWord, Manifest } from '../kernel/manifest.ts'
import { memoryStorage } from '../kernel/sqlite.test.fixture.ts'
import type { WriteOp } from './frames.ts'
import { applyMutation, applyOps } from './mutate.ts'
import { canRead, collectionOf, requireWrite } from './rules.ts'
import { PartitionStore } from './store.ts'

const manifestWith = (read: AccessWord, write: AccessWord): Manifest => ({
  name: 'App',
  migrations: [],
  collections: {
    notes: { title: 'Notes', partition: 'app', read, write, fields: { text: { type: 'text' } } },
  },
})
const OPEN = manifestWith('public', 'public')

function makeStore(manifest = OPEN): PartitionStore {
  const store = new PartitionStore(memoryStorage())
  store.prepare('hash', manifest, '2026-11-20T00:00:00.000Z')
  return store
}

let count = 0
const create = (text: string): WriteOp => ({ op: 'create', collection: 'notes', fields: { text } })
/** A write after the directory has everything before it. */
const apply = (store: PartitionStore, ops: WriteOp[], now = new Date('2026-11-20T00:00:00Z')) => {
  store.acked = store.head()
  return applyMutation(
    store,
    { manifest: OPEN, actor: 'anonymous', now },
    { mutationId: `mutation-${++count}`, ops },
  )
}

test('anonymous callers may do exactly what the access rules allow, server code everything', () => {
  const words: AccessWord[] = ['nobody', 'public', 'members', 'owner', 'team', 'staff']
  for (const word of words) {
    const collection = collectionOf(manifestWith(word, word), 'notes')
    assert.equal(canRead('anonymous', collection), word === 'public', `read ${word}`)
    assert.ok(canRead('system', collection))
    for (const op of ['create', 'update', 'remove'] as const) {
      const write = () => requireWrite('anonymous', op, 'notes', collection)
      if (word === 'public' && op === 'create') write()
      else assert.throws(write, { code: /^(?:unauthorized|forbidden)$/ }, `${op} ${word}`)
      requireWrite('system', op, 'notes', collection)
    }
  }
})

test('a failing operation rolls back the whole mutation, log included', () => {
  const store = makeStore()
  const missing: WriteOp = { op: 'remove', collection: 'notes', id: 'nothing-here' }
  assert.throws(() => apply(store, [create('a'), missing]), { code: 'forbidden' })
  assert.throws(() =>
    applyOps(store, { manifest: OPEN, actor: 'system', now: new Date() }, [create('a'), missing]),
  )
  assert.equal(store.head(), 0)
  assert.deepEqual(store.since(0), [])
  apply(store, [create('b')])
  assert.equal(store.head(), 1)
})

test('a record may be as large as the operator allows, counted in bytes', () => {
  const store = new PartitionStore(memoryStorage(), { logDays: 7, recordKb: 128 })
  const wide = manifestWith('public', 'public')
  wide.collections['notes']!.fields['body'] = { type: 'json' }
  store.prepare('hash', wide, '2026-11-20T00:00:00.000Z')
  const write = (body: string) =>
    applyOps(store, { manifest: wide, actor: 'system', now: new Date() }, [
      { op: 'create', collection: 'notes', fields: { body } },
    ])
  const { length: around } = JSON.stringify({ text: null, body: '' })
  write('x'.repeat(131_072 - around))
  assert.throws(() => write('x'.repeat(131_073 - around)), { code: 'invalid_request' })
  assert.throws(() => write('ü'.repeat(65_536)), { code: 'invalid_request' })
  assert.equal(store.head(), 1)
})

test('operations are numbered without a gap and can be read from any number on', () => {
  const store = makeStore()
  for (const text of ['a', 'b', 'c']) apply(store, [create(text), create(text)])
  assert.deepEqual(
    store.since(4)?.map((entry) => entry.seq),
    [5, 6],
  )
  assert.deepEqual(store.since(6), [])
  assert.equal(store.since(7), null)
})

test('the log keeps its newest 10,000 rows, and an older cursor is reported as too old', () => {
  const store = makeStore()
  for (let i = 0; i < 105; i++)
    apply(
      store,
      Array.from({ length: 100 }, () => create('x')),
    )
  assert.equal(store.head(), 10_500)
  assert.ok(store.since(10) === null)
  assert.ok((store.since(10_400)?.length ?? 0) === 100)
  const [kept] = store.run('select count(*) as n from log')
  assert.ok(Number(kept?.['n']) <= 10_200, `${String(kept?.['n'])} rows are kept`)
})

test('log entries older than a week and mutation ids older than a day are deleted', () => {
  const store = makeStore()
  apply(
    store,
    Array.from({ length: 100 }, () => create('old')),
    new Date('2026-11-01T00:00:00Z'),
  )
  for (let i = 0; i < 2; i++)
    apply(
      store,
      Array.from({ length: 100 }, () => create('new')),
    )
  assert.ok(store.since(50) === null)
  assert.equal(store.since(200)?.length, 100)
  assert.equal(store.run('select count(*) as n from mutations')[0]?.['n'], 2)
  assert.equal(JSON.parse(store.page('hash', 'notes', OPEN.collections['notes']!, parsed())).items.length, 1)
})

test('numbers continue where they ended, even when the log is empty', () => {
  const storage = memoryStorage()
  const store = new PartitionStore(storage)
  store.prepare('hash', OPEN, '2026-11-20T00:00:00.000Z')
  apply(
    store,
    Array.from({ length: 100 }, () => create('x')),
  )
  assert.equal(new PartitionStore(storage).head(), 100)
  store.acked = 100
  store.trim(new Date('2027-11-20T00:00:00Z'), 100, 200)
  assert.equal(store.run('select count(*) as n from log')[0]?.['n'], 0)
  const again = new PartitionStore(storage)
  assert.equal(again.head(), 100)
  apply(again, [create('y')])
  assert.equal(again.head(), 101)
  assert.deepEqual(
    again.since(100)?.map(({ seq }) => seq),
    [101],
  )
})

const parsed = () => ({
  conditions: [],
  sort: { field: 'createdAt', isDescending: false },
  limit: 1,
  cursor: null,
})
