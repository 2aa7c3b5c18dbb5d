import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryStorage } from '../../kernel/objects/sqlite.test.fixture.ts'
import { Account } from './account.ts'
import { UserList } from './user-list.ts'

const ID = `u_${'1'.repeat(26)}`

test('an account stored by an earlier version can be read, and passkeys can be added to it', () => {
  const storage = memoryStorage()
  storage.sql.exec(`create table _account (one integer primary key check (one = 1), email text not null,
    name text not null, role text not null, password text, created_at text not null)`)
  storage.sql.exec(`create table _sessions (id text primary key, hash text not null, device text not null,
    created_at text not null, last_seen_at text not null, expires_at text not null) without rowid`)
  storage.sql.exec(
    "insert into _account values (1, 'ada@example.test', 'Ada', 'staff', 'hash', '2026-11-23')",
  )
  // After an upgrade any method may be called first, so every method must add what the stored tables lack.
  new Account(storage).setRole('member', new Date())
  new Account(storage).setRole('staff', new Date())
  const account = new Account(storage)
  assert.deepEqual(account.read(), {
    email: 'ada@example.test',
    name: 'Ada',
    role: 'staff',
    emailVerified: false,
    password: 'hash',
    createdAt: '2026-11-23',
  })
  assert.deepEqual(account.methods(), ['password'])
  assert.deepEqual(account.credentials.list(), [])
  assert.equal(new Account(storage).read()?.name, 'Ada')
})

test('a list of people stored by an earlier version can be read and extended', () => {
  const storage = memoryStorage()
  storage.sql.exec(`create table users (id text primary key, email text not null unique, name text not null,
    role text not null, is_active integer not null, created_at text not null, last_seen_at text) without rowid`)
  storage.sql.exec(
    `insert into users values ('${ID}', 'ada@example.test', 'Ada', 'member', 1, '2026-11-23', null)`,
  )
  const users = new UserList(storage)
  const [listed] = users.newest(9, '2026')
  assert.deepEqual(
    [users.find(ID)?.emailVerified, listed?.methods, listed?.brokenConnections],
    [false, ['password'], []],
  )
  const ben = { id: `u_${'2'.repeat(26)}`, email: 'ben@example.test', name: 'Ben', role: 'member' as const }
  assert.equal(users.reserve({ ...ben, emailVerified: true, createdAt: '2026-11-24' }), true)
  assert.equal(users.activate(ben.id), true)
  assert.equal(users.find(ben.id)?.emailVerified, true)
})
