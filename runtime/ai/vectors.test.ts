import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyOps } from '../data/partition/mutate.ts'
import type { WriteOp } from '../data/frames.ts'
import { PartitionStore } from '../data/partition/store.ts'
import { ApiError } from '../kernel/errors.ts'
import type { Manifest } from '../kernel/manifest.ts'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import { ObjectVectors } from './vectors.ts'

const WORDS = ['fern', 'shade', 'cake', 'sugar']
/** Replaces the embedding model: the vector of a text counts how often each of four words occurs. */
const meaningOf = (text: string) => WORDS.map((word) => text.split(word).length - 1)

const noteId = (name: string) => `note-${name}`.padEnd(8, '-')
const nameOf = (id: string) => id.slice('note-'.length).replace(/-+$/, '')

const manifestWith = (similar: boolean): Manifest => ({
  name: 'Notes',
  migrations: [],
  collections: {
    notes: {
      title: 'Notes',
      partition: 'app',
      read: 'public',
      write: 'public',
      fields: { text: { type: 'text', similar }, stars: { type: 'integer' } },
    },
  },
})

function openVectors() {
  const storage = memoryStorage()
  const store = new PartitionStore(storage)
  const world = {
    manifest: manifestWith(true),
    asked: [] as string[][],
    alarms: [] as number[],
    failure: null as Error | null,
    /** The number of vectors that the model's response lacks. */
    missing: 0,
  }
  const make = () =>
    new ObjectVectors({
      storage,
      alarms: { set: (_kind, at) => void world.alarms.push(Math.round((at - Date.now()) / 100) * 100) },
      manifest: () => world.manifest,
      embed: async (texts) => {
        world.asked.push(texts)
        if (world.failure !== null) throw world.failure
        return texts.slice(world.missing).map(meaningOf)
      },
      report: () => undefined,
    })
  store.prepare('hash', world.manifest, new Date().toISOString())
  const run = (...ops: WriteOp[]) =>
    applyOps(store, { manifest: world.manifest, actor: 'system', partition: 'app', now: new Date() }, ops)
  const note = (id: string, text: string | null): WriteOp => ({
    op: 'create',
    collection: 'notes',
    id: noteId(id),
    fields: { text },
  })
  const nearestIds = (vectors: ObjectVectors, text: string, owner: string | null = null) =>
    vectors.nearest('notes', { vector: meaningOf(text), limit: 10, owner }).map(({ id }) => nameOf(id))
  return { world, storage, make, run, note, near: nearestIds }
}

test('a search by meaning returns the closest records first, once an alarm has created their vectors', async () => {
  const { world, make, run, note, near } = openVectors()
  const vectors = make()
  run(note('a', 'fern in the shade'), note('b', 'cake with sugar'), note('c', 'fern'), note('d', null))
  vectors.see(['notes'])
  assert.deepEqual([world.alarms.length, near(vectors, 'fern')], [1, []])
  await vectors.wake()
  assert.deepEqual(near(vectors, 'fern'), ['c', 'a', 'b'])
  assert.deepEqual(
    world.asked.map((texts) => texts.toSorted()),
    [['cake with sugar', 'fern', 'fern in the shade']],
  )
  assert.deepEqual([...(vectors.vectorOf('notes', noteId('c')) ?? [])], [1, 0, 0, 0])
  assert.equal(vectors.vectorOf('notes', noteId('d')), null)
})

test('a vector is computed again only when its text has changed, and deleted with its record', async () => {
  const { world, storage, make, run, note, near } = openVectors()
  const vectors = make()
  run(note('a', 'fern'), note('b', 'cake'))
  await vectors.wake()
  run({ op: 'update', collection: 'notes', id: noteId('a'), fields: { stars: 5 } })
  run({ op: 'update', collection: 'notes', id: noteId('b'), fields: { text: 'sugar' } })
  await vectors.wake()
  assert.deepEqual(world.asked.slice(1), [['sugar']])
  run({ op: 'remove', collection: 'notes', id: noteId('a') })
  assert.deepEqual(near(vectors, 'fern'), ['b'])
  run({ op: 'update', collection: 'notes', id: noteId('b'), fields: { text: null } })
  await vectors.wake()
  assert.deepEqual(
    storage.sql
      .exec<object>('select id, text, vector from _vectors')
      .toArray()
      .map((row) => ({ ...row })),
    [{ id: noteId('b'), text: '', vector: null }],
  )
})

test('a long text is cut for its vector without leaving half of an emoji, which the model would refuse', async () => {
  const { world, make, run, note } = openVectors()
  run(note('a', `${'x'.repeat(3999)}🌿 fern`))
  await make().wake()
  const [[sent = ''] = []] = world.asked
  assert.deepEqual([sent.length, sent.isWellFormed()], [4000, true])
})

test('after a failure the next alarm computes the missing vectors, with at most 50 texts per model call', async () => {
  const { world, make, run, note, near } = openVectors()
  run(...Array.from({ length: 60 }, (_, i) => note(`n${i}`, `fern ${i}`)))
  world.failure = new ApiError('model_error', 'The model failed.')
  await make().wake()
  assert.deepEqual(world.alarms, [300_000])
  world.failure = null
  const restarted = make()
  await restarted.wake()
  assert.deepEqual(
    world.asked.slice(1).map((texts) => texts.length),
    [50, 10],
  )
  assert.equal(near(restarted, 'fern').length, 10)
})

test('missing vectors are computed within an hour when the AI budget is used up, or after the next write when AI is off', async () => {
  const { world, make, run, note } = openVectors()
  run(note('a', 'fern'))
  world.failure = new ApiError('rate_limited', 'Used up.', { retryAfterSeconds: 86_400 })
  await make().wake()
  assert.deepEqual(world.alarms, [3_600_000])
  world.failure = new ApiError('not_enabled', 'No models.')
  const vectors = make()
  await vectors.wake()
  assert.equal(world.alarms.length, 1)
  vectors.see(['others'])
  assert.equal(world.alarms.length, 1)
  vectors.see(['notes'])
  assert.equal(world.alarms.length, 2)
})

test('a release that declares no field for search by meaning deletes the stored vectors', async () => {
  const { world, storage, make, run, note } = openVectors()
  run(note('a', 'fern'))
  const vectors = make()
  await vectors.wake()
  world.manifest = manifestWith(false)
  vectors.prepared()
  assert.equal(world.alarms.length, 1)
  await vectors.wake()
  assert.deepEqual(storage.sql.exec('select * from _vectors').toArray(), [])
})

test("a search by meaning compares only the caller's own records when the caller may read no others", async () => {
  const { world, storage, make, run, note } = openVectors()
  run(note('a', 'fern'), note('b', 'fern'))
  storage.sql.exec("update c_notes set owner = 'u_1' where id = ?", noteId('b'))
  const vectors = make()
  await vectors.wake()
  const found = vectors.nearest('notes', { vector: meaningOf('fern'), limit: 10, owner: 'u_1' })
  assert.deepEqual(
    found.map(({ id, score }) => [nameOf(id), Math.round(score)]),
    [['b', 1]],
  )
  assert.equal(world.asked.length, 1)
})

test('after a model has returned too few vectors, the next attempt is five minutes later', async () => {
  const { world, make, run, note, near } = openVectors()
  const vectors = make()
  run(note('a', 'fern'), note('b', 'cake'))
  world.missing = 1
  await vectors.wake()
  assert.equal(world.asked.length, 1)
  assert.deepEqual(world.alarms, [300_000])
  world.missing = 0
  await vectors.wake()
  assert.deepEqual(near(vectors, 'fern'), ['a', 'b'])
})
