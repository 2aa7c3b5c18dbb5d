import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CollectionSpec, FieldSpec, Manifest } from '../../kernel/manifest.ts'
import { memoryStorage } from '../../kernel/objects/sqlite.test.fixture.ts'
import type { MutateResult, RawQuery, RecordRow } from '../frames.ts'
import { parseQuery } from '../query.ts'
import { PartitionStore, recordOf, toRecord } from './store.ts'

const AT = '2026-11-20T00:00:00.000Z'
const NOTES: CollectionSpec = {
  title: 'Notes',
  partition: 'app',
  read: 'public',
  write: 'public',
  fields: {
    text: { type: 'text', index: true },
    size: { type: 'number', index: true },
    done: { type: 'boolean', index: true },
  },
}

const manifestOf = (collections: Record<string, CollectionSpec>, name = 'App'): Manifest => ({
  name,
  migrations: [],
  collections,
})
const withFields = (fields: Record<string, FieldSpec>): CollectionSpec => ({ ...NOTES, fields })

function openStore(collections: Record<string, CollectionSpec> = { notes: NOTES }) {
  const storage = memoryStorage()
  const store = new PartitionStore(storage)
  store.prepare('h1', manifestOf(collections), AT)
  return { storage, store }
}

const rowOf = (
  id: string,
  fields: Record<string, unknown> = {},
  changes: Partial<RecordRow> = {},
): RecordRow => ({
  id,
  owner: null,
  rev: 1,
  created_at: AT,
  updated_at: AT,
  json: JSON.stringify(fields),
  ...changes,
})

/** Returns the stored result of a mutation that wrote a record of this person. */
const storedResult = (ownerId: string) =>
  JSON.stringify<MutateResult>({
    seq: 1,
    records: [{ id: 'a', ownerId, createdAt: AT, updatedAt: AT, rev: 1 }],
  })

function put(store: PartitionStore, row: RecordRow, collection = 'notes', at = AT) {
  store.write(collection, row)
  return store.append('put', collection, row, at)
}

interface Page {
  items: { id: string; [field: string]: unknown }[]
  nextCursor: string | null
  seq: number
}

const pageOf = (store: PartitionStore, query: RawQuery, spec = NOTES, owner: string | null = null) =>
  JSON.parse(store.page('h1', 'notes', spec, { query: parseQuery(spec, query), owner })) as Page

/** Reads all pages; fails when the pages do not end. */
function idsOnPages(store: PartitionStore, query: RawQuery, spec = NOTES): string[] {
  const ids: string[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < 50; pages++) {
    const page: Page = pageOf(store, { ...query, cursor }, spec)
    ids.push(...page.items.map(({ id }) => id))
    if (page.nextCursor === null) return ids
    cursor = page.nextCursor
  }
  throw new Error(`The pages do not end: ${ids.slice(0, 12).join()}`)
}

describe('the tables of a partition', () => {
  test('reopening a record store keeps its records, log, metadata and manifest', () => {
    const { storage, store } = openStore()
    put(store, rowOf('a', { text: 'x' }))
    store.setMeta('migrations', JSON.stringify(['m1']))
    store.acked = 1
    const again = new PartitionStore(storage)
    assert.equal(again.read('notes', 'a')?.json, '{"text":"x"}')
    assert.deepEqual([again.head(), again.acked, again.meta('migrations')], [1, 1, '["m1"]'])
    assert.equal(again.readManifest('h1')?.name, 'App')
  })

  test('a metadata value that was never stored is null, and storing a value again replaces it', () => {
    const { store } = openStore()
    assert.equal(store.meta('acked'), null)
    store.setMeta('acked', '')
    assert.equal(store.meta('acked'), '')
    store.setMeta('acked', '2')
    assert.equal(store.meta('acked'), '2')
  })

  test('a new release keeps the tables and records of collections that it no longer declares', () => {
    const { store } = openStore({ notes: NOTES, tasks: NOTES })
    put(store, rowOf('t'), 'tasks')
    store.prepare('h2', manifestOf({ notes: NOTES }), '2026-11-21T00:00:00.000Z')
    assert.deepEqual(store.collections(), ['notes', 'tasks'])
    assert.ok(store.holds('tasks', 't'))
    assert.equal(store.count(), 1)
  })

  test('the list of collections leaves out the internal tables of the store', () => {
    const { store } = openStore({ b: NOTES, a: NOTES, ab: NOTES })
    assert.deepEqual(store.collections(), ['a', 'ab', 'b'])
    assert.deepEqual(new PartitionStore(memoryStorage()).collections(), [])
  })

  test('the latest manifest is the manifest that was stored last, even when it belongs to an older release', () => {
    const { store } = openStore()
    store.prepare('h2', manifestOf({ notes: NOTES }, 'Second'), '2026-11-21T00:00:00.000Z')
    assert.equal(store.latestManifest()?.name, 'Second')
    store.prepare('h1', manifestOf({ notes: NOTES }, 'First again'), '2026-11-22T00:00:00.000Z')
    assert.equal(store.latestManifest()?.name, 'First again')
    assert.equal(store.manifests().length, 2)
    assert.equal(store.readManifest('unknown'), null)
  })

  test('the manifests of the ten latest releases are listed, and manifests of older releases can still be read', () => {
    const { store } = openStore()
    for (let n = 2; n <= 12; n++)
      store.prepare(
        `h${n}`,
        manifestOf({ notes: NOTES }, `App ${n}`),
        new Date(Date.parse(AT) + n).toISOString(),
      )
    const names = store.manifests().map(({ name }) => name)
    assert.equal(names.length, 10)
    assert.deepEqual([names[0], names.at(-1)], ['App 12', 'App 3'])
    assert.equal(store.readManifest('h1')?.name, 'App')
  })

  test('a new record store has no manifest, no records and an empty log', () => {
    const store = new PartitionStore(memoryStorage())
    assert.equal(store.latestManifest(), null)
    assert.deepEqual([store.count(), store.head(), store.acked], [0, 0, 0])
  })

  test('a transaction that throws stores nothing, and values that it changed in the cache are read again', () => {
    const { store } = openStore()
    put(store, rowOf('a'))
    store.acked = 1
    const fail = () =>
      store.transact(() => {
        put(store, rowOf('b'))
        store.acked = 2
        store.prepare('h2', manifestOf({ notes: NOTES }, 'Second'), '2026-11-21T00:00:00.000Z')
        assert.deepEqual([store.head(), store.acked, store.latestManifest()?.name], [2, 2, 'Second'])
        throw new Error('refused')
      })
    assert.throws(fail, /refused/)
    assert.deepEqual([store.head(), store.acked, store.latestManifest()?.name], [1, 1, 'App'])
    assert.equal(store.read('notes', 'b'), null)
    assert.equal(put(store, rowOf('c')).seq, 2)
  })

  test('a page of records that was read inside a failed transaction is not returned from the cache later', () => {
    const { store } = openStore()
    const read = () => pageOf(store, { sort: 'id' }).items.map(({ id }) => id)
    const fail = () =>
      store.transact(() => {
        put(store, rowOf('lost'))
        assert.deepEqual(read(), ['lost'])
        throw new Error('refused')
      })
    assert.throws(fail, /refused/)
    put(store, rowOf('kept'))
    assert.deepEqual(read(), ['kept'])
  })
})

describe('the records of a partition', () => {
  test('text of a record is stored as a value, so that quotes and SQL in it change nothing else', () => {
    const { store } = openStore()
    const hostile = `'); drop table "c_notes"; --`
    put(store, rowOf(hostile, { text: hostile }, { owner: hostile }))
    assert.equal(store.read('notes', hostile)?.owner, hostile)
    assert.equal(store.holderOf('notes', 'text', hostile, 'other'), hostile)
    assert.deepEqual(idsOnPages(store, { where: { text: hostile } }), [hostile])
    store.remove('notes', hostile)
    assert.equal(store.holds('notes', hostile), false)
    assert.deepEqual(store.collections(), ['notes'])
  })

  test('looking up which other record has a unique value compares the value exactly, including case and type', () => {
    const { store } = openStore()
    put(store, rowOf('a', { text: '1', size: 1, done: true }))
    put(store, rowOf('b', { text: 'A', size: 0, done: false }))
    assert.equal(store.holderOf('notes', 'text', '1', 'x'), 'a')
    assert.equal(store.holderOf('notes', 'text', '1', 'a'), null)
    assert.equal(store.holderOf('notes', 'text', 'a', 'x'), null)
    assert.equal(store.holderOf('notes', 'size', 0, 'x'), 'b')
    assert.equal(store.holderOf('notes', 'done', true, 'x'), 'a')
    assert.equal(store.holderOf('notes', 'done', false, 'a'), 'b')
  })

  test("a person's records are found and counted in every collection, without records of people with a similar id", () => {
    const { store } = openStore({ notes: NOTES, tasks: NOTES })
    put(store, rowOf('n', {}, { owner: 'u_1' }))
    put(store, rowOf('t', {}, { owner: 'u_1' }), 'tasks')
    put(store, rowOf('o', {}, { owner: 'u_11' }))
    const idsOf = (collection: string, owner: string) => store.ownedBy(collection, owner).map(({ id }) => id)
    assert.deepEqual([idsOf('notes', 'u_1'), idsOf('tasks', 'u_1')], [['n'], ['t']])
    assert.deepEqual(idsOf('notes', 'u_%'), [])
    assert.deepEqual([store.count('u_1'), store.count('u_%'), store.count()], [2, 0, 3])
  })

  test("removing a person's id from the log and from stored mutation results keeps the ids of other people", () => {
    const { store } = openStore()
    put(store, rowOf('a', { text: 'x' }, { owner: 'u_1' }))
    put(store, rowOf('b', {}, { owner: 'u_2' }))
    store.append('remove', 'notes', rowOf('c', {}, { owner: 'u_1' }), AT)
    store.keepMutation('m1', { hash: 'h', result: storedResult('u_1') }, AT)
    store.keepMutation('m2', { hash: 'h', result: storedResult('u_2') }, AT)
    store.forgetOwner('u_1')
    const log = store.since(0) ?? []
    assert.deepEqual(
      log.map(({ owner, row }) => [owner, row?.owner]),
      [
        [null, null],
        ['u_2', 'u_2'],
        [null, undefined],
      ],
    )
    assert.equal(log[0]?.row?.json, '{"text":"x"}')
    assert.equal(store.readMutation('m1'), null)
    assert.equal(store.readMutation('m2')?.hash, 'h')
  })

  test('a record has exactly the declared fields: missing fields are null, undeclared fields are left out', () => {
    const spec = withFields({ text: { type: 'text' }, added: { type: 'number' } })
    const row = rowOf('a', { text: 'x', dropped: 1 }, { owner: 'u_1', rev: 4 })
    const expected = { id: 'a', text: 'x', added: null, ownerId: 'u_1', rev: 4, createdAt: AT, updatedAt: AT }
    assert.deepEqual(toRecord(row, spec), expected)
    assert.deepEqual(recordOf(row, { text: 'x' }, spec), expected)
  })

  test('stored fields with the names of system fields cannot replace the system fields', () => {
    const forged = { ownerId: 'u_thief', rev: 99, createdAt: 'never', updatedAt: 'never', text: 'x' }
    const record = toRecord(rowOf('a', forged, { owner: 'u_1' }), NOTES)
    assert.deepEqual([record.ownerId, record.rev, record.createdAt, record.updatedAt], ['u_1', 1, AT, AT])
  })

  test('a stored value of another type than the release declares is converted when it is read, and is unchanged in the store', () => {
    const { store } = openStore()
    put(store, rowOf('a', { text: 12, size: '3.5 cm', done: 'yes' }))
    const [record] = pageOf(store, {}).items
    assert.deepEqual([record?.['text'], record?.['size'], record?.['done']], ['12', 3.5, true])
    assert.equal(store.read('notes', 'a')?.json, '{"text":12,"size":"3.5 cm","done":"yes"}')
  })
})

describe('pages of a list', () => {
  test('the pages of a sorted list contain every record once, even with equal and missing values', () => {
    const { store } = openStore()
    const sizes = [1, 2, 2, 2, null, 3, null, -1, 2]
    for (const [n, size] of sizes.entries()) put(store, rowOf(`r${n}`, { size, done: n % 2 === 0 }))
    for (const sort of ['size', '-size', 'done', '-done', 'id', '-createdAt'])
      for (const limit of [1, 2, 3]) {
        const ids = idsOnPages(store, { sort, limit })
        assert.deepEqual(
          ids.toSorted(),
          sizes.map((_, n) => `r${n}`),
          `${sort} by ${limit}`,
        )
      }
    assert.deepEqual(idsOnPages(store, { sort: 'size', limit: 2 }).slice(0, 4), ['r4', 'r6', 'r7', 'r0'])
  })

  test('paging ends and returns every record once even when stored values have another type than the release declares', () => {
    const { store } = openStore()
    const stored = ['10', '9', 7, 'none', '9', true]
    for (const [n, size] of stored.entries()) put(store, rowOf(`r${n}`, { size }))
    for (const sort of ['size', '-size']) {
      const ids = idsOnPages(store, { sort, limit: 2 })
      assert.deepEqual(
        ids.toSorted(),
        stored.map((_, n) => `r${n}`),
        sort,
      )
    }
  })

  test('a full page of records has a cursor only when another record follows', () => {
    const { store } = openStore()
    put(store, rowOf('a'))
    put(store, rowOf('b'))
    assert.equal(pageOf(store, { sort: 'id', limit: 2 }).nextCursor, null)
    put(store, rowOf('c'))
    const page = pageOf(store, { sort: 'id', limit: 2 })
    assert.deepEqual(
      page.items.map(({ id }) => id),
      ['a', 'b'],
    )
    assert.notEqual(page.nextCursor, null)
    assert.equal(page.seq, 3)
  })

  test("a page or count of one owner's records contains no record of other owners, even when the result comes from the cache", () => {
    const { store } = openStore()
    put(store, rowOf('mine', {}, { owner: 'u_1' }))
    put(store, rowOf('theirs', {}, { owner: 'u_2' }))
    const seen = (owner: string | null) =>
      pageOf(store, { sort: 'id' }, NOTES, owner).items.map(({ id }) => id)
    for (let round = 0; round < 2; round++) {
      assert.deepEqual(seen(null), ['mine', 'theirs'])
      assert.deepEqual(seen('u_1'), ['mine'])
      assert.deepEqual(seen('u_2'), ['theirs'])
      const counts = [null, 'u_1', 'u_3'].map((owner) => store.countOf('notes', [], owner))
      assert.deepEqual(counts, [2, 1, 0])
    }
  })

  test('the page cache of records has separate pages for two releases with different fields', () => {
    const { store } = openStore()
    put(store, rowOf('a', { text: 'x', size: 1 }))
    const read = (hash: string, spec: CollectionSpec) =>
      JSON.parse(store.page(hash, 'notes', spec, { query: parseQuery(spec, {}), owner: null })) as Page
    assert.equal(read('h1', NOTES).items[0]?.['size'], 1)
    assert.equal('size' in (read('h2', withFields({ text: { type: 'text' } })).items[0] ?? {}), false)
    assert.equal(read('h1', NOTES).items[0]?.['size'], 1)
  })

  test('a page and a count of records that are read after a write include the written record', () => {
    const { store } = openStore()
    const where = { done: true }
    const count = () => store.countOf('notes', parseQuery(NOTES, { where }).conditions, null)
    assert.deepEqual([pageOf(store, { where }).items.length, count()], [0, 0])
    put(store, rowOf('a', { done: true }))
    assert.deepEqual([pageOf(store, { where }).items.length, count()], [1, 1])
    store.remove('notes', 'a')
    store.append('remove', 'notes', rowOf('a'), AT)
    assert.deepEqual([pageOf(store, { where }).items.length, count()], [0, 0])
  })
})
