import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import type { CollectionSpec } from '../../kernel/manifest.ts'
import type { RawQuery, StoredRecord } from '../frames.ts'
import { compareRecords, matchesQuery } from '../match.ts'
import { encodeCursor, parseQuery, type ScalarValue } from '../query.ts'
import { listStatement } from './statement.ts'

const NOTES: CollectionSpec = {
  title: 'Notes',
  partition: 'app',
  read: 'public',
  write: 'public',
  fields: {
    name: { type: 'text', index: true },
    size: { type: 'number', index: true },
    done: { type: 'boolean', index: true },
  },
}

// Few values, so that equal values are common, with characters from all of Unicode.
const name = fc.oneof(
  fc.constantFrom('', 'a', 'ab', 'Ab', 'ß', 'ｚ', '\uFFFD', '😀', 'a😀', 'aｚ', 'z'),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
)
const size = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.integer({ min: -1e9, max: 1e9 }).map((cents) => cents / 100),
)
const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { freq: 6 })
const fields = fc.record({ name: orNull(name), size: orNull(size), done: orNull(fc.boolean()) })
const records = fc
  .uniqueArray(fc.tuple(fc.uuid(), fields, fc.integer({ min: 0, max: 5 })), {
    maxLength: 12,
    selector: ([id]) => id,
  })
  .map((all) =>
    all.map(([id, given, day]): StoredRecord => {
      const at = new Date(Date.UTC(2026, 0, 1 + day)).toISOString()
      return { id, ...given, ownerId: null, rev: 1, createdAt: at, updatedAt: at }
    }),
  )

const comparedValues = <T>(values: fc.Arbitrary<T>) =>
  fc.oneof(
    orNull(values),
    fc
      .tuple(fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte'), values)
      .map(([operator, value]) => ({ [operator]: value })),
    fc.array(values, { maxLength: 4 }).map((list) => ({ in: list })),
  )
const where = fc.record(
  {
    name: fc.oneof(
      comparedValues(name),
      name.map((prefix) => ({ prefix })),
    ),
    size: comparedValues(size),
    done: comparedValues(fc.boolean()),
  },
  { requiredKeys: [] },
)
const sort = fc.constantFrom('name', '-name', 'size', '-size', 'done', '-done', 'createdAt', '-createdAt')

function tableOf(rows: readonly StoredRecord[]): DatabaseSync {
  const db = new DatabaseSync(':memory:')
  db.exec(
    'create table "c_notes" (id text primary key, owner text, rev integer, created_at text, updated_at text, json text)',
  )
  const insert = db.prepare('insert into "c_notes" values (?, null, 1, ?, ?, ?)')
  for (const { id, createdAt, updatedAt, ownerId: _owner, rev: _rev, ...own } of rows)
    insert.run(id, createdAt, updatedAt, JSON.stringify(own))
  return db
}

function idsIn(db: DatabaseSync, raw: RawQuery): string[] {
  const { sql, values } = listStatement('notes', parseQuery(NOTES, raw))
  return db
    .prepare(sql)
    .all(...(values as string[]))
    .map((row) => row['id'] as string)
}

describe('lists in the browser and in the Durable Object', () => {
  test('a browser and the Durable Object return the same rows in the same order, for any records and query', () => {
    fc.assert(
      fc.property(records, where, sort, (rows, conditions, order) => {
        const raw = { where: conditions, sort: order, limit: 200 }
        const query = parseQuery(NOTES, raw)
        const db = tableOf(rows)
        const inBrowser = rows
          .filter((record) => matchesQuery(record, query))
          .toSorted((a, b) => compareRecords(a, b, query.sort))
          .map(({ id }) => id)
        assert.deepEqual(inBrowser, idsIn(db, raw))
        db.close()
      }),
      { numRuns: 400 },
    )
  })

  test('the pages of a list contain every record exactly once, for any page size', () => {
    fc.assert(
      fc.property(records, sort, fc.integer({ min: 1, max: 5 }), (rows, order, limit) => {
        const db = tableOf(rows)
        const { sort: parsed } = parseQuery(NOTES, { sort: order })
        const seen: string[] = []
        for (let cursor: string | null = null, more = true; more;) {
          const ids: string[] = idsIn(db, { sort: order, limit, cursor })
          seen.push(...ids.slice(0, limit))
          const last = rows.find(({ id }) => id === seen.at(-1))
          more = ids.length > limit && seen.length <= rows.length
          if (last !== undefined) cursor = encodeCursor((last[parsed.field] ?? null) as ScalarValue, last.id)
        }
        assert.deepEqual(
          seen,
          rows.toSorted((a, b) => compareRecords(a, b, parsed)).map(({ id }) => id),
        )
        db.close()
      }),
      { numRuns: 200 },
    )
  })

  test('comparing two records in either order gives opposite results, and different records never compare as equal', () => {
    fc.assert(
      fc.property(records, sort, (rows, order) => {
        const { sort: parsed } = parseQuery(NOTES, { sort: order })
        for (const a of rows)
          for (const b of rows) {
            const [there, back] = [compareRecords(a, b, parsed), compareRecords(b, a, parsed)]
            assert.ok(there + back === 0)
            assert.equal(there === 0, a.id === b.id)
          }
      }),
      { numRuns: 50 },
    )
  })

  test('decoding a list cursor returns the value and the id that were encoded, for any value and id', () => {
    const scalar = fc.oneof(fc.string(), size, fc.boolean(), fc.constant(null))
    fc.assert(
      fc.property(scalar, fc.string(), (value, id) => {
        const { cursor } = parseQuery(NOTES, { cursor: encodeCursor(value, id) })
        assert.deepEqual(cursor, JSON.parse(JSON.stringify({ value, id })))
      }),
    )
  })

  test('a text that is not a list cursor is rejected with an error that names the cursor', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), (text) => {
        try {
          parseQuery(NOTES, { cursor: text })
        } catch (error) {
          assert.equal((error as { field?: string }).field, 'cursor')
        }
      }),
    )
  })
})
