import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { memoryStorage } from '../../kernel/objects/sqlite.test.fixture.ts'
import { Account } from './account.ts'

const STORED = {
  email: 'ada@example.test',
  name: 'Ada',
  role: 'member',
  emailVerified: false,
  password: 'scrypt$...',
  createdAt: '2026-11-20T10:00:00.000Z',
} as const
const NOW = new Date('2026-11-20T10:00:00Z')
const inDays = (days: number) => new Date(NOW.getTime() + days * 86_400_000)

function makeAccount() {
  const storage = memoryStorage()
  const account = new Account(storage)
  account.create(STORED)
  const open = (days = 30, now = NOW) => {
    const { sessionId, secret } = account.openSession('Firefox', days, now)
    return { userId: 'u_ada', sessionId, secret }
  }
  return { storage, account, open }
}

describe('an account', () => {
  test('reading an account that does not exist stores nothing', () => {
    const storage = memoryStorage()
    const account = new Account(storage)
    assert.equal(account.person({ userId: 'u_x', sessionId: 'a', secret: 'b' }, NOW), null)
    assert.deepEqual([account.read(), account.sessions(null, NOW), account.dump()], [null, [], null])
    account.endSessions()
    assert.deepEqual(storage.sql.exec('select name from sqlite_master').toArray(), [])
  })

  test('an account session is valid only with its own secret, and only until it expires or is ended', () => {
    const { account, open } = makeAccount()
    const [token, other] = [open(), open()]
    assert.deepEqual(account.person(token, inDays(29)), { userId: 'u_ada', role: 'member' })
    assert.equal(account.person(token, inDays(31)), null)
    assert.equal(account.person({ ...token, secret: other.secret }, NOW), null)
    assert.ok(account.endSession(token.sessionId))
    assert.equal(account.endSession(token.sessionId), false)
    assert.equal(account.person(token, NOW), null)
    account.endSessions(other.sessionId)
    assert.notEqual(account.person(other, NOW), null)
  })

  test('an account session is extended when half of its time has passed', () => {
    const { account, open } = makeAccount()
    const { sessionId } = open(30)
    assert.equal(account.renew(sessionId, 30, inDays(14)), null)
    assert.equal(account.renew(sessionId, 30, inDays(16))?.expiresAt, inDays(46).toISOString())
    assert.equal(account.renew('unknown', 30, NOW), null)
  })

  test('an account keeps at most a hundred sessions, and the next sign-in ends the least recently used one', () => {
    const { account, open } = makeAccount()
    const first = open(30, NOW)
    for (let n = 1; n <= 100; n++) open(30, new Date(NOW.getTime() + n))
    assert.equal(account.sessions(null, inDays(1)).length, 100)
    assert.equal(account.person(first, inDays(1)), null)
  })

  test('an account stores no session secret in plain text', () => {
    const { storage, open } = makeAccount()
    const { secret } = open()
    assert.doesNotMatch(
      JSON.stringify(storage.sql.exec('select * from _sessions').toArray()),
      new RegExp(secret),
    )
  })

  test('a changed role applies from the next time a session is checked', () => {
    const { account, open } = makeAccount()
    const token = open()
    account.setRole('staff', NOW)
    assert.equal(account.person(token, NOW)?.role, 'staff')
  })

  test('after a role change a session is replaced once, by a session with the same expiry, and stays valid for a minute', () => {
    const { account, open } = makeAccount()
    const [usual, short] = [open(30), open(0.5)]
    account.setRole('member', inDays(1))
    assert.equal(account.renew(usual.sessionId, 30, inDays(1)), null, 'the role is the one before')
    const now = inDays(0.1)
    account.setRole('staff', now)
    const renewSession = ({ sessionId }: { sessionId: string }) => {
      const { secret = '', ...next } = account.renew(sessionId, 30, now) ?? assert.fail('not renewed')
      assert.ok(next.sessionId !== undefined && next.sessionId !== sessionId)
      return { ...usual, ...next, sessionId: next.sessionId, secret }
    }
    const [next, nextShort] = [renewSession(usual), renewSession(short)]
    assert.equal(account.renew(usual.sessionId, 30, now), null, 'a copy of the old one makes no second one')
    assert.equal(account.renew(next.sessionId, 30, now), null)
    const later = (ms: number) => new Date(now.getTime() + ms)
    for (const old of [usual, short]) {
      assert.equal(account.person(old, later(59_000))?.role, 'staff')
      assert.equal(account.person(old, later(60_000)), null)
    }
    assert.deepEqual(
      [next.expiresAt, nextShort.expiresAt],
      [inDays(30), inDays(0.5)].map((at) => at.toISOString()),
    )
    assert.equal(account.person(next, inDays(29))?.role, 'staff')
  })

  test('a session that was replaced after a role change is neither replaced again nor extended, at any age', () => {
    for (const days of [0.1, 1, 10, 20, 29]) {
      const { account, open } = makeAccount()
      const old = open(30)
      const now = inDays(days)
      const later = (ms: number) => new Date(now.getTime() + ms)
      account.setRole('staff', now)
      assert.notEqual(account.renew(old.sessionId, 30, now), null)
      for (const ms of [0, 1000, 59_000]) assert.equal(account.renew(old.sessionId, 30, later(ms)), null)
      assert.equal(account.person(old, later(60_000)), null)
    }
  })

  test('copying a user account to another cloud account includes its sessions, passkeys and linked providers', () => {
    const { account, open } = makeAccount()
    const token = open()
    const passkey = { id: 'key', key: 'spki', algorithm: -7, rpId: 'app.test', counter: 3, name: 'Laptop' }
    account.credentials.add({ ...passkey, createdAt: NOW.toISOString(), lastUsedAt: null })
    account.credentials.link({ provider: 'google', subject: '7' })
    const moved = new Account(memoryStorage())
    const dump = account.dump()
    assert.ok(dump)
    moved.restore(dump)
    moved.restore(dump)
    assert.deepEqual({ ...moved.read() }, STORED)
    assert.notEqual(moved.person(token, NOW), null)
    assert.deepEqual(moved.dump(), dump)
    assert.deepEqual(moved.methods(), ['password', 'passkey', 'google'])
  })

  test('the first confirmation of the email address removes all earlier sessions and sign-in methods', () => {
    const { account, open } = makeAccount()
    const token = open()
    account.credentials.link({ provider: 'google', subject: '7' })
    account.markVerified()
    assert.deepEqual([account.read()?.emailVerified, account.methods()], [true, []])
    assert.equal(account.person(token, NOW), null)
  })

  test('a half-day session is never extended, and a 30-day session is extended', () => {
    const { account, open } = makeAccount()
    const [short, usual] = [open(0.5), open(30)]
    assert.equal(account.renew(short.sessionId, 30, inDays(0.4)), null)
    assert.equal(account.person(short, inDays(0.6)), null)
    assert.notEqual(account.renew(usual.sessionId, 30, inDays(20)), null)
  })

  test('copying a user account to another cloud account includes the id of its organization member', () => {
    const { account } = makeAccount()
    assert.equal(account.dump()?.member, null)
    account.setMember('usr_1')
    account.setMember('usr_2')
    const moved = new Account(memoryStorage())
    const dump = account.dump()
    assert.ok(dump)
    moved.restore(dump)
    assert.equal(moved.dump()?.member, 'usr_2')
  })
})
