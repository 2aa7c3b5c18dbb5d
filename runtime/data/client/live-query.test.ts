import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { ApiError } from '../../kernel/errors.ts'
import { manifest } from '../../manifest.gen.ts'
import type { LogOp, RawPage, RawQuery, StoredRecord } from '../frames.ts'
import { LiveQuery, type PendingMutation, type QueryHost } from './live-query.ts'

manifest.collections['tasks'] = {
  title: 'Tasks',
  partition: 'app',
  read: 'public',
  write: 'public',
  fields: {
    title: { type: 'text' },
    rank: { type: 'number', index: true },
    done: { type: 'boolean', default: false },
  },
}

const taskOf = (id: string, rank: number, rev = 1): StoredRecord => ({
  id,
  title: id,
  rank,
  done: false,
  ownerId: null,
  rev,
  createdAt: '2026-11-20T00:00:00.000Z',
  updatedAt: '2026-11-20T00:00:00.000Z',
})
const putOp = (seq: number, record: StoredRecord): LogOp => ({
  seq,
  op: 'put',
  collection: 'tasks',
  id: record.id,
  record,
})
const removeOp = (seq: number, id: string): LogOp => ({ seq, op: 'remove', collection: 'tasks', id })

let listCalls: { query: RawQuery; answer: PromiseWithResolvers<RawPage> }[] = []
let pending: PendingMutation[] = []
const host: QueryHost = {
  list(_collection, query) {
    const answer = Promise.withResolvers<RawPage>()
    listCalls.push({ query, answer })
    return answer.promise
  },
  pending: () => pending,
  isStale: () => false,
  loaded: () => {},
}

async function loadQuery(page: RawPage, raw: RawQuery = { sort: 'rank' }): Promise<LiveQuery> {
  const query = new LiveQuery(host, 'tasks', raw)
  await answerList(page)
  return query
}

async function answerList(page: RawPage): Promise<void> {
  listCalls.at(-1)?.answer.resolve(page)
  await new Promise((resolve) => setImmediate(resolve))
}

async function failList(message: string): Promise<void> {
  listCalls.at(-1)?.answer.reject(new ApiError('unavailable', message))
  await new Promise((resolve) => setImmediate(resolve))
}

const rowIds = (query: LiveQuery) => query.snapshot().rows.map((row) => row.id)

// In a suite, because all files share one process and a top-level hook would run for every test.
describe('a live query', () => {
  beforeEach(() => {
    listCalls = []
    pending = []
  })

  test('a live query applies only operations that its loaded result does not contain yet', async () => {
    const query = await loadQuery({ items: [taskOf('a', 1), taskOf('b', 2)], nextCursor: null, seq: 5 })
    query.apply([removeOp(5, 'a'), putOp(6, taskOf('c', 0)), removeOp(7, 'b')])
    assert.deepEqual(rowIds(query), ['c', 'a'])
  })

  test('operations that arrive before the first result of a live query are applied to that result', async () => {
    const query = new LiveQuery(host, 'tasks', { sort: 'rank' })
    query.apply([removeOp(4, 'a'), putOp(6, taskOf('b', 2))])
    assert.equal(query.snapshot().status, 'loading')
    await answerList({ items: [taskOf('a', 1)], nextCursor: null, seq: 5 })
    assert.deepEqual(rowIds(query), ['a', 'b'])
  })

  test('an operation that arrives while a live query is read again is kept when the result is older', async () => {
    const query = await loadQuery({ items: [taskOf('a', 1), taskOf('b', 2)], nextCursor: null, seq: 5 })
    query.load()
    query.apply([putOp(6, taskOf('c', 0)), removeOp(7, 'b')])
    assert.deepEqual(rowIds(query), ['c', 'a'])
    await answerList({ items: [taskOf('a', 1), taskOf('b', 2)], nextCursor: null, seq: 5 })
    assert.deepEqual(rowIds(query), ['c', 'a'])
  })

  test('an older state of a record never replaces a newer state in a live query', async () => {
    const query = await loadQuery({ items: [], nextCursor: null, seq: 0 })
    query.apply([putOp(9, taskOf('a', 9, 3))])
    query.apply([putOp(8, taskOf('a', 1, 2))])
    assert.equal(query.snapshot().rows[0]?.['rank'], 9)
  })

  test('a record that no longer matches a live query leaves its list', async () => {
    const query = await loadQuery(
      { items: [taskOf('a', 1)], nextCursor: null, seq: 0 },
      { where: { rank: { lt: 5 } } },
    )
    query.apply([putOp(1, taskOf('a', 6, 2))])
    assert.deepEqual(rowIds(query), [])
  })

  test('a live query shows a pending change at once, and reverts it when it is rejected', async () => {
    const query = await loadQuery({ items: [taskOf('a', 1)], nextCursor: null, seq: 0 })
    const base = { at: '2026-11-20T00:00:00.000Z', resolve: () => {}, reject: () => {} }
    pending = [
      {
        ...base,
        mutationId: 'm1',
        ops: [{ op: 'create', collection: 'tasks', id: 'n', fields: { title: 'n', rank: 3 } }],
      },
      {
        ...base,
        mutationId: 'm2',
        ops: [{ op: 'update', collection: 'tasks', id: 'a', fields: { rank: 4 } }],
      },
    ]
    query.refresh()
    assert.deepEqual(rowIds(query), ['n', 'a'])
    assert.equal(query.snapshot().rows[0]?.rev, 0)
    pending = []
    query.refresh()
    assert.deepEqual(rowIds(query), ['a'])
    assert.equal(query.snapshot().rows[0]?.['rank'], 1)
  })

  test('the next page of a live query is appended when it is loaded, and rows behind the last loaded page are not shown', async () => {
    const query = await loadQuery(
      { items: [taskOf('a', 1), taskOf('b', 2)], nextCursor: 'next', seq: 1 },
      { sort: 'rank', limit: 2 },
    )
    query.apply([putOp(2, taskOf('z', 99)), putOp(3, taskOf('c', 1.5))])
    assert.deepEqual(rowIds(query), ['a', 'c', 'b'])
    query.snapshot().more?.()
    assert.equal(listCalls.at(-1)?.query.cursor, 'next')
    await answerList({ items: [taskOf('z', 99)], nextCursor: null, seq: 3 })
    assert.deepEqual(rowIds(query), ['a', 'c', 'b', 'z'])
    assert.equal(query.snapshot().more, null)
  })

  test('when a row leaves a live query that has more pages, the list is reloaded', async () => {
    const query = await loadQuery(
      { items: [taskOf('a', 1), taskOf('b', 2)], nextCursor: 'next', seq: 1 },
      { sort: 'rank', limit: 2 },
    )
    query.apply([removeOp(2, 'a')])
    assert.equal(listCalls.length, 2)
    await answerList({ items: [taskOf('b', 2), taskOf('c', 3)], nextCursor: null, seq: 2 })
    assert.deepEqual(rowIds(query), ['b', 'c'])
  })

  test('a live query with a condition that its collection cannot run fails without a request', () => {
    const query = new LiveQuery(host, 'tasks', { where: { title: 'x' } })
    assert.equal(query.snapshot().error?.code, 'invalid_request')
    assert.equal(listCalls.length, 0)
  })

  test('a page of a live query that could not be loaded can be requested again, and the error then disappears', async () => {
    const query = await loadQuery(
      { items: [taskOf('a', 1)], nextCursor: 'next', seq: 1 },
      { sort: 'rank', limit: 1 },
    )
    query.snapshot().more?.()
    await failList('The app is busy.')
    assert.deepEqual([rowIds(query), query.snapshot().error?.message], [['a'], 'The app is busy.'])
    query.snapshot().more?.()
    await answerList({ items: [taskOf('b', 2)], nextCursor: null, seq: 1 })
    const { status, error } = query.snapshot()
    assert.deepEqual([rowIds(query), status, error], [['a', 'b'], 'live', null])
  })

  test('a failed reload of a live query is retried after a reconnect, even if another page was loaded in the meantime', async () => {
    const query = await loadQuery(
      { items: [taskOf('a', 1)], nextCursor: 'next', seq: 1 },
      { sort: 'rank', limit: 1 },
    )
    query.load()
    await failList('The app is busy.')
    query.snapshot().more?.()
    await answerList({ items: [taskOf('b', 2)], nextCursor: null, seq: 1 })
    assert.equal(query.hasFailed, true)
  })

  test('a failure to load another page of a live query is not shown if the query was reloaded in the meantime', async () => {
    const query = await loadQuery(
      { items: [taskOf('a', 1)], nextCursor: 'next', seq: 1 },
      { sort: 'rank', limit: 1 },
    )
    query.snapshot().more?.()
    const page = listCalls.at(-1)
    query.load()
    await answerList({ items: [taskOf('a', 1)], nextCursor: 'next', seq: 2 })
    page?.answer.reject(new ApiError('server_error', 'Too late.'))
    await new Promise((resolve) => setImmediate(resolve))
    const { status, error } = query.snapshot()
    assert.deepEqual([status, error], ['live', null])
  })

  /** Loads a live query with two pages of 150 rows each, and then forgets the requests. */
  async function loadTwoPages() {
    const rows = Array.from({ length: 300 }, (_, i) => taskOf(`t${i}`, i))
    const query = await loadQuery(
      { items: rows.slice(0, 150), nextCursor: 'after 149', seq: 1 },
      { sort: 'rank', limit: 150 },
    )
    query.snapshot().more?.()
    await answerList({ items: rows.slice(150), nextCursor: 'after 299', seq: 1 })
    listCalls = []
    return { query, rows }
  }

  test('a reload of a live query with 300 loaded rows keeps all rows, even though one request returns at most 200', async () => {
    const { query, rows } = await loadTwoPages()
    query.load()
    await answerList({ items: rows.slice(0, 200), nextCursor: 'after 199', seq: 5 })
    assert.equal(query.snapshot().rows.length, 300)
    query.apply([removeOp(6, 't0'), putOp(7, { ...taskOf('t250', 0.5, 2) })])
    await answerList({ items: rows.slice(200), nextCursor: 'after 299', seq: 5 })
    assert.deepEqual(
      listCalls.map(({ query: { limit, cursor } }) => [limit, cursor]),
      [
        [200, undefined],
        [100, 'after 199'],
      ],
    )
    assert.deepEqual([query.snapshot().rows.length, rowIds(query)[0]], [299, 't250'])
    query.snapshot().more?.()
    assert.equal(listCalls.at(-1)?.query.cursor, 'after 299')
  })

  test('a reload of a live query that is overtaken by another reload requests no further pages', async () => {
    const { query, rows } = await loadTwoPages()
    query.load()
    query.load()
    const [overtaken] = listCalls
    overtaken?.answer.resolve({ items: rows.slice(0, 200), nextCursor: 'after 199', seq: 5 })
    await answerList({ items: rows.slice(0, 10), nextCursor: null, seq: 5 })
    assert.deepEqual([listCalls.length, query.snapshot().rows.length], [2, 10])
  })

  test('a row that leaves a live query with several loaded pages causes a reload only if it was the last loaded row', async () => {
    const { query } = await loadTwoPages()
    query.apply([removeOp(2, 't3'), removeOp(3, 't200')])
    assert.deepEqual([listCalls.length, query.snapshot().rows.length], [0, 298])
    query.apply([removeOp(4, 't299')])
    assert.deepEqual(
      listCalls.map(({ query: { limit } }) => limit),
      [200],
    )
  })
})
