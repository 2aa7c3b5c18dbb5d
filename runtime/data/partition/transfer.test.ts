import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ApiError } from '../../kernel/errors.ts'
import { Hold } from '../../kernel/objects/hold.ts'
import { memoryStorage } from '../../kernel/objects/sqlite.test.fixture.ts'
import type { RecordRow } from '../frames.ts'
import { PartitionStore } from './store.ts'
import { headOf, readRowPage, type RowCursor, type StoredRow, takeHead, takeRows } from './transfer.ts'

const AT = '2026-11-20T10:00:00.000Z'

const rowOf = (id: string, fields: Record<string, unknown> = {}): RecordRow => ({
  id,
  owner: 'ada',
  rev: 7,
  created_at: AT,
  updated_at: AT,
  json: JSON.stringify(fields),
})

function storeWith(rows: Record<string, RecordRow[]>): PartitionStore {
  const store = new PartitionStore(memoryStorage())
  for (const [collection, own] of Object.entries(rows)) {
    store.ensureTable(collection)
    for (const row of own) store.write(collection, row)
  }
  return store
}

function pagesOf(store: PartitionStore): StoredRow[][] {
  const pages: StoredRow[][] = []
  for (let after: RowCursor | null = null; ;) {
    const { rows, next } = readRowPage(store, after)
    pages.push(rows)
    after = next
    if (after === null) return pages
  }
}

describe("moving a partition's rows to another account", () => {
  test('copying records page by page includes every row once, even rows of collections that are no longer declared', () => {
    const many = Array.from({ length: 450 }, (_, n) => rowOf(`id${String(n).padStart(6, '0')}`))
    const store = storeWith({ plants: many, abandoned: [rowOf('old00001')], empty: [] })
    const pages = pagesOf(store)
    assert.deepEqual(
      pages.map((rows) => rows.length),
      [200, 200, 51],
    )
    assert.deepEqual(
      pages.flat().map(({ collection, row }) => `${collection} ${row.id}`),
      ['abandoned old00001', ...many.map(({ id }) => `plants ${id}`)],
    )
  })

  test('a page of copied rows stays below the request size limit, measured in bytes', () => {
    // Each of these characters takes three bytes. If characters were counted instead of bytes, all rows would fit.
    const text = '漢'.repeat(40_000)
    const store = storeWith({ plants: ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => rowOf(id, { text })) })
    const pages = pagesOf(store)
    for (const page of pages) assert.ok(Buffer.byteLength(JSON.stringify(page)) < 1024 * 1024)
    assert.deepEqual(
      pages.flat().map(({ row }) => row.id),
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
    )
  })

  test('rows that arrive twice during a move to another cloud account are stored once, and queued for the app-wide index', () => {
    const from = storeWith({ plants: [rowOf('one00001', { name: 'Fern' }), rowOf('two00002')] })
    from.setMeta('migrations', JSON.stringify(['m1']))
    const to = new PartitionStore(memoryStorage())
    takeHead(to, headOf(from), null, AT)
    for (const rows of [...pagesOf(from), ...pagesOf(from)]) takeRows(to, rows, new Date(AT))
    assert.deepEqual(pagesOf(to), pagesOf(from))
    assert.equal(to.meta('migrations'), '["m1"]', 'or the next release would migrate them again')
    assert.deepEqual(new Set(to.unsent(10).map(({ id }) => id)), new Set(['one00001', 'two00002']))
  })
})

describe('a Durable Object that is being copied', () => {
  test("a Durable Object rejects changes from the start to the end of copying the app's data, even after a restart", () => {
    const storage = memoryStorage()
    const isRefused = (error: unknown) => error instanceof ApiError && error.code === 'unavailable'
    new Hold(storage).require()
    const hold = new Hold(storage)
    hold.set(true)
    assert.throws(() => hold.require(), isRefused)
    assert.throws(() => new Hold(storage).require(), isRefused)
    hold.set(false)
    hold.require()
    new Hold(storage).require()
  })
})
