import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ApiError } from '../../kernel/errors.ts'
import type { Manifest } from '../../kernel/manifest.ts'
import { memoryStorage } from '../../kernel/objects/sqlite.test.fixture.ts'
import { applyMutation } from './mutate.ts'
import { PartitionStore } from './store.ts'

const MANIFEST: Manifest = {
  name: 'App',
  migrations: [],
  collections: {
    notes: {
      title: 'Notes',
      partition: 'app',
      read: 'public',
      write: 'public',
      fields: {
        text: { type: 'text', max: 20 },
        likes: { type: 'integer' },
        tags: { type: 'list' },
        slug: { type: 'text', unique: true },
      },
    },
    letters: { title: 'Letters', partition: 'user', read: 'owner', write: 'owner', fields: {} },
  },
}

const NOW = new Date('2026-11-20T00:00:00Z')
const create = (change: object) => ({ op: 'create', collection: 'notes', fields: { text: 'x' }, ...change })
const withFields = (fields: unknown) => create({ fields })
/** An object whose conversion to text throws, as a page can send it in JSON. */
const NO_TEXT = { toString: null, valueOf: null }

/** Invalid operations that a hostile page could send, each with the code of the error that it gets. */
const REFUSED: readonly [what: string, op: unknown, code: string][] = [
  ['null', null, 'invalid_request'],
  ['a text', 'create', 'invalid_request'],
  ['a list', [], 'invalid_request'],
  ['an operation of an unknown kind', create({ op: 'drop' }), 'invalid_request'],
  [
    'an operation named like a property of every JavaScript object',
    create({ op: 'constructor' }),
    'invalid_request',
  ],
  ['no collection', create({ collection: undefined }), 'invalid_request'],
  ['a collection that is no text', create({ collection: ['notes'] }), 'invalid_request'],
  ['a collection that cannot become text', create({ collection: NO_TEXT }), 'invalid_request'],
  ['an undeclared collection', create({ collection: 'others' }), 'not_found'],
  [
    'a collection named like a property of every JavaScript object',
    create({ collection: 'constructor' }),
    'not_found',
  ],
  ['SQL in the name of the collection', create({ collection: 'notes" --' }), 'not_found'],
  [
    'a collection that is partitioned by user in the partition of the app',
    create({ collection: 'letters' }),
    'invalid_request',
  ],
  ['an id that is a number', create({ id: 12_345_678 }), 'invalid_request'],
  ['an id that is a list', create({ id: ['abcdefgh'] }), 'invalid_request'],
  ['an id that is too short', create({ id: 'abcdefg' }), 'invalid_request'],
  ['an id that is too long', create({ id: 'a'.repeat(41) }), 'invalid_request'],
  ['an id with a line break', create({ id: 'abcdefgh\n' }), 'invalid_request'],
  ['an id that is taken', create({ id: 'existing' }), 'conflict'],
  ['no fields', create({ fields: undefined }), 'invalid_request'],
  ['a list of fields', withFields([]), 'invalid_request'],
  ['an undeclared field', withFields({ other: 1 }), 'invalid_request'],
  [
    'a field named like a property of every JavaScript object',
    withFields({ constructor: 1 }),
    'invalid_request',
  ],
  [
    'a field named __proto__',
    JSON.parse('{"op":"create","collection":"notes","fields":{"__proto__":{"text":"x"}}}'),
    'invalid_request',
  ],
  ['a text that is an object', withFields({ text: { $ne: null } }), 'invalid_request'],
  ['a text that is too long', withFields({ text: 'x'.repeat(21) }), 'invalid_request'],
  ['a text with a NUL character', withFields({ text: 'a\u0000b' }), 'invalid_request'],
  ['an increment of a text', withFields({ text: { increment: 1 } }), 'invalid_request'],
  ['an increment by text', withFields({ likes: { increment: '1' } }), 'invalid_request'],
  ['an increment with a second command', withFields({ likes: { increment: 1, set: 5 } }), 'invalid_request'],
  ['a whole number with a fraction', withFields({ likes: 1.5 }), 'invalid_request'],
  ['a whole number that cannot be stored exactly', withFields({ likes: 2 ** 53 }), 'invalid_request'],
  ['a list of numbers', withFields({ tags: [1] }), 'invalid_request'],
  ['a list that holds lists', withFields({ tags: [['a']] }), 'invalid_request'],
  ['a unique value that is taken', withFields({ slug: 'taken' }), 'conflict'],
  ['an upsert by a field that is not unique', create({ op: 'upsert', by: 'text' }), 'invalid_request'],
  ['an upsert by a list', create({ op: 'upsert', by: ['slug'], fields: {} }), 'invalid_request'],
  [
    'an upsert by an object that cannot become text',
    create({ op: 'upsert', by: NO_TEXT }),
    'invalid_request',
  ],
  ['an upsert without a value for its unique field', create({ op: 'upsert', by: 'slug' }), 'invalid_request'],
  ['an upsert by a missing field', create({ op: 'upsert' }), 'invalid_request'],
  ['an update by a visitor', create({ op: 'update', id: 'existing' }), 'forbidden'],
  ['a removal by a visitor', create({ op: 'remove', id: 'existing' }), 'forbidden'],
]

function openStore(): PartitionStore {
  const store = new PartitionStore(memoryStorage())
  store.prepare('hash', MANIFEST, NOW.toISOString())
  write(store, 'seed-mutation', [create({ id: 'existing', fields: { slug: 'taken' } })], 'system')
  return store
}

function write(
  store: PartitionStore,
  mutationId: unknown,
  ops: unknown,
  actor: 'anonymous' | 'system' = 'anonymous',
) {
  const call = { manifest: MANIFEST, actor, partition: 'app', now: NOW }
  return applyMutation(store, call, { mutationId, ops })
}

/** Returns the code with which a write is refused. Rethrows any other error, which the app would log as its own fault. */
function refusalOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
  return 'accepted'
}

describe('an invalid write from a page', () => {
  for (const [what, op, code] of REFUSED)
    test(`a write with ${what} is refused as ${code} and stores nothing, not even the valid operation before it`, () => {
      const store = openStore()
      const before = [store.head(), store.count()]
      assert.equal(
        refusalOf(() => write(store, 'mutation-1', [create({}), op])),
        code,
      )
      assert.deepEqual([store.head(), store.count()], before)
      // The id of a refused write can be used again.
      assert.equal(
        refusalOf(() => write(store, 'mutation-1', [create({})])),
        'accepted',
      )
    })

  test('a record write must have a list of 1 to 100 operations and an id of 8 to 40 characters', () => {
    const store = openStore()
    const many = (count: number) => Array.from({ length: count }, () => create({}))
    for (const ops of [null, {}, 'ops', [], many(101)])
      assert.equal(
        refusalOf(() => write(store, 'mutation-1', ops)),
        'invalid_request',
      )
    for (const id of [null, 12_345_678, ['mutation-1'], 'short', 'x'.repeat(41), 'mutation 1'])
      assert.equal(
        refusalOf(() => write(store, id, [create({})])),
        'invalid_request',
        String(id),
      )
    assert.equal(
      refusalOf(() => write(store, 'mutation-1', many(100))),
      'accepted',
    )
  })

  test('a visitor cannot choose the owner, the revision or the times of a record', () => {
    const store = openStore()
    const system = { id: 'x', rev: 9, createdAt: '1999-01-01', updatedAt: '1999-01-01', ownerId: 'u_ada' }
    const { result } = write(store, 'mutation-1', [
      create({ id: 'new-note', owner: `u_${'a'.repeat(26)}`, fields: { text: 'x', ...system } }),
    ])
    const [record] = result.records
    const at = NOW.toISOString()
    assert.deepEqual(
      [record?.id, record?.ownerId, record?.rev, record?.createdAt, record?.updatedAt],
      ['new-note', null, 1, at, at],
    )
  })
})
