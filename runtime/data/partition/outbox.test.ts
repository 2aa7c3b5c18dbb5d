import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { DirectoryStore } from '../../directory/store.ts'
import type { Manifest } from '../../kernel/manifest.ts'
import { memoryStorage } from '../../kernel/objects/sqlite.test.fixture.ts'
import type { Batch, WriteOp } from '../frames.ts'
import { applyOps } from './mutate.ts'
import { Outbox } from './outbox.ts'
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
      fields: { text: { type: 'text', search: true }, body: { type: 'json' } },
    },
    articles: {
      title: 'Articles',
      partition: 'app',
      read: 'public',
      write: 'public',
      fields: {
        title: { type: 'text' },
        kind: { type: 'enum', values: ['guide'] },
        body: { type: 'text' },
        rank: { type: 'number' },
      },
    },
  },
}

/** Builds an outbox whose clock and failures the test controls. */
function setUp() {
  const store = new PartitionStore(memoryStorage())
  store.prepare('h', MANIFEST, '2026-11-20T00:00:00.000Z')
  const directory = new DirectoryStore(memoryStorage())
  directory.prepare('h', MANIFEST, '2026-11-20T00:00:00.000Z')
  const world = {
    store,
    directory,
    sent: [] as Batch[],
    alarms: [] as number[],
    errors: [] as unknown[],
    /** Called after a batch was applied, before its response arrives. */
    onAnswer: () => {},
    onSend: () => {},
  }
  const open = () =>
    new Outbox({
      store,
      ctx: { waitUntil: () => {} },
      setAlarm: (at) => world.alarms.push(at),
      send: async (batch) => {
        world.onSend()
        world.sent.push(batch)
        directory.apply('app', batch)
        world.onAnswer()
      },
      report: (error) => world.errors.push(error),
    })
  const write = (...ops: WriteOp[]) =>
    applyOps(
      store,
      { manifest: MANIFEST, actor: 'system', partition: 'app', now: new Date('2026-11-20T00:00:00Z') },
      ops,
    ).result.records
  const ids = () => directory.newest('notes', 100).map(({ row }) => row.id)
  return { ...world, world, open, write, ids }
}

const createNote = (text: string, id?: string): WriteOp => ({
  op: 'create',
  collection: 'notes',
  id,
  fields: { text },
})
const throwUnreachable = () => {
  throw new Error('not reachable')
}

describe('the outbox of a partition', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 }))
  afterEach(() => mock.timers.reset())

  test('concurrent writes are sent to the app-wide index in one batch with the last operation of each record', async () => {
    const { world, open, write, ids, directory } = setUp()
    const outbox = open()
    write(createNote('one', 'aaaaaaaa'), createNote('two', 'bbbbbbbb'))
    outbox.requestFlush()
    write({ op: 'update', collection: 'notes', id: 'aaaaaaaa', fields: { text: 'more' } })
    outbox.requestFlush()
    write({ op: 'remove', collection: 'notes', id: 'bbbbbbbb' })
    outbox.requestFlush()
    mock.timers.tick(50)
    await outbox.flush()
    assert.equal(world.sent.length, 1)
    assert.deepEqual(
      world.sent[0]?.ops.map(({ id, row }) => [id, row?.rev]),
      [
        ['aaaaaaaa', 2],
        ['bbbbbbbb', undefined],
      ],
    )
    assert.deepEqual(ids(), ['aaaaaaaa'])
    assert.deepEqual(directory.totals()['notes']?.count, 1)
  })

  test('the first write that the app-wide index has not received yet sets one alarm, and further writes set no alarm', () => {
    const { world, open, write } = setUp()
    const outbox = open()
    for (let i = 0; i < 20; i++) {
      write(createNote(`n ${i}`))
      outbox.requestFlush()
    }
    assert.equal(world.alarms.length, 1)
  })

  test('when the app-wide index is unreachable, the alarm retries with growing delays until every operation is sent', async () => {
    const { world, open, write, ids } = setUp()
    const outbox = open()
    world.onSend = throwUnreachable
    write(createNote('kept', 'aaaaaaaa'))
    for (let round = 0; round < 3; round++) {
      await outbox.wake()
      mock.timers.tick((world.alarms.at(-1) ?? 0) - Date.now())
    }
    assert.deepEqual([world.sent.length, world.errors.length, ids()], [0, 3, []])
    const pauses = world.alarms.map((at, i) => at - (world.alarms[i - 1] ?? 1_000_000))
    assert.deepEqual(pauses, [2000, 4000, 8000])
    world.onSend = () => {}
    await outbox.wake()
    assert.deepEqual(ids(), ['aaaaaaaa'])
  })

  test('operations that a crashed Durable Object left unsent are sent to the app-wide index after its restart', async () => {
    const { open, write, ids } = setUp()
    write(createNote('left over', 'aaaaaaaa'))
    const next = open()
    mock.timers.tick(50)
    await next.flush()
    assert.deepEqual(ids(), ['aaaaaaaa'])
  })

  test('a batch that is sent to the app-wide index twice, because a response was lost, counts its records once', async () => {
    const { world, open, write, ids, directory } = setUp()
    write(createNote('once', 'aaaaaaaa'))
    world.onAnswer = throwUnreachable
    await open().flush()
    world.onAnswer = () => {}
    write(createNote('second', 'bbbbbbbb'))
    await open().flush()
    assert.equal(world.sent.length, 2)
    assert.deepEqual(ids(), ['bbbbbbbb', 'aaaaaaaa'])
    assert.equal(directory.totals()['notes']?.count, 2)
    assert.equal(directory.search('notes', { q: 'once', partitions: null, owner: null, limit: 9 }).length, 1)
  })

  test('a flush of unsent writes that starts during another flush also waits until its own write is sent', async () => {
    const { world, open, write, ids } = setUp()
    const outbox = open()
    write(createNote('first', 'aaaaaaaa'))
    const joined: Promise<void>[] = []
    world.onSend = () => {
      if (joined.length > 0) return
      write(createNote('second', 'bbbbbbbb'))
      joined.push(outbox.flush())
    }
    await outbox.flush()
    await Promise.all(joined)
    assert.deepEqual(ids(), ['bbbbbbbb', 'aaaaaaaa'])
    assert.equal(world.sent.length, 2)
  })

  test('the app-wide index gets only the fields of a large record that lists and searches need', async () => {
    const { open, write, directory } = setUp()
    const body = 'x'.repeat(9000)
    write({ op: 'create', collection: 'notes', id: 'aaaaaaaa', fields: { text: 'findable', body } })
    await open().flush()
    const [found] = directory.search('notes', { q: 'findable', partitions: ['app'], owner: null, limit: 9 })
    assert.deepEqual([found?.isPartial, found?.row.json], [true, '{"text":"findable"}'])
  })

  test('in a collection without a field with `search`, a search finds a large record by its short texts and the beginning of its long text', async () => {
    const { open, write, directory } = setUp()
    const article = { title: 'Repotting ferns', kind: 'guide', body: `Water them. ${'x'.repeat(9000)}` }
    write({ op: 'create', collection: 'articles', id: 'aaaaaaaa', fields: article })
    await open().flush()
    const find = (q: string) =>
      directory.search('articles', { q, partitions: ['app'], owner: null, limit: 9 }).map(({ row }) => row.id)
    assert.deepEqual(
      [find('ferns'), find('guide'), find('water them'), find('guide ferns water')],
      [['aaaaaaaa'], ['aaaaaaaa'], ['aaaaaaaa'], ['aaaaaaaa']],
    )
    const [stored] = directory.newest('articles', 1)
    assert.ok(stored?.isPartial)
    assert.ok(stored.row.json.length < 2200, 'the index stores only the beginning of a long text')
  })

  test('the log keeps operations of any age until the app-wide index has received them', async () => {
    const { open, write, store, ids } = setUp()
    write(createNote('ancient', 'aaaaaaaa'))
    store.trim(new Date('2027-11-20T00:00:00Z'), store.head(), 200)
    assert.equal(store.unsent(9).length, 1)
    await open().flush()
    assert.deepEqual(ids(), ['aaaaaaaa'])
    store.trim(new Date('2027-11-20T00:00:00Z'), store.head(), 200)
    assert.equal(store.since(0), null)
  })
})
