import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { CollectionSpec, Manifest } from '../../kernel/manifest.ts'
import {
  importObjects,
  type ObjectModules,
  ObjectWorld,
  type TestSocket,
  userId,
} from './objects.test.fixture.ts'

const collectionOf = (
  read: CollectionSpec['read'],
  change: Partial<CollectionSpec> = {},
): CollectionSpec => ({
  title: 'Things',
  partition: 'app',
  read,
  write: 'members',
  fields: { text: { type: 'text' } },
  ...change,
})
const MANIFEST: Manifest = {
  name: 'Notes',
  migrations: [],
  collections: {
    open: collectionOf('public'),
    inside: collectionOf('members'),
    mine: collectionOf('owner'),
    office: collectionOf('staff'),
    hidden: collectionOf('nobody'),
  },
}
const HASH = 'release-1'
const APP = 'data:app'
const [ADA, BOB, EVE] = [userId('a'), userId('b'), userId('e')]
const ALL = Object.keys(MANIFEST.collections).join(',')
type Actor = Parameters<ObjectWorld['socket']>[2]
const ada: Actor = { userId: ADA, role: 'member' }
const bob: Actor = { userId: BOB, role: 'member' }
const staff: Actor = { userId: EVE, role: 'staff' }

describe('the sockets of the records of an app', () => {
  let modules: ObjectModules
  let world: ObjectWorld
  before(async () => {
    modules = await importObjects()
  })
  beforeEach(async () => {
    ObjectWorld.install()
    world = new ObjectWorld(modules)
    await world.release(HASH, MANIFEST)
  })
  after(() => ObjectWorld.uninstall())

  const open = (actor: Actor, data = ALL, more = '', hash = HASH) =>
    world.socket(APP, `/_app/data/socket?data=${data}${more}`, actor, { 'slipway-manifest': hash })
  /** Creates records in one transaction, each owned by Ada. */
  async function create(collection: string, ...texts: string[]) {
    const ops = texts.map((text) => ({
      op: 'create' as const,
      collection,
      id: `${collection}-${text}`.padEnd(8, '-'),
      fields: { text },
      owner: ADA,
    }))
    const answer = await world.run(world.stub(APP).data(HASH, 'system', { kind: 'write', ops }))
    assert.match(answer, /^\{"ok":true/)
  }
  /** Removes and returns the ids of the records that a page was told about, by frame. */
  const told = (socket: TestSocket) =>
    socket
      .take('ops')
      .map(({ ops }) =>
        (ops as { id?: string; record?: { id: string } }[]).map((op) => op.id ?? op.record?.id),
      )
  const head = async () => (await open('system')).take('hello')[0]?.['seq'] as number

  test('each page is notified only of changes to records that its user may read', async () => {
    const pages = {
      visitor: await open('anonymous'),
      ada: await open(ada),
      bob: await open(bob),
      staff: await open(staff),
    }
    for (const collection of Object.keys(MANIFEST.collections)) await create(collection, 'a')
    const seen = Object.fromEntries(Object.entries(pages).map(([name, page]) => [name, told(page).flat()]))
    const [free, inside, mine] = ['open-a--', 'inside-a', 'mine-a--']
    assert.deepEqual(seen, {
      visitor: [free],
      ada: [free, inside, mine],
      bob: [free, inside],
      // Staff may read every record.
      staff: [free, inside, mine, 'office-a', 'hidden-a'],
    })
  })

  test('a page that has missed no changes first gets a hello frame with the number of the last change and the id of its person', async () => {
    await create('open', 'a')
    const visitor = await open('anonymous')
    const page = await open(ada)
    assert.deepEqual(
      [visitor.frames, page.frames],
      [[{ type: 'hello', seq: 1, user: null }], [{ type: 'hello', seq: 1, user: ADA }]],
    )
  })

  test('a page that reconnects gets the changes that it missed and may see, in frames of at most 500, before its hello frame', async () => {
    await create('open', 'a')
    const seq = await head()
    for (let batch = 0; batch < 6; batch++) {
      await create('open', ...Array.from({ length: 100 }, (_, i) => `${batch}-${i}`))
      await create('office', `${batch}`)
    }
    const page = await open(ada, ALL, `&after=${seq}`)
    const sizes = page.frames.map(({ type, ops }) => [type, (ops as unknown[] | undefined)?.length])
    assert.deepEqual(sizes, [
      ['ops', 500],
      ['ops', 100],
      ['hello', undefined],
    ])
  })

  test('a page whose last change is newer than the log, as after a restore from a backup, is told to read everything again', async () => {
    await create('open', 'a')
    const page = await open(ada, ALL, '&after=99')
    assert.deepEqual(page.frames, [
      { type: 'reset', seq: 1 },
      { type: 'hello', seq: 1, user: ADA },
    ])
  })

  test('a page may connect with a malformed number of its last change, which is then ignored', async () => {
    await create('open', 'a')
    for (const after of ['', '-1', '1.5', 'x', '1e3', '9'.repeat(16)])
      assert.deepEqual(
        (await open(ada, ALL, `&after=${after}`)).frames.map(({ type }) => type),
        ['hello'],
        after,
      )
  })

  test('a page receives all changes of one transaction in one WebSocket frame', async () => {
    const page = await open(ada)
    await create('open', 'a', 'b')
    assert.deepEqual(told(page), [['open-a--', 'open-b--']])
  })

  test('a change is sent to all open sockets even when one of them is closing', async () => {
    const [closing, other] = [await open(ada), await open(ada)]
    closing.close()
    await create('open', 'a')
    assert.deepEqual([told(closing), told(other)], [[], [['open-a--']]])
  })

  test('after a new release has added a collection, a page of an older release gets only changes of the collections that it knows', async () => {
    const later: Manifest = {
      ...MANIFEST,
      collections: { added: collectionOf('public'), ...MANIFEST.collections },
    }
    const old = await open(ada)
    await world.release('release-2', later)
    const page = await open(ada, `added,${ALL}`, '', 'release-2')
    const ops = [{ op: 'create' as const, collection: 'added', id: 'added-a-', fields: { text: 'a' } }]
    await world.run(world.stub(APP).data('release-2', 'system', { kind: 'write', ops }))
    await create('open', 'a')
    assert.deepEqual([told(old).flat(), told(page).flat()], [['open-a--'], ['added-a-', 'open-a--']])
  })

  test('a page can follow so many collections that their names would exceed what can be stored with a socket', async () => {
    const names = Array.from({ length: 100 }, (_, i) => `collection${'x'.repeat(27)}${i}`.slice(0, 40))
    const collections = Object.fromEntries(names.map((name) => [name, collectionOf('public')]))
    await world.release('wide', { ...MANIFEST, collections })
    const page = await open(ada, names.join(','), '', 'wide')
    world.restart(APP)
    const collection = names.at(-1) ?? ''
    const ops = [{ op: 'create' as const, collection, id: 'a-record', fields: { text: 'a' } }]
    await world.run(world.stub(APP).data('wide', 'system', { kind: 'write', ops }))
    assert.deepEqual(told(page), [['a-record']])
  })

  test('a page that subscribes to a collection a thousand times gets each change of it once', async () => {
    const page = await open(ada, Array.from({ length: 1000 }, () => 'open').join(','))
    await create('open', 'a')
    assert.deepEqual(told(page), [['open-a--']])
  })

  test('a Durable Object with 2000 open sockets refuses another socket until a page leaves', async () => {
    const first = await open(ada, '')
    for (let n = 1; n < 2000; n++)
      await world.stub(APP).fetch(
        new Request('https://app.example.test/_app/data/socket', {
          headers: { upgrade: 'websocket', 'slipway-actor': '"anonymous"', 'slipway-manifest': HASH },
        }),
      )
    await assert.rejects(open(ada), /^AssertionError.*503 /)
    await world.leave(APP, first)
    await open(ada)
  })

  test("signing out closes only the person's sockets, after telling the person's pages that the session has ended", async () => {
    const [page, other, visitor] = [await open(ada), await open(bob), await open('anonymous')]
    page.frames.length = 0
    await world.run(world.stub(APP).closeSockets(ADA))
    assert.deepEqual(
      [page.frames, page.closed, other.closed, visitor.closed],
      [[{ type: 'ended' }], { code: 4001, reason: 'The session has changed.' }, null, null],
    )
    await world.run(world.stub(APP).closeSockets(ADA))
    assert.equal(page.frames.length, 1)
  })
})
