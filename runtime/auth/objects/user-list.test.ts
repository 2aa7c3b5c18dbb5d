import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { memoryStorage } from '../../kernel/objects/sqlite.test.fixture.ts'
import type { User } from '../types.ts'
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
  test('an email address belongs to one account, and an interrupted sign-up reserves it for a minute', () => {
    const list = new UserList(memoryStorage())
    assert.ok(list.reserve(userOf('u_one')))
    assert.equal(list.idOf('ada@example.test'), null)
    assert.equal(list.reserve(userOf('u_two', { createdAt: '2026-11-20T10:00:59.000Z' })), false)
    assert.ok(list.reserve(userOf('u_three', { createdAt: '2026-11-20T10:01:01.000Z' })))
    // The first sign-up is still running, but can no longer get the address.
    assert.equal(list.activate('u_one'), false)
    assert.ok(list.activate('u_three'))
    assert.equal(list.idOf('ada@example.test'), 'u_three')
    assert.equal(list.reserve(userOf('u_four', { createdAt: '2026-11-21T10:00:00.000Z' })), false)
  })

  test('after five sign-in attempts each further attempt doubles the delay before the next, up to 15 minutes', () => {
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

  test("the list of people shows the newest first, and counts each person's active sessions until they end", () => {
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

  test('a person who is being erased cannot be found by address or id, but stays listed until removed', () => {
    const list = new UserList(memoryStorage())
    list.reserve(userOf('u_one'))
    assert.equal(list.freeze('u_one'), false)
    list.activate('u_one')
    // An erasure that is repeated must find the person again.
    assert.deepEqual([list.freeze('u_one'), list.freeze('u_one')], [true, true])
    assert.deepEqual([list.idOf('ada@example.test'), list.find('u_one'), list.ids()], [null, null, []])
    const at = '2026-11-30T00:00:00.000Z'
    const erasingUsers = () =>
      [...list.newest(9, at), ...list.page({ q: 'ada', after: null, limit: 9 }, at)].map(
        ({ id, erasing: isOut }) => [id, isOut],
      )
    assert.deepEqual(erasingUsers(), [
      ['u_one', true],
      ['u_one', true],
    ])
    assert.deepEqual([list.remove('u_one'), list.freeze('u_one'), erasingUsers()], [true, false, []])
  })

  test('the list of people is paged, can be searched by name, address or id, and omits sign-ups that are not complete', () => {
    const list = new UserList(memoryStorage())
    for (const [n, name] of ['Ada', 'Bob', 'Adam', '100%_sure'].entries()) {
      const createdAt = `2026-11-2${Math.min(n, 2)}T10:00:00.000Z`
      list.reserve(userOf(`u_${n}`, { name, email: `${n}@${name.toLowerCase()}.test`, createdAt }))
      if (n < 4) list.activate(`u_${n}`)
    }
    list.reserve(userOf('u_9', { name: 'Adele', email: 'adele@x.test' }))
    const page = (q: string, limit = 9, after: { createdAt: string; id: string } | null = null) =>
      list.page({ q, after, limit }, '2026-11-30T00:00:00.000Z')
    const ids = (...ask: Parameters<typeof page>) => page(...ask).map(({ id }) => id)
    assert.deepEqual(ids(''), ['u_3', 'u_2', 'u_1', 'u_0'])
    const [first, second] = page('', 2)
    assert.deepEqual([first?.id, second?.id], ['u_3', 'u_2'])
    assert.ok(second)
    // The last person of a page may be erased before the next page is read.
    list.remove('u_2')
    assert.deepEqual(ids('', 2, second), ['u_1', 'u_0'])
    assert.deepEqual(ids('aDA'), ['u_0'])
    assert.deepEqual(ids('@bob'), ['u_1'])
    assert.deepEqual(ids('u_1'), ['u_1'])
    assert.deepEqual([ids('%'), ids('_sure'), ids("' or 1=1 --")], [['u_3'], ['u_3'], []])
  })

  test('a search for people ignores case and accents of Latin letters, and case of Cyrillic and Greek letters', () => {
    const list = new UserList(memoryStorage())
    for (const [n, name] of ['Ørjan Ås', 'JOSÉ', 'Зоя', 'Ωmega', 'Straße'].entries()) {
      list.reserve(
        userOf(`u_${n}`, { name, email: `${n}@example.test`, createdAt: `2026-11-2${n}T10:00:00.000Z` }),
      )
      list.activate(`u_${n}`)
    }
    const ids = (q: string) =>
      list.page({ q, after: null, limit: 9 }, '2026-11-30T00:00:00.000Z').map(({ id }) => id)
    assert.deepEqual(
      ['ørjan', 'ÅS', 'josé', 'Jose', 'jose\u0301', 'зоя', 'ω', 'straße', '2@EXAMPLE'].map(ids),
      [['u_0'], ['u_0'], ['u_1'], ['u_1'], ['u_1'], ['u_2'], ['u_3'], ['u_4'], ['u_2']],
    )
  })

  test('a search through more than a thousand people returns each match exactly once across its pages', () => {
    const list = new UserList(memoryStorage())
    for (let n = 0; n < 1203; n++) {
      // Every three people share a creation time. The first batch of 500 ends at 703, and the match 702 has the same time.
      const createdAt = new Date(Date.parse('2026-11-20T10:00:00Z') + Math.floor(n / 3) * 1000).toISOString()
      const name = n % 300 === 102 ? 'Zoë' : 'Ada'
      list.reserve(userOf(`u_${String(n).padStart(4, '0')}`, { name, email: `${n}@example.test`, createdAt }))
      list.activate(`u_${String(n).padStart(4, '0')}`)
    }
    const seen: string[] = []
    let after: { createdAt: string; id: string } | null = null
    for (;;) {
      const page: User[] = list.page({ q: 'zoe', after, limit: 2 }, '2026-11-30T00:00:00.000Z')
      seen.push(...page.map(({ id }) => id))
      after = page.at(-1) ?? null
      if (page.length < 2) break
    }
    assert.deepEqual(seen, ['u_1002', 'u_0702', 'u_0402', 'u_0102'])
  })
})
