import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { CollectionSpec } from '../kernel/manifest.ts'
import type { RawQuery, StoredRecord } from './frames.ts'
import { compareRecords, matchesQuery } from './match.ts'
import { encodeCursor, parseQuery } from './query.ts'
import { listStatement } from './partition/statement.ts'

const ITEMS: CollectionSpec = {
  title: 'Items',
  partition: 'app',
  read: 'public',
  write: 'public',
  fields: {
    name: { type: 'text', index: true },
    size: { type: 'number', index: true },
    done: { type: 'boolean', index: true },
    free: { type: 'text' },
  },
}

const NAMES = ['ant', 'bee', 'Bee', 'ant hill', 'émeu', '', null]
const SIZES = [3, 1, 2, null, 10, 1, -5]
const RECORDS: StoredRecord[] = Array.from({ length: 49 }, (_, i) => {
  const at = new Date(Date.UTC(2026, 0, 1 + (i % 5))).toISOString()
  const fields = {
    name: NAMES[i % 7],
    size: SIZES[Math.floor(i / 7)],
    done: i % 3 === 0 ? null : i % 3 === 1,
  }
  return {
    id: `id-${String((i * 31) % 49).padStart(2, '0')}`,
    ...fields,
    ownerId: null,
    rev: 1,
    createdAt: at,
    updatedAt: at,
  }
})

function makeTable(): DatabaseSync {
  const db = new DatabaseSync(':memory:')
  db.exec(
    'create table "c_items" (id text primary key, owner text, rev integer, created_at text, updated_at text, json text)',
  )
  const insert = db.prepare('insert into "c_items" values (?, null, 1, ?, ?, ?)')
  for (const { id, createdAt, updatedAt, name, size, done } of RECORDS) {
    insert.run(id, createdAt, updatedAt, JSON.stringify({ name, size, done }))
  }
  return db
}

const QUERIES: RawQuery[] = [
  {},
  { sort: 'createdAt' },
  { sort: 'size' },
  { sort: '-size' },
  { sort: 'name' },
  { sort: '-name' },
  { where: { done: true } },
  { where: { done: { ne: true } }, sort: 'size' },
  { where: { size: null } },
  { where: { size: { gt: 1 } }, sort: '-name' },
  { where: { size: { gte: 1, lt: 10 } } },
  { where: { name: { in: ['ant', 'bee'] } } },
  { where: { name: { in: [] } } },
  { where: { done: { in: [true, null] } } },
  { where: { size: { in: [1, 2.5, null] }, done: { in: [false] } } },
  { where: { name: { prefix: 'ant' } } },
  { where: { name: 'Bee', size: { lte: 2 } } },
  { where: { id: 'id-07' } },
]

test('the browser and the server return the same rows of a query in the same order', () => {
  const db = makeTable()
  for (const raw of QUERIES) {
    const query = parseQuery(ITEMS, { ...raw, limit: 200 })
    const { sql, values } = listStatement('items', query)
    const fromObject = db
      .prepare(sql)
      .all(...(values as string[]))
      .map((row) => row['id'])
    const inBrowser = RECORDS.filter((record) => matchesQuery(record, query))
      .sort((a, b) => compareRecords(a, b, query.sort))
      .map((record) => record.id)
    assert.deepEqual(inBrowser, fromObject, JSON.stringify(raw))
  }
})

test('a query with three lists of 50 values stays below the 100 parameters of a statement', () => {
  const values = Array.from({ length: 50 }, (_, n) => `id-${n}`)
  const where = { id: { in: values }, createdAt: { in: values }, name: { in: values } }
  const statement = listStatement('items', parseQuery(ITEMS, { where }))
  assert.ok(statement.values.length <= 100, `${statement.values.length} parameters`)
})

test('the pages of a list return every record once, in any sort order', () => {
  const db = makeTable()
  for (const sort of ['size', '-size', 'name', '-name', 'createdAt', '-createdAt']) {
    const seen: unknown[] = []
    let cursor: string | null = null
    do {
      const query = parseQuery(ITEMS, { sort, limit: 4, cursor })
      const { sql, values } = listStatement('items', query)
      const ids = db
        .prepare(sql)
        .all(...(values as string[]))
        .map((row) => row['id'] as string)
      seen.push(...ids.slice(0, 4))
      const last = RECORDS.find((record) => record.id === ids[3])
      cursor =
        ids.length > 4 && last
          ? encodeCursor((last[query.sort.field] ?? null) as string | null, last.id)
          : null
    } while (cursor !== null)
    const query = parseQuery(ITEMS, { sort })
    assert.deepEqual(
      seen,
      [...RECORDS].sort((a, b) => compareRecords(a, b, query.sort)).map(({ id }) => id),
      sort,
    )
  }
})

test('the error for an invalid sort order quotes the field name, so that an empty name is visible', () => {
  for (const [sort, message] of [
    ['', 'sort: "" has no index'],
    ['-', 'sort: "" has no index'],
    ['-free', 'sort: "free" has no index'],
  ] as const)
    assert.throws(() => parseQuery(ITEMS, { sort }), { code: 'invalid_request', message })
})

test('a record query on a field without an index, or with an invalid operator or limit, is rejected with its name', () => {
  const refused: [RawQuery, string][] = [
    [{ where: { free: 'x' } }, 'where.free'],
    [{ where: { ghost: 1 } }, 'where.ghost'],
    [{ where: { name: { like: 'a%' } } }, 'where.name'],
    [{ where: { name: { eq: ['a'] } } }, 'where.name'],
    [{ where: { name: { in: 'a' } } }, 'where.name'],
    [{ where: { name: Number.NaN } }, 'where.name'],
    [{ where: { toString: 1 } }, 'where.toString'],
    [{ sort: 'free' }, 'sort'],
    [{ limit: 0 }, 'limit'],
    [{ limit: 201 }, 'limit'],
    [{ limit: Number.NaN }, 'limit'],
    [{ cursor: 'nonsense' }, 'cursor'],
    [{ cursor: btoa('{}') }, 'cursor'],
  ]
  for (const [query, field] of refused) {
    assert.throws(() => parseQuery(ITEMS, query), { code: 'invalid_request', field }, JSON.stringify(query))
  }
})
