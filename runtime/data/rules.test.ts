import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import type { Actor } from '../kernel/access/actor.ts'
import { ApiError } from '../kernel/errors.ts'
import type { AccessRule, CollectionSpec, Manifest } from '../kernel/manifest.ts'
import {
  collectionIn,
  collectionOf,
  isInScope,
  readableScope,
  requireRead,
  requireWrite,
  writableScope,
} from './rules.ts'

const WORDS: AccessRule[] = ['nobody', 'public', 'members', 'owner', 'team', 'staff']
const PARTITIONS: CollectionSpec['partition'][] = ['app', 'user', 'team']
const KINDS = ['create', 'update', 'remove'] as const

const member: Actor = { userId: 'u_ada', role: 'member' }
const insider: Actor = { userId: 'u_ben', role: 'member', inTeam: true }
const staff: Actor = { userId: 'u_eve', role: 'staff' }

const collectionWith = (
  read: AccessRule,
  write: AccessRule,
  partition: CollectionSpec['partition'] = 'app',
): CollectionSpec => ({ title: 'Items', partition, read, write, fields: {} })

const word = fc.constantFrom(...WORDS)
const partition = fc.constantFrom(...PARTITIONS)
const anyCollection = fc
  .tuple(word, word, partition)
  .map(([read, write, where]) => collectionWith(read, write, where))
const rank = { none: 0, own: 1, all: 2 }

describe('the access rules of records', () => {
  test("each access rule lets only staff, server code and the callers that it names read the app's records", () => {
    const reads = (who: Actor) => WORDS.map((one) => readableScope(who, collectionWith(one, 'nobody')))
    assert.deepEqual(reads('anonymous'), ['none', 'all', 'none', 'none', 'none', 'none'])
    assert.deepEqual(reads(member), ['none', 'all', 'all', 'own', 'none', 'none'])
    assert.deepEqual(reads(staff), ['all', 'all', 'all', 'all', 'all', 'all'])
    assert.deepEqual(reads('system'), ['all', 'all', 'all', 'all', 'all', 'all'])
  })

  test('a visitor can create records only in public collections, and cannot change any record, not even their own', () => {
    const writes = (kind: (typeof KINDS)[number]) =>
      WORDS.map((one) => writableScope('anonymous', kind, collectionWith('public', one)))
    assert.deepEqual(writes('create'), ['none', 'all', 'none', 'none', 'none', 'none'])
    assert.deepEqual(writes('update'), ['none', 'none', 'none', 'none', 'none', 'none'])
    assert.deepEqual(writes('remove'), ['none', 'none', 'none', 'none', 'none', 'none'])
  })

  test('with the access rule "owner" a person can create records, and can change and remove only their own', () => {
    const items = collectionWith('owner', 'owner')
    assert.equal(writableScope(member, 'create', items), 'all')
    for (const kind of ['update', 'remove'] as const) {
      const scope = writableScope(member, kind, items)
      assert.equal(scope, 'own')
      assert.deepEqual(
        [
          isInScope(scope, member, 'u_ada'),
          isInScope(scope, member, 'u_ben'),
          isInScope(scope, member, null),
        ],
        [true, false, false],
      )
    }
  })

  test('a caller who may access only their own records cannot access a record without an owner', () => {
    assert.equal(isInScope('own', 'anonymous', null), false)
    assert.equal(isInScope('own', 'system', null), false)
    assert.equal(isInScope('none', member, 'u_ada'), false)
    assert.equal(isInScope('all', 'anonymous', 'u_ada'), true)
  })

  test('records of a team can be read and changed by its members, and not by former members', () => {
    const notes = collectionWith('team', 'team', 'team')
    assert.deepEqual([readableScope(insider, notes), readableScope(member, notes)], ['all', 'none'])
    for (const kind of KINDS)
      assert.deepEqual(
        [writableScope(insider, kind, notes), writableScope(member, kind, notes)],
        ['all', 'none'],
      )
    const own = collectionWith('owner', 'owner', 'team')
    assert.deepEqual([readableScope(insider, own), readableScope(member, own)], ['own', 'none'])
  })

  test('staff can read and change records of a team, but not create any', () => {
    const notes = collectionWith('team', 'team', 'team')
    assert.deepEqual(
      KINDS.map((kind) => writableScope(staff, kind, notes)),
      ['none', 'all', 'all'],
    )
  })

  test('the access rule "team" allows nothing outside of a team\'s records', () => {
    for (const where of ['app', 'user'] as const)
      assert.deepEqual(
        [
          readableScope(insider, collectionWith('team', 'team', where)),
          writableScope(insider, 'create', collectionWith('team', 'team', where)),
        ],
        ['none', 'none'],
      )
  })

  test('server code can do everything, whatever the access rules are', () => {
    fc.assert(
      fc.property(anyCollection, (items) => {
        assert.equal(readableScope('system', items), 'all')
        for (const kind of KINDS) assert.equal(writableScope('system', kind, items), 'all')
      }),
    )
  })

  test('a visitor can never read or change more than a signed-in user, and a signed-in user never more than staff', () => {
    fc.assert(
      fc.property(anyCollection, (items) => {
        const reads = (['anonymous', member, insider, staff] as Actor[]).map(
          (who) => rank[readableScope(who, items)],
        )
        assert.deepEqual(reads, reads.toSorted())
        for (const kind of ['update', 'remove'] as const) {
          const writes: number[] = (['anonymous', member, insider, staff] as Actor[]).map(
            (who) => rank[writableScope(who, kind, items)],
          )
          assert.deepEqual(writes, writes.toSorted())
        }
        if (items.partition !== 'team')
          assert.ok(
            rank[writableScope('anonymous', 'create', items)] <= rank[writableScope(member, 'create', items)],
          )
      }),
    )
  })

  test('a visitor gets "unauthorized" for records that people who are signed in may read, and "forbidden" for all others', () => {
    const errorOf = (who: Actor, read: AccessRule) => {
      try {
        return requireRead(who, 'items', collectionWith(read, 'nobody'))
      } catch (error) {
        assert.ok(error instanceof ApiError)
        return [error.code, error.message]
      }
    }
    for (const read of ['members', 'owner', 'team'] as const)
      assert.deepEqual(errorOf('anonymous', read), ['unauthorized', 'Sign in to read items.'])
    for (const read of ['staff', 'nobody'] as const)
      assert.deepEqual(errorOf('anonymous', read), ['forbidden', 'You may not read items.'])
    assert.deepEqual(errorOf(member, 'staff'), ['forbidden', 'You may not read items.'])
    assert.equal(errorOf(member, 'owner'), 'own')
    assert.throws(() => requireWrite(member, 'remove', 'items', collectionWith('public', 'public')), {
      code: 'forbidden',
      message: 'You may not remove records of items.',
    })
  })

  test('a collection is found only by its exact name, and only in partitions of the kind that it declares: app, person or team', () => {
    const manifest: Manifest = {
      name: 'App',
      migrations: [],
      collections: {
        mine: collectionWith('owner', 'owner', 'user'),
        all: collectionWith('public', 'public'),
      },
    }
    for (const name of ['none', 'toString', '__proto__', 'constructor'])
      assert.throws(() => collectionOf(manifest, name), { code: 'not_found' }, name)
    assert.equal(collectionIn(manifest, 'all', 'app').title, 'Items')
    assert.equal(collectionIn(manifest, 'mine', `u_${'a'.repeat(26)}`).partition, 'user')
    for (const [name, where] of [
      ['all', `u_${'a'.repeat(26)}`],
      ['mine', 'app'],
      ['mine', `t_${'a'.repeat(26)}`],
    ] as const)
      assert.throws(() => collectionIn(manifest, name, where), {
        code: 'invalid_request',
        field: 'partition',
      })
  })
})
