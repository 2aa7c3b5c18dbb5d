import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { transact } from '../db/database.ts'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import {
  cancelInvitations,
  deleteOrganizations,
  deletePerson,
  listMemberships,
  lockPerson,
} from './erase-person.ts'

const PEOPLE = ['ada', 'bob', 'eve']

describe('erasing a person', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.drop())
  const run = (statement: string, ...values: unknown[]) => database.pool.query(statement, values)
  const addOrganization = (id: string) =>
    run(`insert into organization (id, name, slug, "createdAt") values ($1, upper($1), $1, now())`, id)
  let joined = 0
  const join = (org: string, person: string, role = 'member') =>
    run(
      `insert into member (id, "organizationId", "userId", role, "createdAt")
       values ($1, $2, $3, $4, '2026-01-01'::timestamptz + $5 * interval '1 minute')`,
      `m${++joined}`,
      org,
      person,
      role,
      joined,
    )
  const invite = (id: string, org: string, inviter: string, email: string, status = 'pending') =>
    run(
      `insert into invitation (id, "organizationId", email, role, status, "expiresAt", "inviterId")
       values ($1, $2, $3, 'member', $4, now() + interval '1 day', $5)`,
      id,
      org,
      email,
      status,
      inviter,
    )
  const verify = (id: string, identifier: string, value: string) =>
    run(
      `insert into verification (id, identifier, value, "expiresAt") values ($1, $2, $3, now())`,
      id,
      identifier,
      value,
    )
  const idsOf = async (table: string, columns = 'id') =>
    (await run(`select ${columns} from "${table}" order by ${columns}`)).rows.map((row) =>
      Object.values(row as object).join(' '),
    )
  const remove = (id: string) =>
    transact(database.db, (trx) => deletePerson(trx, { id, email: `${id}@acme.test` }))

  beforeEach(async () => {
    await run('delete from organization')
    await run('delete from "user"')
    await run('delete from verification')
    for (const id of PEOPLE)
      await run(
        `insert into "user" (id, name, email, "emailVerified") values ($1, $1, $1 || '@acme.test', true)`,
        id,
      )
    for (const id of ['first', 'second', 'third']) await addOrganization(id)
  })

  test('before a person is erased, each membership is listed as blocking, as deleting the organization, or as ending', async () => {
    await join('third', 'ada', 'member')
    await join('third', 'bob', 'owner')
    await join('first', 'ada', 'owner')
    await join('second', 'ada', 'admin,owner')
    await join('second', 'bob')
    assert.deepEqual(await listMemberships(database.db, 'ada'), [
      { id: 'third', name: 'THIRD', disposition: 'leave' },
      { id: 'first', name: 'FIRST', disposition: 'delete' },
      { id: 'second', name: 'SECOND', disposition: 'blocked' },
    ])
    assert.deepEqual(await listMemberships(database.db, 'eve'), [])
  })

  test("erasing an organization's only member deletes it whatever the role, and a role such as coowner blocks no erasure", async () => {
    await join('first', 'ada', 'member')
    await join('second', 'ada', 'coowner')
    await join('second', 'bob')
    const dispositions = (await listMemberships(database.db, 'ada')).map(({ disposition }) => disposition)
    assert.deepEqual(dispositions, ['delete', 'leave'])
  })

  test('erasing a person ends their memberships, and an owner becomes the inviter of the invitations that the person sent', async () => {
    await join('first', 'eve')
    await join('first', 'ada', 'admin')
    await join('first', 'bob', 'admin,owner')
    await invite('i1', 'first', 'ada', 'new@other.test')
    await remove('ada')
    assert.deepEqual(await idsOf('user'), ['bob', 'eve'])
    assert.deepEqual(await idsOf('member', `"userId"`), ['bob', 'eve'])
    assert.deepEqual(await idsOf('invitation', 'id, "inviterId"'), ['i1 bob'])
  })

  test("when an erased person leaves no owner, the member who joined first becomes the inviter of the person's invitations", async () => {
    await join('first', 'ada', 'member')
    await join('first', 'eve')
    await join('first', 'bob')
    await invite('i1', 'first', 'ada', 'new@other.test')
    await remove('ada')
    assert.deepEqual(await idsOf('invitation', 'id, "inviterId"'), ['i1 eve'])
  })

  test('erasing a person deletes the invitations to their address, in upper or lower case, and keeps invitations to others', async () => {
    await join('first', 'bob', 'owner')
    await invite('i1', 'first', 'bob', 'ADA@acme.test')
    await invite('i2', 'first', 'bob', 'xada@acme.test')
    await remove('ada')
    assert.deepEqual(await idsOf('invitation'), ['i2'])
  })

  test('erasing a person deletes their trusted devices, sign-in codes and password resets, and keeps those of other people', async () => {
    await verify('v1', 'trust-device-abc', 'ada')
    await verify('v2', 'reset-password:abc', 'ada')
    await verify('v3', 'sign-in-otp-ada@acme.test', 'x')
    await verify('v4', 'reset-password:def', 'bob')
    await remove('ada')
    assert.deepEqual(await idsOf('verification'), ['v4'])
  })

  test('erasing a person keeps verification rows of others whose id or address contains the erased id or address', async () => {
    const others: [id: string, identifier: string, value: string][] = [
      ['v1', 'reset-password:abc', 'adam'],
      ['v2', 'reset-password:def', '{"id":"canada"}'],
      ['v3', 'sign-in-otp-xada@acme.test', 'x'],
      ['v4', 'sign-in-otp-j.ada@acme.test', 'x'],
      ['v5', 'sign-in-otp-ada@acme.test.example', 'x'],
      ['v6', 'sign-in-otp-ada@acmeotest', 'x'],
    ]
    for (const row of others) await verify(...row)
    await verify('w1', 'state', '{"id":"ada"}')
    await verify('w2', 'ADA@acme.test', 'x')
    await verify('w3', 'change-email-otp-ada@acme.test-new@acme.test', 'x')
    await remove('ada')
    assert.deepEqual(
      await idsOf('verification'),
      others.map(([id]) => id),
    )
  })

  test('erasing a person treats characters of the address that are special in regular expressions literally', async () => {
    const email = String.raw`a_+b*(c)|[d]{2}^$\é'@acme.test`
    await run(`insert into "user" (id, name, email, "emailVerified") values ('odd', 'Odd', $1, true)`, email)
    await verify('v1', `sign-in-otp-${email}`, 'x')
    await verify('v2', 'sign-in-otp-c@acme.test', 'x')
    await transact(database.db, (trx) => deletePerson(trx, { id: 'odd', email }))
    assert.deepEqual(await idsOf('verification'), ['v2'])
  })

  test('locking the row of a person returns whether the person exists', async () => {
    const lock = (id: string) => transact(database.db, (trx) => lockPerson(trx, id))
    assert.deepEqual([await lock('ada'), await lock('zoe')], [true, false])
  })

  test('cancelling invitations cancels only the pending invitations of the given organizations', async () => {
    await join('first', 'bob', 'owner')
    await invite('i1', 'first', 'bob', 'a@x.test')
    await invite('i2', 'first', 'bob', 'b@x.test', 'accepted')
    await invite('i3', 'second', 'bob', 'c@x.test')
    await cancelInvitations(database.db, [])
    await cancelInvitations(database.db, ['first'])
    assert.deepEqual(await idsOf('invitation', 'id, status'), ['i1 canceled', 'i2 accepted', 'i3 pending'])
  })

  test('deleting organizations by id deletes their memberships too, and no other organization', async () => {
    await join('first', 'ada', 'owner')
    await join('second', 'ada', 'owner')
    await transact(database.db, (trx) => deleteOrganizations(trx, []))
    await transact(database.db, (trx) => deleteOrganizations(trx, ['first']))
    assert.deepEqual(await idsOf('organization'), ['second', 'third'])
    assert.deepEqual(await idsOf('member', `"organizationId"`), ['second'])
  })
})
