import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CollectionSpec, FieldSpec, Manifest } from '../../kernel/manifest.ts'
import { memoryStorage } from '../../kernel/objects/sqlite.test.fixture.ts'
import type { WriteOp } from '../frames.ts'
import { referrers } from './links.ts'
import { applyOps } from './mutate.ts'
import { referencedAppRecords, FOLLOWERS_MAX, refKey } from './refs.ts'
import { PartitionStore } from './store.ts'
import { sweepRefs } from './sweep.ts'

const NOW = new Date('2026-11-20T00:00:00Z')
const AT = NOW.toISOString()

const collectionWith = (
  fields: Record<string, FieldSpec>,
  partition: 'app' | 'user' = 'app',
): CollectionSpec => ({
  title: 'X',
  partition,
  read: 'public',
  write: 'public',
  fields,
})
const appOf = (collections: Record<string, CollectionSpec>): Manifest => ({
  name: 'App',
  migrations: [],
  collections,
})
const roomRef = (more: Partial<FieldSpec>): FieldSpec => ({ type: 'ref', ref: 'rooms', ...more })
const ROOMS = collectionWith({ name: { type: 'text' } })
const HOUSE = appOf({
  rooms: ROOMS,
  tags: collectionWith({}),
  lamps: collectionWith({ room: roomRef({ onRemove: 'refuse' }) }),
  plants: collectionWith({
    room: roomRef({ onRemove: 'clear' }),
    tags: { type: 'list', ref: 'tags', onRemove: 'clear' },
    mustTags: { type: 'list', ref: 'tags', onRemove: 'refuse' },
  }),
  windows: collectionWith({ room: roomRef({ onRemove: 'cascade' }) }),
  panes: collectionWith({ window: { type: 'ref', ref: 'windows', onRemove: 'cascade' } }),
})

function openHouse(manifest = HOUSE) {
  const store = new PartitionStore(memoryStorage())
  store.prepare('hash', manifest, AT)
  const run = (...ops: WriteOp[]) =>
    applyOps(store, { manifest, actor: 'system', partition: 'app', now: NOW }, ops)
  const fieldsOf = (name: string, id: string) => JSON.parse(store.read(name, id)?.json ?? 'null')
  return { store, run, fieldsOf }
}
const createOp = (name: string, id: string, fields: Record<string, unknown> = {}): WriteOp => ({
  op: 'create',
  collection: name,
  id,
  fields,
})
const removeOp = (name: string, id: string): WriteOp => ({ op: 'remove', collection: name, id })

test('a record cannot be removed while a reference with onRemove "refuse" points to it', () => {
  const { store, run } = openHouse()
  run(createOp('rooms', 'room-one'), createOp('lamps', 'lamp-one', { room: 'room-one' }))
  assert.throws(() => run(removeOp('rooms', 'room-one')), { code: 'conflict', message: /lamps/ })
  run(removeOp('lamps', 'lamp-one'))
  run(removeOp('rooms', 'room-one'))
  assert.equal(store.count(), 0)
})

test('removing a record clears the references to it in fields and lists, and logs these changes', () => {
  const { store, run, fieldsOf } = openHouse()
  run(createOp('rooms', 'room-one'), createOp('tags', 'tag-first'), createOp('tags', 'tag-other'))
  run(createOp('plants', 'plant-one', { room: 'room-one', tags: ['tag-first', 'tag-other'] }))
  const { log } = run(removeOp('rooms', 'room-one'), removeOp('tags', 'tag-first'))
  assert.deepEqual(fieldsOf('plants', 'plant-one'), { room: null, tags: ['tag-other'], mustTags: null })
  assert.equal(store.read('plants', 'plant-one')?.rev, 3)
  assert.deepEqual(
    log.map(({ collection: name, row }) => [name, row?.rev ?? null]),
    [
      ['rooms', null],
      ['tags', null],
      ['plants', 2],
      ['plants', 3],
    ],
  )
})

test('removing a record also removes the records that refer to it with onRemove "cascade", at every level', () => {
  const { store, run } = openHouse()
  run(createOp('rooms', 'room-one'), createOp('windows', 'window-1', { room: 'room-one' }))
  run(createOp('panes', 'pane-one', { window: 'window-1' }), createOp('panes', 'pane-two'))
  const { result, log } = run(removeOp('rooms', 'room-one'))
  assert.deepEqual(result.records, [null])
  assert.deepEqual(
    log.map(({ collection: name }) => name),
    ['rooms', 'windows', 'panes'],
  )
  assert.equal(store.count(), 1)
})

test('a removal that would cascade to more than 500 records is rejected and changes nothing', () => {
  const { store, run } = openHouse()
  run(createOp('rooms', 'room-one'))
  const windows = Array.from({ length: FOLLOWERS_MAX + 1 }, (_, i) =>
    createOp('windows', `window-${i}`, { room: 'room-one' }),
  )
  for (let from = 0; from < windows.length; from += 100) run(...windows.slice(from, from + 100))
  assert.throws(() => run(removeOp('rooms', 'room-one')), { code: 'conflict', message: /More than 500/ })
  assert.equal(store.count(), FOLLOWERS_MAX + 2)
  run(removeOp('windows', 'window-0'))
  run(removeOp('rooms', 'room-one'))
  assert.equal(store.count(), 0)
})

test('references are checked at the end of a transaction, whatever the order of its operations', () => {
  const { store, run } = openHouse()
  run(createOp('lamps', 'lamp-one', { room: 'room-one' }), createOp('rooms', 'room-one'))
  run(removeOp('rooms', 'room-one'), removeOp('lamps', 'lamp-one'))
  assert.equal(store.count(), 0)
  run(createOp('rooms', 'room-one'), createOp('lamps', 'lamp-one', { room: 'room-one' }))
  run(removeOp('rooms', 'room-one'), createOp('rooms', 'room-one', { name: 'again' }))
  assert.equal(store.count(), 2)
  const change: WriteOp = { op: 'update', collection: 'lamps', id: 'lamp-one', fields: { room: 'room-two' } }
  assert.throws(() => run(change), { code: 'invalid_request', field: 'room' })
  run(change, createOp('rooms', 'room-two'), removeOp('rooms', 'room-one'))
  assert.equal(store.read('rooms', 'room-one'), null)
})

test('a reference list with an unknown id is rejected with an error that names the field', () => {
  const { store, run } = openHouse()
  run(createOp('tags', 'tag-first'))
  const plant = (tags: unknown) => run(createOp('plants', 'plant-one', { tags }))
  for (const tags of [['tag-first', 'nothing'], [7], 'tag-first', ['x'.repeat(65)]])
    assert.throws(() => plant(tags), { code: 'invalid_request', field: 'tags' })
  assert.equal(store.count(), 1)
  plant(['tag-first'])
  run({ op: 'update', collection: 'plants', id: 'plant-one', fields: { mustTags: ['tag-first'] } })
  assert.throws(() => run(removeOp('tags', 'tag-first')), { code: 'conflict' })
})

test('by default, removing a record clears optional references to it, and a required reference prevents the removal', () => {
  const old = appOf({
    rooms: ROOMS,
    plants: collectionWith({ room: roomRef({}) }),
    lamps: collectionWith({ room: roomRef({ required: true }) }),
  })
  const { run, fieldsOf } = openHouse(old)
  run(createOp('rooms', 'room-one'), createOp('plants', 'plant-one', { room: 'room-one' }))
  run(createOp('rooms', 'room-two'), createOp('lamps', 'lamp-one', { room: 'room-two' }))
  run(removeOp('rooms', 'room-one'))
  assert.deepEqual(fieldsOf('plants', 'plant-one'), { room: null })
  assert.throws(() => run(removeOp('rooms', 'room-two')), { code: 'conflict' })
})

test('a newer release\'s onRemove "refuse" also stops an older release, and a removal clears references that only an older release declares', () => {
  const older = appOf({ rooms: ROOMS, beds: collectionWith({ room: roomRef({ onRemove: 'refuse' }) }) })
  const newer = appOf({ rooms: ROOMS, plants: collectionWith({ room: roomRef({ onRemove: 'refuse' }) }) })
  const store = new PartitionStore(memoryStorage())
  store.prepare('older', older, '2026-11-19T00:00:00.000Z')
  store.prepare('newer', newer, AT)
  const as = (manifest: Manifest, ...ops: WriteOp[]) =>
    applyOps(store, { manifest, actor: 'system', partition: 'app', now: NOW }, ops)
  as(newer, createOp('rooms', 'room-one'), createOp('plants', 'plant-one', { room: 'room-one' }))
  assert.throws(() => as(older, removeOp('rooms', 'room-one')), { code: 'conflict' })
  as(older, createOp('rooms', 'room-two'), createOp('beds', 'bed-first', { room: 'room-two' }))
  as(newer, removeOp('rooms', 'room-two'))
  assert.deepEqual(JSON.parse(store.read('beds', 'bed-first')?.json ?? ''), { room: null })
})

test('a release that newly declares a reference clears existing dangling references once', () => {
  const before = appOf({
    rooms: ROOMS,
    plants: collectionWith({ room: { type: 'text' }, tags: { type: 'list' } }),
  })
  const after = appOf({
    rooms: ROOMS,
    plants: collectionWith({
      room: roomRef({ onRemove: 'refuse' }),
      tags: { type: 'list', ref: 'rooms', onRemove: 'clear' },
    }),
  })
  const { store, run, fieldsOf } = openHouse(before)
  run(createOp('rooms', 'room-one'))
  run(createOp('plants', 'plant-one', { room: 'room-one', tags: ['room-one'] }))
  run(createOp('plants', 'plant-two', { room: 'lost', tags: ['lost', 'room-one'] }))
  store.prepare('after', after, AT)
  sweepRefs(store, after, { partition: 'app', at: AT, isMigrated: false })
  assert.deepEqual(fieldsOf('plants', 'plant-one'), { room: 'room-one', tags: ['room-one'] })
  assert.deepEqual(fieldsOf('plants', 'plant-two'), { room: null, tags: ['room-one'] })
  const head = store.head()
  sweepRefs(store, after, { partition: 'app', at: AT, isMigrated: true })
  assert.equal(store.head(), head)
})

test("a person's record may refer to the app's records only if a look-up has found all of them", () => {
  const manifest = appOf({
    rooms: ROOMS,
    favourites: collectionWith({ room: roomRef({}), all: { type: 'list', ref: 'rooms' } }, 'user'),
  })
  const store = new PartitionStore(memoryStorage())
  store.prepare('hash', manifest, AT)
  const partition = `u_${'a'.repeat(26)}`
  const write = (fields: Record<string, unknown>, known: string[]) =>
    applyOps(
      store,
      {
        manifest,
        actor: 'system',
        partition,
        now: NOW,
        known: new Set(known.map((id) => refKey('rooms', id))),
      },
      [createOp('favourites', 'favourite', fields)],
    )
  const fields = { room: 'room-one', all: ['room-one', 'room-two'] }
  const asked = referencedAppRecords(manifest, partition, [createOp('favourites', 'favourite', fields)])
  assert.deepEqual([...(asked.get('rooms') ?? [])], ['room-one', 'room-two'])
  assert.throws(() => write(fields, ['room-one']), { code: 'invalid_request', field: 'all' })
  write(fields, ['room-one', 'room-two'])
  // Records of the app may be removed at any time. A reference that a write does not change is therefore not
  // checked again.
  const rename: WriteOp = { op: 'update', collection: 'favourites', id: 'favourite', fields: { room: null } }
  applyOps(store, { manifest, actor: 'system', partition, now: NOW }, [rename])
})

test('reading the references of malformed write operations finds no references and throws no exception', () => {
  const manifest = appOf({ rooms: ROOMS, notes: collectionWith({ room: roomRef({}) }, 'user') })
  for (const ops of [
    null,
    7,
    'x',
    [null],
    [7],
    [{}],
    [{ collection: {}, fields: 7 }],
    [{ collection: 'notes' }],
  ])
    assert.equal(referencedAppRecords(manifest, 'u_x', ops).size, 0)
})

test('finding the records that refer to a record uses an index, also for list fields', () => {
  const { store } = openHouse()
  const explained = {
    run: <Row>(sql: string, ...values: unknown[]) => store.run<Row>(`explain query plan ${sql}`, ...values),
  }
  for (const [name, field, isList] of [
    ['lamps', 'room', false],
    ['plants', 'tags', true],
  ] as const) {
    const ref = { collection: name, field, target: 'any', isList, onRemove: 'refuse' as const }
    const plan = referrers(explained, ref, 'some-record', 1) as unknown as { detail: string }[]
    assert.ok(plan.length > 0)
    for (const { detail } of plan) assert.match(detail, /^SEARCH/)
  }
})
