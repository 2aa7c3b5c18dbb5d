import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CollectionSpec } from '../../kernel/manifest.ts'
import { memoryStorage } from '../../kernel/objects/sqlite.test.fixture.ts'
import type { MutateResult, RecordRow } from '../frames.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import { PartitionStore, toLogOp } from './store.ts'

const AT = '2026-11-20T00:00:00.000Z'
const RESULT = JSON.stringify<MutateResult>({ seq: 1, records: [] })
const NOTES: CollectionSpec = {
  title: 'Notes',
  partition: 'app',
  read: 'public',
  write: 'public',
  fields: { text: { type: 'text' } },
}

function openStore(): PartitionStore {
  const store = new PartitionStore(memoryStorage())
  store.prepare('h1', { name: 'App', migrations: [], collections: { notes: NOTES } }, AT)
  return store
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

function put(store: PartitionStore, row: RecordRow, at = AT) {
  store.write('notes', row)
  return store.append('put', 'notes', row, at)
}

describe('the log of a partition', () => {
  test('reading the log from a position returns the later operations in order, with the full row of each stored record', () => {
    const store = openStore()
    put(store, rowOf('a', { text: 'x' }, { owner: 'u_1' }))
    store.append('remove', 'notes', rowOf('a', {}, { owner: 'u_1', rev: 2 }), AT)
    const log = store.since(0) ?? []
    assert.deepEqual(
      log.map(({ seq, id, owner }) => [seq, id, owner]),
      [
        [1, 'a', 'u_1'],
        [2, 'a', 'u_1'],
      ],
    )
    assert.deepEqual(log[0]?.row, rowOf('a', { text: 'x' }, { owner: 'u_1' }))
    assert.equal(log[1]?.row, null)
    assert.deepEqual(store.since(1)?.length, 1)
    assert.deepEqual(store.since(2), [])
  })

  test('reading the log from a position beyond its end or below 0 returns null', () => {
    const store = openStore()
    put(store, rowOf('a'))
    assert.equal(store.since(2), null)
    assert.equal(store.since(-1), null)
  })

  test('a log entry is converted to the fields of the release that reads it, and a removal has no record', () => {
    const row = rowOf('a', { text: 'x', secret: 1 })
    const change = { seq: 3, collection: 'notes', id: 'a', owner: null, row }
    const op = toLogOp(change, NOTES)
    assert.equal(op.op, 'put')
    assert.ok(!JSON.stringify(op).includes('secret'))
    assert.deepEqual(toLogOp({ ...change, row: null }, NOTES), {
      seq: 3,
      op: 'remove',
      collection: 'notes',
      id: 'a',
    })
  })

  test('the operations that the app-wide index has not confirmed are returned in order, up to the requested number', () => {
    const store = openStore()
    for (const [n, id] of ['a', 'b', 'c'].entries()) put(store, rowOf(id), `2026-11-20T00:00:0${n}.000Z`)
    store.acked = 1
    assert.deepEqual(
      store.unsent(1).map(({ seq, at }) => [seq, at]),
      [[2, '2026-11-20T00:00:01.000Z']],
    )
    assert.deepEqual(
      store.unsent(10).map(({ id }) => id),
      ['b', 'c'],
    )
    store.acked = 3
    assert.deepEqual(store.unsent(10), [])
  })

  test('a page that missed more than ten million characters of changes must read its lists again, so that one socket cannot exhaust the memory', () => {
    const store = openStore()
    for (let n = 0; n < 120; n++) put(store, rowOf(`r${n}`, { text: 'x'.repeat(100_000) }))
    assert.equal(store.since(0), null)
    assert.equal(store.since(30)?.length, 90)
  })

  test('the log is trimmed only at every two hundredth operation', () => {
    const store = openStore()
    const old = '2026-01-01T00:00:00.000Z'
    for (let n = 0; n < 3; n++) put(store, rowOf(`r${n}`), old)
    store.acked = 3
    store.trim(new Date(AT), 199, 3)
    assert.equal(store.since(0)?.length, 3)
    store.trim(new Date(AT), 200, 1)
    assert.equal(store.since(0), null)
  })

  test('trimming the log keeps recent operations, and operations that the app-wide index has not confirmed', () => {
    const store = openStore()
    const days = (n: number) => new Date(Date.parse(AT) - n * 86_400_000).toISOString()
    const ages = [9, 8, DEFAULT_LIMITS.logDays - 1, 0]
    for (const [n, age] of ages.entries()) put(store, rowOf(`r${n}`), days(age))
    store.acked = 1
    store.trim(new Date(AT), 200, 200)
    assert.deepEqual(
      store.unsent(10).map(({ id }) => id),
      ['r1', 'r2', 'r3'],
    )
    assert.equal(store.since(0), null)
    assert.equal(store.since(1)?.length, 3)
    store.acked = 4
    store.trim(new Date(AT), 200, 200)
    assert.deepEqual(
      store.since(2)?.map(({ id }) => id),
      ['r2', 'r3'],
    )
  })

  test('a mutation id is kept for a day and cannot be stored twice', () => {
    const store = openStore()
    const hours = (n: number) => new Date(Date.parse(AT) - n * 3_600_000).toISOString()
    store.keepMutation('old', { hash: 'h', result: RESULT }, hours(25))
    store.keepMutation('new', { hash: 'h', result: RESULT }, hours(23))
    assert.throws(() => store.keepMutation('new', { hash: 'other', result: RESULT }, AT))
    store.trim(new Date(AT), 200, 200)
    assert.equal(store.readMutation('old'), null)
    assert.deepEqual({ ...store.readMutation('new') }, { hash: 'h', result: RESULT })
  })
})
