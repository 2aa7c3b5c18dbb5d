import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { openStore } from '../schema.ts'
import { Journal, type JournalEntry } from './journal.ts'
import type { Store } from './store.ts'

const entry = (path: string, more: Partial<JournalEntry> = {}): JournalEntry => ({
  at: 1,
  provider: 'cloudflare',
  method: 'GET',
  path,
  status: 200,
  accountId: null,
  bodyDigest: null,
  fault: null,
  isUnimplemented: false,
  ...more,
})

describe('the journal of requests', () => {
  let store: Store
  let journal: Journal
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] })
    store = openStore(':memory:')
    journal = new Journal(store)
  })
  afterEach(() => mock.timers.reset())

  const pathsSince = (since: number) => journal.read(since).map(({ seq, path }) => [seq, path])

  test('a reader of the request journal gets all requests, or those after a given number, immediately and in order', () => {
    for (const path of ['/a', '/b']) journal.add(entry(path))
    assert.deepEqual(pathsSince(0), [
      [1, '/a'],
      [2, '/b'],
    ])
    journal.add(entry('/c'))
    assert.deepEqual([pathsSince(2), pathsSince(3)], [[[3, '/c']], []])
    store.close()
  })

  test('a request is read from the request journal with everything that was recorded', () => {
    const more = {
      accountId: 'acme',
      bodyDigest: 'abc',
      fault: 'fail-500',
      isUnimplemented: true,
      status: 404,
    }
    journal.add(entry('/x', more))
    const { accountId: account, isUnimplemented: unimplemented, ...same } = entry('/x', more)
    assert.deepEqual(journal.read(0), [{ seq: 1, account, unimplemented, ...same }])
    store.close()
  })

  test('the request journal keeps only the newest 10,000 requests, and continues their numbering', () => {
    for (let n = 0; n < 10_001; n++) journal.add(entry(`/${n}`))
    const seen = pathsSince(0)
    assert.deepEqual([seen.length, seen[0], seen.at(-1)], [10_000, [2, '/1'], [10_001, '/10000']])
    store.close()
  })

  test('recorded requests are written to the journal within a second, even without a reader', () => {
    journal.add(entry('/a'))
    const count = () => store.get<{ n: number }>('SELECT count(*) AS n FROM journal')?.n
    assert.equal(count(), 0)
    mock.timers.tick(1000)
    assert.equal(count(), 1)
    store.close()
  })

  test('requests that cannot be written to the journal, for example on a full disk, do not end the process', () => {
    journal.add(entry('/a'))
    store.close()
    assert.doesNotThrow(() => mock.timers.tick(1000))
    assert.throws(() => {
      journal.add(entry('/b'))
      journal.flush()
    }, /not open/)
  })
})
