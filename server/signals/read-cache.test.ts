import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { groupErrors } from './live-errors.ts'
import { ReadCache } from './read-cache.ts'

describe('cached reads', () => {
  const countedCache = () => {
    let loads = 0
    const recent = new ReadCache<number>({ keptMs: 60, failedMs: 10, max: 2 })
    const load = async () => ++loads
    return { recent, load, loads: () => loads }
  }

  test('all callers share a cached read until it expires, including callers that call while the read is running', async () => {
    const { recent, load } = countedCache()
    const both = await Promise.all([recent.read('a', 0, load), recent.read('a', 0, load)])
    assert.deepEqual(both, [1, 1])
    assert.equal(await recent.read('a', 59, load), 1)
    assert.equal(await recent.read('a', 60, load), 2)
    assert.equal(await recent.read('b', 60, load), 3)
  })

  test('a cached value that the caller rejects as outdated is read again, once for simultaneous callers', async () => {
    const { recent, load } = countedCache()
    await recent.read('a', 0, load)
    const isNew = (value: number) => value >= 2
    const both = await Promise.all([recent.read('a', 1, load, isNew), recent.read('a', 1, load, isNew)])
    assert.deepEqual(both, [2, 2])
  })

  test('a failed read is cached for a shorter time, and unused entries are evicted', async () => {
    const { recent, load, loads } = countedCache()
    const failToLoad = async () => {
      await load()
      throw new Error('no answer')
    }
    await assert.rejects(recent.read('a', 0, failToLoad), /no answer/)
    await assert.rejects(recent.read('a', 9, load), /no answer/)
    assert.equal(await recent.read('a', 10, load), 2)
    for (const key of ['b', 'a', 'c', 'a']) await recent.read(key, 10, load)
    assert.equal(loads(), 4, 'the entry that was used again is kept')
    await recent.read('b', 10, load)
    assert.equal(loads(), 5, 'the least recently used of three was evicted')
  })
})

describe('errors of a live app', () => {
  const errorLine = (
    message: string,
    route: string | null,
    seconds: number,
    stack: string | null = null,
  ) => ({
    message,
    route,
    stack,
    tier: null,
    release: null,
    at: new Date(seconds * 1000),
  })

  test('equal errors of an app on one route are one entry with the latest stack, whatever the order of the log lines', () => {
    const groups = groupErrors([
      errorLine('dry', '/a', 5, 'old'),
      errorLine('dry', '/a', 9, 'new'),
      errorLine('dry', '/b', 7),
      errorLine('dry', '/a', 1),
    ])
    assert.deepEqual(groups, [
      {
        message: 'dry',
        route: '/a',
        stack: 'new',
        count: 3,
        lastAt: new Date(9000).toISOString(),
        release: null,
      },
      {
        message: 'dry',
        route: '/b',
        stack: null,
        count: 1,
        lastAt: new Date(7000).toISOString(),
        release: null,
      },
    ])
  })

  test('messages, routes and stacks of app errors are truncated, and at most a hundred distinct errors are returned', () => {
    const [long] = groupErrors([errorLine('x'.repeat(1e6), 'y'.repeat(1e6), 1, 'z'.repeat(1e6))])
    assert.deepEqual([long?.message.length, long?.route?.length, long?.stack?.length], [1000, 300, 8000])
    assert.equal(
      groupErrors(Array.from({ length: 500 }, (_, i) => errorLine(`error ${i}`, null, i))).length,
      100,
    )
  })
})
