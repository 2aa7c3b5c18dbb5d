import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { ObjectState } from 'cloudflare:workers'
import {
  importObjects,
  type ObjectModules,
  ObjectWorld,
  recordErrors,
  teamId,
  userId,
} from '../../data/partition/objects.test.fixture.ts'
import type { RowPage, RowCursor, StoredRow } from '../../data/partition/transfer.ts'
import type { Manifest } from '../../kernel/manifest.ts'
import { memoryStorage } from '../../kernel/objects/sqlite.test.fixture.ts'
import { importInWorkerd } from '../../kernel/objects/workerd.test.fixture.ts'
import { ROOMS_COLLECTION } from '../../live/store.ts'
import type { ObjectParts } from './parts.ts'

const MANIFEST: Manifest = {
  name: 'Notes',
  migrations: [],
  collections: {
    notes: {
      partition: 'app',
      read: 'public',
      write: 'public',
      title: 'Notes',
      fields: { text: { type: 'text' } },
    },
    tasks: {
      partition: 'team',
      read: 'owner',
      write: 'owner',
      title: 'Tasks',
      fields: { text: { type: 'text' } },
    },
  },
  rooms: [{ room: 'chat', access: 'public' }],
}
const HASH = 'release-1'
const APP = 'data:app'
const [ADA, BOB] = [userId('a'), userId('b')]
const TEAM = teamId('t')

const tablesIn = ({ storage }: ObjectState): string[] =>
  storage.sql
    .exec<{ name: string }>("select name from sqlite_master where type = 'table' order by name")
    .toArray()
    .map(({ name }) => name)

describe('the parts of a Durable Object', () => {
  let parts: { ObjectParts: typeof ObjectParts }
  before(async () => {
    parts = await importInWorkerd(() => import('./parts.ts'))
  })

  function partsOf(name?: string) {
    const storage = memoryStorage()
    const deleteAll = async () => {
      for (const table of tablesIn(ctx)) storage.sql.exec(`drop table "${table}"`)
    }
    const ctx = {
      id: { name },
      storage: { ...storage, setAlarm: async () => {}, deleteAll },
    } as unknown as ObjectState
    return new parts.ObjectParts(ctx, { OBJECTS: { getByName: () => assert.fail('called another object') } })
  }

  test('a component of a Durable Object is created once, even if requested again while its code is loading', async () => {
    const object = partsOf(APP)
    const loading = Promise.withResolvers<string>()
    let created = 0
    const create = () => {
      created++
      return loading.promise
    }
    const both = [object.once(create), object.once(create)]
    loading.resolve('loaded')
    assert.deepEqual(await Promise.all([...both, object.once(create)]), ['loaded', 'loaded', 'loaded'])
    assert.equal(created, 1)
  })

  test('a component of a Durable Object whose code could not be loaded is loaded again at its next use', async () => {
    const object = partsOf(APP)
    let attempt = 0
    const create = async () => {
      if (++attempt === 1) throw new Error('not loaded')
      return attempt
    }
    const both = [object.once(create), object.once(create)]
    assert.deepEqual(
      (await Promise.allSettled(both)).map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    assert.equal(await object.once(create), 2)
    assert.equal(await object.once(create), 2)
  })

  test('emptying a Durable Object waits for a component whose code is loading, so that it leaves no table behind', async () => {
    const object = partsOf(APP)
    const loading = Promise.withResolvers<void>()
    const create = () =>
      loading.promise.then(() => void object.ctx.storage.sql.exec('create table late (id text)'))
    void object.once(create)
    void object.once(() => Promise.reject(new Error('not loaded')))
    const emptied = object.empty()
    loading.resolve()
    await emptied
    assert.deepEqual(tablesIn(object.ctx), ['_hold'])
  })

  test('a Durable Object that was emptied accepts changes and creates its components again', async () => {
    const object = partsOf(APP)
    let created = 0
    const create = () => ++created
    object.once(create)
    object.hold.set(true)
    await object.empty()
    object.hold.require()
    assert.equal(object.once(create), 2)
  })

  test('each kind of Durable Object keeps the alarm names under which earlier releases have stored its alarms', () => {
    const partition = ['hooks', 'inbox', 'outbox', 'push', 'timers', 'vectors']
    const directory = ['mail', 'migrations', 'paid', 'reindex', 'salts', 'videos']
    for (const [name, expected] of [
      [APP, partition],
      [`pv:${APP}`, partition],
      [`data:${ADA}`, partition],
      [`data:${TEAM}`, partition],
      ['sched', ['schedule']],
      ['pv:sched', ['schedule']],
      ['dir', directory],
      ['pv:dir', directory],
      ['files', directory],
      ['room:chat/1', []],
      ['pv:room:chat/1', []],
    ] as const)
      assert.deepEqual(Object.keys(partsOf(name).wakers()).toSorted(), expected, name)
  })

  test('the tier and the partition of a Durable Object are read from its name, and an unknown name has no partition', () => {
    const read = (name?: string) => {
      const { tier, partition, isApp, isTeam, isRoom } = partsOf(name)
      return { tier, partition, isApp, isTeam, isRoom }
    }
    const none = { partition: '', isApp: false, isTeam: false, isRoom: false }
    assert.deepEqual(read(APP), { ...none, tier: 'production', partition: 'app', isApp: true })
    assert.deepEqual(read(`pv:data:${TEAM}`), { ...none, tier: 'preview', partition: TEAM, isTeam: true })
    assert.deepEqual(read('pv:room:data:app'), { ...none, tier: 'preview', isRoom: true })
    for (const name of ['dir', 'xdata:app', 'DATA:app', '', undefined])
      assert.deepEqual(read(name), { ...none, tier: 'production' }, String(name))
  })
})

describe('the parts of the Durable Objects of an app', () => {
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

  const addNotes = async (count: number, name = APP, collection = 'notes') => {
    const ops = Array.from({ length: count }, (_, n) => {
      const id = `note${String(n).padStart(6, '0')}`
      return { op: 'create' as const, collection, id, fields: { text: id } }
    })
    for (let at = 0; at < ops.length; at += 50) {
      const write = { kind: 'write' as const, ops: ops.slice(at, at + 50) }
      assert.match(await world.run(world.stub(name).data(HASH, 'system', write)), /^{"ok":true/)
    }
    await world.settle()
  }
  const roomRows = (count: number): StoredRow[] =>
    Array.from({ length: count }, (_, n) => {
      const id = `chat/1 m ${String(n + 1).padStart(16, '0')}`
      const json = JSON.stringify({ seq: n + 1, event: 'say', data: 'hi', from: null, at: '' })
      return {
        collection: ROOMS_COLLECTION,
        row: { id, owner: null, rev: 0, created_at: '', updated_at: '', json },
      }
    })
  const pagesOf = async (name: string, at = world) => {
    const pages: StoredRow[][] = []
    for (let place: RowCursor | null = null; ;) {
      const { rows, next }: RowPage = await at.run(at.stub(name).rows(place))
      pages.push(rows)
      if (next === null) return pages
      assert.ok(pages.length < 20, 'the pages do not end')
      place = next
    }
  }
  const idsIn = (rows: readonly StoredRow[]) => rows.map(({ collection, row }) => `${collection} ${row.id}`)

  test('copying a partition page by page includes each record and each row of its rooms exactly once', async () => {
    for (const [notes, rows, lengths] of [
      [0, 0, [0]],
      [3, 0, [3]],
      [0, 3, [0, 3]],
      [200, 201, [200, 200, 1]],
      [201, 200, [200, 1, 200]],
    ] as const) {
      world = new ObjectWorld(modules)
      await world.release(HASH, MANIFEST)
      await addNotes(notes)
      if (rows > 0) await world.run(world.stub(APP).takeRows(roomRows(rows)))
      const pages = await pagesOf(APP)
      assert.deepEqual(
        pages.map(({ length }) => length),
        lengths,
        `${notes} records and ${rows} rows of rooms`,
      )
      const ids = idsIn(pages.flat())
      assert.equal(new Set(ids).size, notes + rows)
      assert.deepEqual(
        ids.map((id) => id.startsWith(ROOMS_COLLECTION)),
        [...Array<boolean>(notes).fill(false), ...Array<boolean>(rows).fill(true)],
      )
    }
  })

  test('copying a partition repeatedly stores each record and each row of a room once and unchanged', async () => {
    await addNotes(3)
    await world.run(world.stub(APP).takeRows(roomRows(3)))
    const head = await world.run(world.stub(APP).head())
    const pages = await pagesOf(APP)
    const to = new ObjectWorld(modules)
    await to.release(HASH, MANIFEST)
    for (let time = 0; time < 2; time++) {
      await to.run(to.stub(APP).takeHead(head, { hash: HASH, manifest: MANIFEST }))
      await to.run(to.stub(APP).takeRows(pages.flat()))
    }
    assert.deepEqual((await pagesOf(APP, to)).flat(), pages.flat())
    assert.deepEqual(await to.run(to.stub(APP).head()), head)
  })

  test('copying a live room to another cloud account copies only its rows and creates no table for records', async () => {
    const room = 'room:chat/1'
    assert.deepEqual(await world.run(world.stub(room).head()), { migrations: null })
    await world.run(
      world.stub(room).takeHead({ migrations: JSON.stringify(['m1']) }, { hash: HASH, manifest: MANIFEST }),
    )
    await world.run(world.stub(room).takeRows(roomRows(201)))
    assert.deepEqual(
      (await pagesOf(room)).map(({ length }) => length),
      [200, 1],
    )
    assert.deepEqual(
      world.tablesOf(room).filter((name) => name.startsWith('c_') || name === '_log'),
      [],
    )
  })

  test("the alarm of a team's Durable Object sends records before team changes, and resumes after an interruption", async () => {
    const logged = recordErrors()
    for (const id of [ADA, BOB]) await world.person(id)
    const team = { id: TEAM, name: 'Crew', createdAt: new Date().toISOString(), createdBy: ADA }
    await world.run(world.stub('dir').teams('reserve', team))
    await world.run(world.stub(`data:${TEAM}`).team('create', team))
    await world.settle()
    const sent: string[] = []
    let isReachable = false
    world.before = (object, method, kind) => {
      if (object !== 'dir' || (method !== 'dirApply' && (method !== 'teams' || kind !== 'apply'))) return
      if (!isReachable) throw new Error('not reached')
      sent.push(method)
    }
    const name = `data:${TEAM}`
    await world.run(world.stub(name).prepare(HASH, MANIFEST))
    await addNotes(1, name, 'tasks')
    await world.run(world.stub(name).team('rename', { by: ADA, name: 'Renamed' }))
    await world.settle()
    assert.deepEqual(sent, [])
    await world.alarm(name).catch(() => {})
    assert.deepEqual(sent, [])
    isReachable = true
    world.restart(name)
    await world.alarm(name)
    assert.deepEqual(sent, ['dirApply', 'teams'])
    assert.equal((await world.run(world.stub('dir').teams('newest', { limit: 1 })))[0]?.name, 'Renamed')
    assert.ok(logged.length > 0, 'the failed attempts were logged')
  })
})
