import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import { RoomStore } from './store.ts'

const ADA = { id: 'p1', userId: 'u_ada' }
const NOON = Date.parse('2026-11-26T12:00:00Z')

function makeStore() {
  const storage = memoryStorage()
  const store = new RoomStore(storage)
  const say = (
    data: unknown,
    { room = 'doc/1', limit = 100, ref = null as string | null, from = ADA, at = NOON } = {},
  ) => store.append(room, { type: 'say', data, from }, { ref, limit, nowMs: at })
  const texts = (room = 'doc/1', since = 0) => store.since(room, since).map(({ data }) => data)
  return { storage, store, say, texts }
}

describe('the storage of live rooms', () => {
  test('a live room stores nothing before its first message', () => {
    const { storage, store, texts } = makeStore()
    assert.deepEqual([texts(), store.state('doc/1'), store.isUsed, store.roomNames()], [[], {}, false, []])
    assert.deepEqual(store.rows(''), { rows: [], next: null })
    assert.deepEqual(store.forget('u_ada'), [])
    assert.equal(storage.sql.exec('select name from sqlite_master').toArray().length, 0)
  })

  test('room messages get increasing numbers even within one millisecond, after the clock was set back and after a restart', () => {
    const { storage, say } = makeStore()
    const seqs = [say(1), say(2), say(3, { at: NOON - 5000 })].map(({ message }) => message.seq)
    assert.deepEqual(seqs, [NOON, NOON + 1, NOON + 2])
    const later = new RoomStore(storage)
    const { message } = later.append(
      'doc/1',
      { type: 'say', data: 4, from: null },
      { ref: null, limit: 9, nowMs: NOON },
    )
    assert.equal(message.seq, NOON + 3)
  })

  test('a live room stores only its newest messages, up to the number that the room declares and to 512 KB', () => {
    const { say, texts } = makeStore()
    for (let n = 1; n <= 10; n++) say(n, { limit: 3 })
    assert.deepEqual(texts(), [8, 9, 10])
    say('other', { room: 'doc/2' })
    for (let n = 0; n < 30; n++) say('x'.repeat(32_000))
    assert.equal(texts().length, 16)
    assert.deepEqual(texts('doc/2'), ['other'])
    const { say: sayNothing, texts: none, store } = makeStore()
    sayNothing(1, { limit: 0 })
    assert.deepEqual([none(), store.isUsed], [[], false])
  })

  test('two messages with the same reference id in one room are stored as one', () => {
    const { say, texts } = makeStore()
    const first = say('a', { ref: 'r' })
    assert.deepEqual(say('b', { ref: 'r' }), { message: first.message, isNew: false })
    assert.equal(say('c', { ref: 'r', room: 'doc/2' }).isNew, true)
    assert.deepEqual(texts(), ['a'])
  })

  test('the state of a live room is limited to 64 KB of keys and values, and a rejected value changes nothing', () => {
    const { store } = makeStore()
    store.set('doc/1', 'a', 'x'.repeat(40_000), 'u_ada')
    assert.throws(() => store.set('doc/1', 'b', 'x'.repeat(30_000), 'u_ada'), { code: 'invalid_request' })
    assert.throws(() => store.set('doc/1', 'a', 'x'.repeat(70_000), 'u_ada'), { code: 'invalid_request' })
    assert.deepEqual(Object.keys(store.state('doc/1')), ['a'])
    assert.equal((store.state('doc/1')['a'] as string).length, 40_000)
    store.set('doc/1', 'a', null, null)
    assert.deepEqual(store.state('doc/1'), {})
  })

  test('erasing a person deletes their room messages and the state keys that they set last', () => {
    const { store, say, texts } = makeStore()
    say('hers')
    say('his', { from: { id: 'p2', userId: 'u_bob' } })
    store.set('doc/1', 'both', 1, 'u_ada')
    store.set('doc/1', 'both', 2, 'u_bob')
    store.set('doc/2', 'mine', 1, 'u_ada')
    assert.deepEqual(store.forget('u_ada'), [{ room: 'doc/2', key: 'mine' }])
    assert.deepEqual([texts(), store.state('doc/1'), store.state('doc/2')], [['his'], { both: 2 }, {}])
  })

  test('moving an app to another cloud account copies messages and state of its rooms in batches, and repeating a batch adds nothing', () => {
    const { store, say, texts } = makeStore()
    for (let n = 0; n < 450; n++) say(n, { limit: 1000, room: `doc/${n % 2}` })
    for (const key of ['a key with spaces', 'b']) store.set('doc/1', key, { key }, 'u_ada')
    const target = makeStore()
    let pages = 0
    for (let after: string | null = ''; after !== null; pages++) {
      const page = store.rows(after)
      for (const _ of [1, 2]) target.store.take(page.rows)
      after = page.next
    }
    assert.ok(pages >= 3)
    for (const room of ['doc/0', 'doc/1']) assert.deepEqual(target.texts(room), texts(room))
    assert.deepEqual(target.store.state('doc/1'), store.state('doc/1'))
    assert.deepEqual(target.store.forget('u_ada').length, 2)
  })

  test("a person's Durable Object lists each room they entered once, and rejects new rooms beyond a limit", () => {
    const { store } = makeStore()
    for (const room of ['doc/2', 'doc/1', 'doc/2']) store.addRoom(room, 2)
    assert.throws(() => store.addRoom('doc/3', 2), { code: 'conflict' })
    store.addRoom('doc/1', 2)
    store.addRoom('doc/3', null)
    assert.deepEqual(store.roomNames(), ['doc/1', 'doc/2', 'doc/3'])
  })
})
