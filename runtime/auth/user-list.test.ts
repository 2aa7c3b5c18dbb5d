import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { memoryStorage } from '../kernel/sqlite.test.fixture.ts'
import type { User } from './types.ts'
import { UserList } from './user-list.ts'

const userOf = (id: string, change: Partial<User> = {}): User => ({
  id,
  email: 'ada@example.test',
  emailVerified: false,
  name: 'Ada',
  role: 'member',
  createdAt: '2026-11-20T10:00:00.000Z',
  ...change,
})

describe('the list of people', () => {
  test('an address has one account, and a sign-up that was cut off keeps it for a minute', () => {
    const list = new UserList(memoryStorage())
    assert.ok(list.reserve(userOf('u_one')))
    assert.equal(list.idOf('ada@example.test'), null)
    assert.equal(list.reserve(userOf('u_two', { createdAt: '2026-11-20T10:00:59.000Z' })), false)
    assert.ok(list.reserve(userOf('u_three', { createdAt: '2026-11-20T10:01:01.000Z' })))
    // The first one comes back to life and may not take the address any more.
    assert.equal(list.activate('u_one'), false)
    assert.ok(list.activate('u_three'))
    assert.equal(list.idOf('ada@example.test'), 'u_three')
    assert.equal(list.reserve(userOf('u_four', { createdAt: '2026-11-21T10:00:00.000Z' })), false)
  })

  test('five attempts are free, each further one doubles the pause up to a quarter of an hour', () => {
    const list = new UserList(memoryStorage())
    let now = Date.parse('2026-11-20T10:00:00Z')
    const waits: number[] = []
    for (let n = 0; n < 5; n++) assert.equal(list.attempt('ada@example.test', now), 0)
    for (let n = 0; n < 12; n++) {
      const seconds = list.attempt('ada@example.test', now)
      waits.push(seconds)
      now += seconds * 1000
      assert.equal(list.attempt('ada@example.test', now), 0)
    }
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
    list.forgetAttempts('ada@example.test')
    assert.equal(list.attempt('ada@example.test', now), 0)
    assert.equal(list.attempt('other@example.test', now), 0)
  })

  test('sessions are counted until they end, and the newest person comes first', () => {
    const list = new UserList(memoryStorage())
    for (const [id, day] of [
      ['u_old', '01'],
      ['u_new', '02'],
    ] as const) {
      list.reserve(userOf(id, { email: `${id}@example.test`, createdAt: `2026-11-${day}T00:00:00.000Z` }))
      list.activate(id)
    }
    const at = '2026-11-20T10:00:00.000Z'
    list.opened('u_old', { sessionId: 'a', expiresAt: '2026-12-20T10:00:00.000Z', at })
    list.opened('u_old', { sessionId: 'b', expiresAt: '2026-11-20T11:00:00.000Z', at })
    const counts = (now: string) => list.newest(9, now).map(({ id, sessions }) => [id, sessions])
    assert.deepEqual(counts(at), [
      ['u_new', 0],
      ['u_old', 2],
    ])
    assert.deepEqual(counts('2026-11-21T10:00:00.000Z'), [
      ['u_new', 0],
      ['u_old', 1],
    ])
    list.ended('u_old', { sessionId: 'a' })
    assert.equal(list.listed('u_old', at)?.sessions, 1)
    assert.equal(list.listed('u_old', at)?.lastSeenAt, at)
  })

  test('a frozen person has no way in and is in no list, until the entry is removed', () => {
    const list = new UserList(memoryStorage())
    list.reserve(userOf('u_one'))
    assert.equal(list.freeze('u_one'), false)
    list.activate('u_one')
    // A repeated erasure finds the person again.
    assert.deepEqual([list.freeze('u_one'), list.freeze('u_one')], [true, true])
    assert.deepEqual([list.idOf('ada@example.test'), list.find('u_one'), list.ids()], [null, null, []])
    assert.deepEqual([list.remove('u_one'), list.freeze('u_one')], [true, false])
  })
})
