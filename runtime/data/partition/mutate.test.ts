import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '../../kernel/access/actor.ts'
import type { AccessRule, Manifest } from '../../kernel/manifest.ts'
import { memoryStorage } from '../../kernel/objects/sqlite.test.fixture.ts'
import type { WriteOp } from '../frames.ts'
import { applyMutation, applyOps } from './mutate.ts'
import { collectionOf, isInScope, readableScope, writableScope } from '../rules.ts'
import { PartitionStore } from './store.ts'

const manifestWith = (read: AccessRule, write: AccessRule): Manifest => ({
  name: 'App',
  migrations: [],
  collections: {
    notes: { title: 'Notes', partition: 'app', read, write, fields: { text: { type: 'text' } } },
  },
})
const OPEN = manifestWith('public', 'public')

function makeStore(manifest = OPEN): PartitionStore {
  const store = new PartitionStore(memoryStorage())
  store.prepare('hash', manifest, '2026-11-20T00:00:00.000Z')
  return store
}

let count = 0
const createNote = (text: string): WriteOp => ({ op: 'create', collection: 'notes', fields: { text } })
/**
 * Applies a write as a visitor. Marks all log entries as sent to the directory first, because only those may
 * be trimmed.
 */
const applyAsVisitor = (store: PartitionStore, ops: WriteOp[], now = new Date('2026-11-20T00:00:00Z')) => {
  store.acked = store.head()
  return applyMutation(
    store,
    { manifest: OPEN, actor: 'anonymous', partition: 'app', now },
    { mutationId: `mutation-${++count}`, ops },
  )
}

const ACTORS = {
  visitor: 'anonymous',
  owner: { userId: 'u_owner', role: 'member' },
  other: { userId: 'u_other', role: 'member' },
  staff: { userId: 'u_staff', role: 'staff' },
  server: 'system',
} as const
const WORDS: AccessRule[] = ['nobody', 'public', 'members', 'owner', 'team', 'staff']

/** Which actors may read a record of `owner` under each access word. Written by hand, so that it does not repeat the code. */
const READERS: Record<AccessRule, (keyof typeof ACTORS)[]> = {
  nobody: ['staff', 'server'],
  public: ['visitor', 'owner', 'other', 'staff', 'server'],
  members: ['owner', 'other', 'staff', 'server'],
  owner: ['owner', 'staff', 'server'],
  team: ['staff', 'server'],
  staff: ['staff', 'server'],
}
const CREATORS: Record<AccessRule, (keyof typeof ACTORS)[]> = {
  nobody: ['server'],
  public: ['visitor', 'owner', 'other', 'staff', 'server'],
  members: ['owner', 'other', 'staff', 'server'],
  owner: ['owner', 'other', 'staff', 'server'],
  team: ['server'],
  staff: ['staff', 'server'],
}
const CHANGERS: Record<AccessRule, (keyof typeof ACTORS)[]> = {
  ...READERS,
  public: ['staff', 'server'],
}

test('every caller can access exactly the records that the access rules allow', () => {
  for (const word of WORDS)
    for (const [name, actor] of Object.entries(ACTORS)) {
      const collection = collectionOf(manifestWith(word, word), 'notes')
      const reads = isInScope(readableScope(actor, collection), actor, 'u_owner')
      assert.equal(reads, READERS[word].includes(name as never), `${name} reads ${word}`)
      const creates = writableScope(actor, 'create', collection) !== 'none'
      assert.equal(creates, CREATORS[word].includes(name as never), `${name} creates ${word}`)
      for (const kind of ['update', 'remove'] as const) {
        const changes = isInScope(writableScope(actor, kind, collection), actor, 'u_owner')
        assert.equal(changes, CHANGERS[word].includes(name as never), `${name} ${kind}s ${word}`)
      }
    }
})

test('with the access rule "owner" other people can neither list nor change a person\'s record, and staff can change it', () => {
  const manifest = manifestWith('owner', 'owner')
  const store = makeStore(manifest)
  const applyAs = (actor: Actor, ops: WriteOp[]) =>
    applyOps(store, { manifest, actor, partition: 'app', now: new Date() }, ops).result.records[0]
  const record = applyAs(ACTORS.owner, [createNote('mine')])
  assert.equal(record?.ownerId, 'u_owner')
  const change: WriteOp = { op: 'update', collection: 'notes', id: record.id, fields: { text: 'taken' } }
  assert.throws(() => applyAs(ACTORS.other, [change]), { code: 'not_found' })
  assert.throws(() => applyAs(ACTORS.other, [{ op: 'remove', collection: 'notes', id: record.id }]), {
    code: 'not_found',
  })
  assert.throws(() => applyAs('anonymous', [change]), { code: 'unauthorized' })
  assert.equal(applyAs(ACTORS.staff, [change])?.ownerId, 'u_owner')
  const list = (owner: string) =>
    JSON.parse(store.page('hash', 'notes', manifest.collections['notes']!, { query: unsortedQuery(), owner }))
      .items
  assert.deepEqual([list('u_owner').length, list('u_other').length], [1, 0])
})

test("in a collection of personal records, only the person and server code can create that person's records", () => {
  const { notes } = manifestWith('members', 'members').collections
  const manifest: Manifest = {
    name: 'App',
    migrations: [],
    collections: { notes: { ...notes!, partition: 'user' } },
  }
  const store = makeStore(manifest)
  const createAs = (actor: Actor, partition = 'u_owner') =>
    applyOps(store, { manifest, actor, partition, now: new Date() }, [createNote('mine')]).result.records[0]
  assert.equal(createAs(ACTORS.owner)?.ownerId, 'u_owner')
  assert.equal(createAs('system')?.ownerId, 'u_owner')
  for (const actor of [ACTORS.other, ACTORS.staff])
    assert.throws(() => createAs(actor), { code: 'forbidden' })
  assert.throws(() => createAs('system', 'app'), { code: 'invalid_request', field: 'partition' })
})

test('server code can set the owner of a new record, and a person cannot', () => {
  const manifest = manifestWith('members', 'members')
  const store = makeStore(manifest)
  const owner = `u_${'a'.repeat(26)}`
  const createOwnedAs = (actor: Actor, given: string) =>
    applyOps(store, { manifest, actor, partition: 'app', now: new Date() }, [
      { ...createNote('theirs'), owner: given } as WriteOp,
    ]).result.records[0]?.ownerId
  assert.equal(createOwnedAs('system', owner), owner)
  assert.equal(createOwnedAs(ACTORS.other, owner), 'u_other')
  assert.equal(createOwnedAs(ACTORS.staff, owner), 'u_staff')
  for (const wrong of ['', 'app', 't_team', 7, null])
    assert.throws(() => createOwnedAs('system', wrong as string), { code: 'invalid_request', field: 'owner' })
})

test('when one operation fails, the whole transaction and its log entries are rolled back', () => {
  const store = makeStore()
  const missing: WriteOp = { op: 'remove', collection: 'notes', id: 'nothing-here' }
  assert.throws(() => applyAsVisitor(store, [createNote('a'), missing]), { code: 'forbidden' })
  assert.throws(() =>
    applyOps(store, { manifest: OPEN, actor: 'system', partition: 'app', now: new Date() }, [
      createNote('a'),
      missing,
    ]),
  )
  assert.equal(store.head(), 0)
  assert.deepEqual(store.since(0), [])
  applyAsVisitor(store, [createNote('b')])
  assert.equal(store.head(), 1)
})

test('a record may be as large as the limit that the operator has set, measured in bytes', () => {
  const store = new PartitionStore(memoryStorage(), { logDays: 7, recordKb: 128 })
  const wide = manifestWith('public', 'public')
  wide.collections['notes']!.fields['body'] = { type: 'json' }
  store.prepare('hash', wide, '2026-11-20T00:00:00.000Z')
  const write = (body: string) =>
    applyOps(store, { manifest: wide, actor: 'system', partition: 'app', now: new Date() }, [
      { op: 'create', collection: 'notes', fields: { body } },
    ])
  const { length: around } = JSON.stringify({ text: null, body: '' })
  write('x'.repeat(131_072 - around))
  assert.throws(() => write('x'.repeat(131_073 - around)), { code: 'invalid_request' })
  assert.throws(() => write('ü'.repeat(65_536)), { code: 'invalid_request' })
  assert.equal(store.head(), 1)
})

test('a transaction returns the final state of each record, and null for a removed record', () => {
  const store = makeStore()
  const run = (ops: WriteOp[]) =>
    applyOps(store, { manifest: OPEN, actor: 'system', partition: 'app', now: new Date() }, ops).result
      .records
  const records = run([
    { op: 'create', collection: 'notes', id: 'note-one', fields: { text: 'a' } },
    { op: 'create', collection: 'notes', id: 'note-two', fields: { text: 'b' } },
    { op: 'update', collection: 'notes', id: 'note-one', fields: { text: 'c' }, rev: 1 },
    { op: 'remove', collection: 'notes', id: 'note-two' },
  ])
  assert.deepEqual(
    records.map((record) => record && [record['text'], record.rev]),
    [['c', 2], null, ['c', 2], null],
  )
  assert.equal(store.read('notes', 'note-two'), null)
})

test('a transaction with a wrong revision in one operation is rejected as a whole, even if that operation is a removal', () => {
  const store = makeStore()
  const run = (...ops: WriteOp[]) =>
    applyOps(store, { manifest: OPEN, actor: 'system', partition: 'app', now: new Date() }, ops)
  run({ op: 'create', collection: 'notes', id: 'note-one', fields: { text: 'a' } })
  const stale = { collection: 'notes', id: 'note-one', rev: 2 }
  const update: WriteOp = { ...stale, op: 'update', fields: { text: 'b' } }
  for (const op of [update, { ...stale, op: 'remove' as const }])
    assert.throws(() => run(createNote('other'), op), { code: 'conflict' })
  assert.equal(store.count(), 1)
  run({ ...stale, op: 'remove', rev: 1 })
  assert.equal(store.count(), 0)
})

test('a transaction is rejected when its records are too large for its result to be stored', () => {
  const wide = manifestWith('public', 'public')
  wide.collections['notes']!.fields['body'] = { type: 'json' }
  const store = makeStore(wide)
  const write = (ops: WriteOp[]) =>
    applyMutation(
      store,
      { manifest: wide, actor: 'system', partition: 'app', now: new Date() },
      { mutationId: `mutation-${++count}`, ops },
    )
  const ids = Array.from({ length: 20 }, (_, i) => `large-record-${i}`)
  const body = 'x'.repeat(120_000)
  for (const id of ids) write([{ op: 'create', collection: 'notes', id, fields: { body } }])
  const touch = ids.map((id): WriteOp => ({ op: 'update', collection: 'notes', id, fields: { text: 'x' } }))
  assert.throws(() => write(touch), { code: 'invalid_request', field: 'ops' })
  assert.equal(store.head(), 20)
})

test('log operations are numbered without gaps, and can be read from any number on', () => {
  const store = makeStore()
  for (const text of ['a', 'b', 'c']) applyAsVisitor(store, [createNote(text), createNote(text)])
  assert.deepEqual(
    store.since(4)?.map((entry) => entry.seq),
    [5, 6],
  )
  assert.deepEqual(store.since(6), [])
  assert.equal(store.since(7), null)
})

test('the log keeps its newest 10,000 rows, and an older position is reported as too old', () => {
  const store = makeStore()
  for (let i = 0; i < 105; i++)
    applyAsVisitor(
      store,
      Array.from({ length: 100 }, () => createNote('x')),
    )
  assert.equal(store.head(), 10_500)
  assert.ok(store.since(10) === null)
  assert.ok((store.since(10_400)?.length ?? 0) === 100)
  const [kept] = store.run<{ n: number }>('select count(*) as n from log')
  assert.ok(Number(kept?.n) <= 10_200, `${kept?.n} rows are kept`)
})

test('log entries older than a week and mutation ids older than a day are deleted', () => {
  const store = makeStore()
  applyAsVisitor(
    store,
    Array.from({ length: 100 }, () => createNote('old')),
    new Date('2026-11-01T00:00:00Z'),
  )
  for (let i = 0; i < 2; i++)
    applyAsVisitor(
      store,
      Array.from({ length: 100 }, () => createNote('new')),
    )
  assert.ok(store.since(50) === null)
  assert.equal(store.since(200)?.length, 100)
  assert.equal(store.run<{ n: number }>('select count(*) as n from mutations')[0]?.n, 2)
  assert.equal(
    JSON.parse(
      store.page('hash', 'notes', OPEN.collections['notes']!, { query: unsortedQuery(), owner: null }),
    ).items.length,
    1,
  )
})

test('the operation number continues to increase after the log was emptied', () => {
  const storage = memoryStorage()
  const store = new PartitionStore(storage)
  store.prepare('hash', OPEN, '2026-11-20T00:00:00.000Z')
  applyAsVisitor(
    store,
    Array.from({ length: 100 }, () => createNote('x')),
  )
  assert.equal(new PartitionStore(storage).head(), 100)
  store.acked = 100
  store.trim(new Date('2027-11-20T00:00:00Z'), 100, 200)
  assert.equal(store.run<{ n: number }>('select count(*) as n from log')[0]?.n, 0)
  const again = new PartitionStore(storage)
  assert.equal(again.head(), 100)
  applyAsVisitor(again, [createNote('y')])
  assert.equal(again.head(), 101)
  assert.deepEqual(
    again.since(100)?.map(({ seq }) => seq),
    [101],
  )
})

const unsortedQuery = () => ({
  conditions: [],
  sort: { field: 'createdAt', isDescending: false },
  limit: 1,
  cursor: null,
})
