import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { memoryStorage } from '../../kernel/objects/sqlite.test.fixture.ts'
import type { CollectionSpec } from '../../kernel/manifest.ts'
import type { RawQuery, WriteOp } from '../frames.ts'
import { applyOps } from './mutate.ts'
import { PageCache } from './page-cache.ts'
import { parseQuery } from '../query.ts'
import { PartitionStore } from './store.ts'

describe('the page cache', () => {
  test('a cached page of records is valid until the next write', () => {
    const memory = new PageCache()
    assert.equal(memory.find('a', 1), null)
    memory.keep('a', 'page')
    assert.equal(memory.find('a', 1), 'page')
    assert.equal(memory.find('b', 1), null)
    assert.equal(memory.find('a', 2), null)
    assert.equal(memory.find('a', 1), null)
  })

  test('the page cache of records limits the number of pages and their total size', () => {
    const memory = new PageCache()
    for (let n = 0; n < 200; n++) memory.keep(`question ${n}`, 'page')
    assert.equal(memory.find('question 0', 0), 'page')
    memory.keep('one more', 'page')
    assert.equal(memory.find('question 0', 0), null)
    memory.keep('half', 'x'.repeat(1_000_000))
    memory.keep('larger than all', 'x'.repeat(2_000_000))
    assert.equal(memory.find('larger than all', 0), null)
    assert.equal(memory.find('half', 0)?.length, 1_000_000)
    memory.keep('too much', 'x'.repeat(1_500_000))
    assert.equal(memory.find('half', 0), null)
  })
})

describe('a page of a partition', () => {
  const at = '2026-11-20T00:00:00.000Z'
  const collection = (fields: CollectionSpec['fields']): CollectionSpec => ({
    title: 'Notes',
    partition: 'app',
    read: 'public',
    write: 'public',
    fields,
  })
  const releases: Record<string, CollectionSpec> = {
    one: collection({ text: { type: 'text' } }),
    two: collection({ text: { type: 'text' }, size: { type: 'number' } }),
  }

  function makeStore() {
    let reads = 0
    const storage = memoryStorage()
    const { exec } = storage.sql
    storage.sql.exec = (query, ...values) => {
      if (query.includes(' order by ')) reads++
      return exec(query, ...values)
    }
    const store = new PartitionStore(storage)
    const manifest = (hash: string) => ({
      name: 'App',
      migrations: [],
      collections: { notes: releases[hash]! },
    })
    for (const hash of Object.keys(releases)) store.prepare(hash, manifest(hash), at)
    const write = (op: WriteOp) =>
      applyOps(store, { manifest: manifest('one'), actor: 'system', partition: 'app', now: new Date(at) }, [
        op,
      ])
    const list = (query: RawQuery = {}, hash = 'one') => {
      const before = reads
      const spec = releases[hash]!
      const page = JSON.parse(
        store.page(hash, 'notes', spec, { query: parseQuery(spec, query), owner: null }),
      )
      return { ...page, wasRead: reads > before }
    }
    return { store, manifest, write, list }
  }
  const NOTE: WriteOp = { op: 'create', collection: 'notes', id: 'note-one', fields: { text: 'a' } }

  test('a page of records stays cached until a write of any kind', () => {
    const { write, list } = makeStore()
    assert.deepEqual(list(), { items: [], nextCursor: null, seq: 0, wasRead: true })
    assert.equal(list().wasRead, false)
    write(NOTE)
    assert.partialDeepStrictEqual(list(), { items: [{ text: 'a' }], seq: 1, wasRead: true })
    assert.partialDeepStrictEqual(list(), { items: [{ text: 'a' }], seq: 1, wasRead: false })
    write({ op: 'update', collection: 'notes', id: 'note-one', fields: { text: 'b' } })
    assert.partialDeepStrictEqual(list(), { items: [{ text: 'b' }], wasRead: true })
    write({ op: 'remove', collection: 'notes', id: 'note-one' })
    assert.deepEqual(list(), { items: [], nextCursor: null, seq: 3, wasRead: true })
  })

  test('a write that is rolled back does not change a cached page', () => {
    const { write, list } = makeStore()
    write(NOTE)
    const { items } = list()
    assert.throws(() => write(NOTE), { code: 'conflict' })
    assert.deepEqual(list().items, items)
    write({ ...NOTE, id: 'note-two' })
    assert.equal(list().items.length, 2)
  })

  test('the cache has a separate page for each query and each release', () => {
    const { store, manifest, write, list } = makeStore()
    write(NOTE)
    for (const query of [{}, { limit: 1 }, { sort: 'createdAt' }, { where: { id: 'note-one' } }])
      assert.equal(list(query).wasRead, true, JSON.stringify(query))
    assert.deepEqual(list({ where: { id: 'another' } }).items, [])
    assert.deepEqual(Object.keys(list({}, 'two').items[0] ?? {}).slice(0, 3), ['id', 'text', 'size'])
    assert.deepEqual(Object.keys(list().items[0] ?? {}).slice(0, 3), ['id', 'text', 'ownerId'])
    store.prepare('one', manifest('one'), at)
    assert.equal(list().wasRead, true)
  })
})
