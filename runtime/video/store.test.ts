import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import { nextCheckAt, toOwnedVideo, VideoStore } from './store.ts'

const MINUTE_MS = 60_000
const NOW = Date.UTC(2026, 10, 27)

describe('the stored videos of an app', () => {
  const video = (id: string, userId = 'u_ada') => ({
    id,
    userId,
    name: `Video ${id}`,
    reservation: `r-${id}`,
  })

  test('a new video waits for its upload, and its status is checked after 15 seconds', () => {
    const store = new VideoStore(memoryStorage())
    store.add(video('a'), NOW)
    const added = store.find('a')
    assert.deepEqual([added?.status, added?.seconds, added?.next_at], ['pending', null, NOW + 15_000])
    assert.deepEqual([store.due(NOW + 14_999, 10).length, store.due(NOW + 15_000, 10).length], [0, 1])
    assert.equal(store.find('none'), null)
  })

  test('the delays between status checks of a video grow to an hour and then stay the same', () => {
    const pauses = [0, 1, 2, 3, 4, 5, 100].map((checks) => (nextCheckAt(checks, NOW) - NOW) / 1000)
    assert.deepEqual(pauses, [15, 60, 300, 900, 3600, 3600, 3600])
  })

  test('the next status check is at the time of the earliest due video, and there is none once all are ready or failed', () => {
    const store = new VideoStore(memoryStorage())
    assert.equal(store.nextAt(), null)
    store.add(video('a'), NOW)
    store.add(video('b'), NOW + MINUTE_MS)
    assert.equal(store.nextAt(), NOW + 15_000)
    store.ready('a', { seconds: 12.5, poster: 'https://poster.test/a' }, NOW + MINUTE_MS)
    assert.equal(store.nextAt(), NOW + MINUTE_MS + 15_000)
    store.checked('b', { status: 'error', checks: 1, nextAt: null }, NOW + 2 * MINUTE_MS)
    assert.deepEqual([store.nextAt(), store.due(Number.MAX_SAFE_INTEGER, 10)], [null, []])
  })

  test('videos that are due for a status check are returned in the order of their due times, up to the requested number', () => {
    const store = new VideoStore(memoryStorage())
    for (const [id, at] of [
      ['late', 3],
      ['first', 1],
      ['second', 2],
    ] as const)
      store.add(video(id), NOW + at)
    const ids = (limit: number) => store.due(NOW + MINUTE_MS, limit).map(({ id }) => id)
    assert.deepEqual(
      [ids(2), ids(10)],
      [
        ['first', 'second'],
        ['first', 'second', 'late'],
      ],
    )
  })

  test('the videos of one person, or of all people, are listed newest first', () => {
    const store = new VideoStore(memoryStorage())
    store.add(video('a'), NOW)
    store.add(video('b', 'u_ben'), NOW + 1)
    store.add(video('c'), NOW + 2)
    const ids = (user: string | null, limit = 10) => store.list(user, limit).map(({ id }) => id)
    assert.deepEqual(ids(null), ['c', 'b', 'a'])
    assert.deepEqual(ids('u_ada'), ['c', 'a'])
    assert.deepEqual(ids(null, 1), ['c'])
    assert.deepEqual(ids('u_none'), [])
  })

  test('the videos of a person are counted, in total or by status', () => {
    const store = new VideoStore(memoryStorage())
    for (const id of ['a', 'b']) store.add(video(id), NOW)
    store.add(video('c', 'u_ben'), NOW)
    store.ready('a', { seconds: 3, poster: 'p' }, NOW)
    assert.deepEqual(
      [
        store.count('u_ada'),
        store.count('u_ada', 'pending'),
        store.count('u_ada', 'ready'),
        store.count('u_none'),
      ],
      [2, 1, 1, 0],
    )
    store.remove('a')
    assert.equal(store.count('u_ada'), 1)
  })

  test('a ready video is returned with its length and thumbnail, and without its budget reservation', () => {
    const store = new VideoStore(memoryStorage())
    store.add(video('a'), NOW)
    store.ready('a', { seconds: 3.5, poster: 'https://poster.test/a' }, NOW + MINUTE_MS)
    const [stored] = store.list(null, 1)
    assert.ok(stored !== undefined)
    assert.deepEqual(toOwnedVideo(stored), {
      id: 'a',
      userId: 'u_ada',
      name: 'Video a',
      status: 'ready',
      seconds: 3.5,
      posterUrl: 'https://poster.test/a',
      createdAt: new Date(NOW).toISOString(),
    })
  })

  test('stored videos are found after a restart of the Durable Object', () => {
    const storage = memoryStorage()
    new VideoStore(storage).add(video('a'), NOW)
    assert.equal(new VideoStore(storage).find('a')?.name, 'Video a')
  })
})
