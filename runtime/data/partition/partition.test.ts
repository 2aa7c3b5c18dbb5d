import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Manifest } from '../../kernel/manifest.ts'
import type { PartitionCall } from '../frames.ts'
import {
  importObjects,
  type ObjectModules,
  ObjectWorld,
  teamId,
  type TestSocket,
  userId,
} from './objects.test.fixture.ts'

const MANIFEST: Manifest = {
  name: 'Plants',
  migrations: [],
  collections: {
    plants: {
      title: 'Plants',
      partition: 'app',
      read: 'public',
      write: 'members',
      fields: { name: { type: 'text', required: true } },
    },
    secrets: {
      title: 'Secrets',
      partition: 'app',
      read: 'owner',
      write: 'owner',
      fields: { name: { type: 'text' } },
    },
    notes: {
      title: 'Notes',
      partition: 'user',
      read: 'owner',
      write: 'owner',
      fields: { text: { type: 'text' }, plant: { type: 'ref', ref: 'plants' } },
    },
    tasks: {
      title: 'Tasks',
      partition: 'team',
      read: 'team',
      write: 'team',
      fields: { text: { type: 'text' }, plant: { type: 'ref', ref: 'plants' } },
    },
  },
}
const HASH = 'release-1'
const [ADA, BOB] = [userId('a'), userId('b')]
const TEAM = teamId('t')
const [APP, OWN] = ['data:app', `data:${ADA}`]
const ada = { userId: ADA, role: 'member' } as const
const bob = { userId: BOB, role: 'member' } as const

describe('a Durable Object that stores records', () => {
  let modules: ObjectModules
  let world: ObjectWorld
  let n = 0
  before(async () => {
    modules = await importObjects()
  })
  beforeEach(async () => {
    ObjectWorld.install()
    world = new ObjectWorld(modules)
    await world.release(HASH, MANIFEST)
    for (const id of [ADA, BOB]) await world.person(id)
  })
  after(() => ObjectWorld.uninstall())

  const open = (name: string, actor: typeof ada, data: string, more = '') =>
    world.socket(name, `/_app/data/socket?data=${data}${more}`, actor, { 'slipway-manifest': HASH })
  const mutation = (...ops: object[]) => ({ type: 'mutate', mutationId: `mutation-${++n}`, ops })
  const create = (collection: string, fields: object, id?: string) => ({
    op: 'create',
    collection,
    fields,
    id,
  })
  const outcomes = (socket: TestSocket) =>
    socket.frames
      .filter(({ type }) => type === 'ack' || type === 'nack')
      .map(({ type, mutationId, code }) => [type, mutationId, code])
  const plant = async (id: string, actor: typeof ada | 'system' = 'system') => {
    const call = {
      kind: 'write' as const,
      ops: [{ op: 'create' as const, collection: 'plants', id, fields: { name: id } }],
    }
    return JSON.parse(await world.run(world.stub(APP).data(HASH, actor, call))) as { ok: boolean }
  }
  const listed = async (name: string, collection: string, actor: typeof ada | 'system' = 'system') => {
    const call = { kind: 'list' as const, collection, query: {} }
    const answer = JSON.parse(await world.run(world.stub(name).data(HASH, actor, call))) as {
      value: { items: Record<string, unknown>[] }
    }
    return answer.value.items
  }
  /** Delays the look-ups of app records by other partitions, until the test calls the returned `resolve` or `reject`. */
  const delayLookUps = () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    world.before = (object, method) => (object === APP && method === 'holding' ? promise : undefined)
    return { resolve, reject }
  }
  const prepareOwn = async () => {
    await world.run(world.stub(OWN).prepare(HASH, MANIFEST))
    return open(OWN, ada, 'notes')
  }

  test("writes sent over one WebSocket are applied in order, even if an earlier one waits for a look-up of the app's records", async () => {
    await plant('plant-01')
    const page = await prepareOwn()
    const lookUps = delayLookUps()
    const [first, second] = [
      mutation(create('notes', { text: 'one', plant: 'plant-01' }, 'note-0001')),
      mutation({ op: 'update', collection: 'notes', id: 'note-0001', fields: { text: 'two' } }),
    ]
    for (const frame of [first, second]) await world.deliver(OWN, page, frame)
    await world.pass()
    assert.deepEqual(outcomes(page), [])
    lookUps.resolve()
    await world.settle()
    assert.deepEqual(outcomes(page), [
      ['ack', first.mutationId, undefined],
      ['ack', second.mutationId, undefined],
    ])
    assert.equal((await listed(OWN, 'notes'))[0]?.['text'], 'two')
  })

  test("when the app's Durable Object is unreachable, only writes that refer to its records are refused, as unavailable", async () => {
    const page = await prepareOwn()
    const lookUps = delayLookUps()
    const [first, second] = [
      mutation(create('notes', { plant: 'plant-01' })),
      mutation(create('notes', { text: 'free' })),
    ]
    for (const frame of [first, second]) await world.deliver(OWN, page, frame)
    lookUps.reject(new Error('overloaded'))
    await world.settle()
    assert.deepEqual(outcomes(page), [
      ['nack', first.mutationId, 'unavailable'],
      ['ack', second.mutationId, undefined],
    ])
    // The page sends the refused change again, under the same id.
    world.before = () => {}
    await plant('plant-01')
    await world.deliver(OWN, page, first)
    await world.settle()
    assert.deepEqual(outcomes(page).at(-1), ['ack', first.mutationId, undefined])
  })

  test('a write that is still waiting when its WebSocket closes is not applied, so that the page can send it again', async () => {
    await plant('plant-01')
    const page = await prepareOwn()
    const lookUps = delayLookUps()
    const frame = mutation(create('notes', { plant: 'plant-01' }))
    await world.deliver(OWN, page, frame)
    await world.leave(OWN, page)
    lookUps.resolve()
    await world.settle()
    assert.deepEqual(await listed(OWN, 'notes'), [])
    const again = await open(OWN, ada, 'notes')
    await world.deliver(OWN, again, frame)
    await world.settle()
    assert.equal((await listed(OWN, 'notes')).length, 1)
  })

  test('a WebSocket frame that is binary, not JSON, of an unknown type or above 1 MiB closes the connection with code 1008', async () => {
    const big = JSON.stringify(mutation(create('plants', { name: 'x'.repeat(1024 * 1024) })))
    for (const frame of [new ArrayBuffer(8), '{', 'null', '{"type":"query"}', '[]', big]) {
      const page = await open(APP, ada, 'plants')
      await world.deliver(APP, page, frame)
      assert.equal(page.closed?.code, 1008)
    }
    assert.deepEqual(await listed(APP, 'plants'), [])
  })

  test("a Durable Object without the manifest of a page's release closes the page's WebSocket with code 1012 at its next write", async () => {
    const page = await open(APP, ada, 'plants')
    await world.run(world.stub(APP).wipe())
    world.restart(APP)
    await world.deliver(APP, page, mutation(create('plants', { name: 'a' })))
    assert.equal(page.closed?.code, 1012)
  })

  test('writes that still arrive on the WebSocket of a signed-out person are ignored', async () => {
    const page = await open(APP, ada, 'plants')
    await world.run(world.stub(APP).closeSockets(ADA))
    assert.deepEqual(page.take('ended'), [{ type: 'ended' }])
    await world.deliver(APP, page, mutation(create('plants', { name: 'late' })))
    await world.settle()
    assert.deepEqual(await listed(APP, 'plants'), [])
    assert.equal(page.closed?.code, 4001)
  })

  test("closing a person's WebSockets leaves the WebSockets of other people open", async () => {
    const [hers, his] = [await open(APP, ada, 'plants'), await open(APP, bob, 'plants')]
    await world.run(world.stub(APP).closeSockets(ADA))
    await plant('plant-01')
    await world.settle()
    assert.deepEqual([hers.take('ops').length, his.take('ops').length], [0, 1])
  })

  test('a refused change returns the stored record only to a person who may read the record', async () => {
    const mine = await open(APP, ada, 'secrets')
    await world.deliver(APP, mine, mutation(create('secrets', { name: 'hers' }, 'secret-1')))
    await world.settle()
    const wrong = { op: 'update', collection: 'secrets', id: 'secret-1', fields: { name: 'x' }, rev: 9 }
    await world.deliver(APP, mine, mutation(wrong))
    const theirs = await open(APP, bob, 'secrets')
    await world.deliver(APP, theirs, mutation(wrong))
    const [toOwner] = mine.take('nack')
    const [toOther] = theirs.take('nack')
    assert.deepEqual(
      [toOwner?.['code'], (toOwner?.['record'] as { name: string } | undefined)?.name],
      ['conflict', 'hers'],
    )
    assert.deepEqual([toOther?.['code'], 'record' in (toOther ?? {})], ['not_found', false])
  })

  test('a refused change returns no record if it is for several records, a new one or an unknown collection', async () => {
    await plant('plant-01')
    const page = await open(APP, ada, 'plants')
    const bad = { op: 'update', collection: 'plants', id: 'plant-01', fields: { name: null } }
    const refused: unknown[] = [
      [bad, bad],
      [create('plants', { name: 'again' }, 'plant-01')],
      [{ ...bad, collection: 'constructor' }],
      [{ ...bad, id: 7 }],
      [{ ...bad, collection: ['plants'] }],
      [{ ...bad, collection: { toString: null, valueOf: null } }],
      [null],
      'all',
      undefined,
    ]
    for (const ops of refused)
      await world.deliver(APP, page, { type: 'mutate', mutationId: `mutation-${++n}`, ops })
    const nacks = page.take('nack')
    assert.equal(nacks.length, refused.length)
    for (const nack of nacks) assert.ok(!('record' in nack), JSON.stringify(nack))
    assert.equal(page.closed, null)
  })

  test('reading records is refused if the id, condition, order or cursor has the wrong type', async () => {
    await plant('plant-01')
    const read = async (call: object) => {
      const text = await world.run(
        world.stub(APP).data(HASH, 'system', { collection: 'plants', ...call } as PartitionCall),
      )
      const { error } = JSON.parse(text) as { error?: { code: string; field?: string } }
      return [error?.code, error?.field]
    }
    for (const value of [5, true, ['plant-01'], {}, { toString: null, valueOf: null }]) {
      assert.deepEqual(await read({ kind: 'get', id: value }), ['not_found', undefined])
      assert.deepEqual(await read({ kind: 'list', query: { sort: value } }), ['invalid_request', 'sort'])
      assert.deepEqual(await read({ kind: 'list', query: { cursor: value } }), ['invalid_request', 'cursor'])
    }
    for (const where of [5, true, 'name', ['name'], { other: 1 }]) {
      const [code] = await read({ kind: 'count', where })
      assert.equal(code, 'invalid_request', JSON.stringify(where))
    }
    for (const query of [5, 'all', null]) assert.equal((await read({ kind: 'list', query }))[0], undefined)
  })

  test('while an app is copied to another cloud account, writes are refused as unavailable, and reads continue', async () => {
    await plant('plant-01')
    const page = await open(APP, ada, 'plants')
    await world.run(world.stub(APP).hold(true))
    world.restart(APP)
    await world.deliver(APP, page, mutation(create('plants', { name: 'b' })))
    assert.equal(page.take('nack')[0]?.['code'], 'unavailable')
    assert.deepEqual(await plant('plant-02'), {
      ok: false,
      error: {
        code: 'unavailable',
        message: 'The app is being moved and accepts no changes right now. Try again in a few minutes.',
      },
    })
    const added = await world.run(
      world.stub(APP).addRecords(HASH, {
        collection: 'plants',
        records: [{ id: 'plant-03', fields: { name: 'c' } }],
      } as never),
    )
    assert.equal((added as { code?: string } | null)?.code, 'unavailable')
    assert.equal(await world.run(world.stub(APP).migrate(HASH, MANIFEST)), null)
    assert.equal((await listed(APP, 'plants')).length, 1)
    await world.run(world.stub(APP).hold(false))
    assert.equal((await plant('plant-02')).ok, true)
  })

  test('after a Durable Object restarts, its open WebSockets receive changes only in the collections they subscribed to', async () => {
    const [plants, secrets] = [await open(APP, ada, 'plants'), await open(APP, ada, 'secrets')]
    world.restart(APP)
    await plant('plant-01')
    await world.settle()
    assert.deepEqual([plants.take('ops').length, secrets.take('ops').length], [1, 0])
  })

  test("a WebSocket to the app's shared records receives no records of a person, a team or an unknown collection", async () => {
    const page = await open(APP, ada, 'notes,tasks,__proto__,toString,', '&after=0')
    await plant('plant-01')
    await world.settle()
    assert.deepEqual(
      page.frames.map(({ type }) => type),
      ['hello'],
    )
  })

  test('records written while the app-wide index is unreachable reach it by an alarm later, without another write', async () => {
    world.before = (object, method) => {
      if (object === 'dir' && method === 'dirApply') throw new Error('overloaded')
    }
    assert.equal((await plant('plant-01')).ok, true)
    await world.settle()
    assert.deepEqual(await world.run(world.stub('dir').dirTotals()), {})
    assert.ok(world.alarmOf(APP) !== null)
    // The object also stops before the alarm.
    world.restart(APP)
    world.before = () => {}
    await world.alarm(APP)
    assert.equal((await world.run(world.stub('dir').dirTotals()))['plants']?.count, 1)
  })

  test('an acknowledged write reaches the app-wide index even if its Durable Object crashes, by an alarm or the next call', async () => {
    for (const next of [() => world.alarm(APP), () => listed(APP, 'plants')]) {
      const count = (await listed(APP, 'plants')).length
      await plant(`plant-0${count}`)
      world.restart(APP)
      await next()
      await world.settle()
      const totals = await world.run(world.stub('dir').dirTotals())
      assert.equal(totals['plants']?.count, count + 1)
    }
  })

  test('erasing a person removes their id from shared records, and open pages receive the change', async () => {
    const page = await open(APP, ada, 'plants')
    await world.deliver(APP, page, mutation(create('plants', { name: 'shared' }, 'plant-01')))
    await world.settle()
    const reader = await open(APP, bob, 'plants')
    assert.equal(await world.run(world.stub(APP).countOwned(ADA)), 1)
    await world.run(world.stub(APP).disown(ADA))
    const [ops] = reader.take('ops') as { ops: { record: { ownerId: string | null; rev: number } }[] }[]
    assert.deepEqual([ops?.ops[0]?.record.ownerId, ops?.ops[0]?.record.rev], [null, 2])
    for (const name of [APP, 'dir'])
      for (const table of world.tablesOf(name).filter((one) => !/^(users|people|sessions)/.test(one))) {
        const text = JSON.stringify(world.rowsOf(name, `select * from "${table}"`))
        assert.ok(name === 'dir' || !text.includes(ADA), `${name} ${table}`)
      }
  })

  test('erasing a person with many records changes at most a hundred at once, so that the records need not fit into memory', async () => {
    for (const batch of [1, 2, 3]) {
      const ops = Array.from({ length: 75 }, (_, n) => ({
        op: 'create' as const,
        collection: 'plants',
        id: `plant-${batch}-${n}`,
        fields: { name: `shared ${n}` },
        owner: ADA,
      }))
      const answer = await world.run(world.stub(APP).data(HASH, 'system', { kind: 'write', ops }))
      assert.match(answer, /^\{"ok":true/)
    }
    const reader = await open(APP, bob, 'plants')
    assert.equal(await world.run(world.stub(APP).countOwned(ADA)), 225)
    await world.run(world.stub(APP).disown(ADA))
    const frames = reader.take('ops') as { ops: { record: { ownerId: string | null } }[] }[]
    assert.deepEqual(
      frames.map(({ ops }) => ops.length),
      [100, 100, 25],
    )
    assert.ok(frames.every(({ ops }) => ops.every(({ record }) => record.ownerId === null)))
    assert.equal(await world.run(world.stub(APP).countOwned(ADA)), 0)
  })

  test('migrating the records of an erased person stores nothing, and reports the migrations as applied', async () => {
    const gone = `data:${userId('g')}`
    const migrations = [{ id: 'rename-1', collection: 'notes', steps: [] }]
    const applied = await world.run(world.stub(gone).migrate('release-2', { ...MANIFEST, migrations }))
    assert.deepEqual(applied, ['rename-1'])
    assert.ok(!world.tablesOf(gone).some((table) => table.includes('manifest')))
  })

  describe('a Durable Object that stores the records of a team', () => {
    const NAME = `data:${TEAM}`
    const inTeam = async () => {
      const team = { id: TEAM, name: 'Crew', createdAt: new Date().toISOString(), createdBy: ADA }
      await world.run(world.stub('dir').teams('reserve', team))
      await world.run(world.stub(NAME).team('create', team))
      const invited = await world.run(
        world.stub(NAME).team('invite', { by: ADA, email: null, role: 'member', days: 1 }),
      )
      assert.ok(invited.ok)
      const guest = { userId: BOB, email: 'bob@example.test', emailVerified: true }
      const { secret } = invited.value
      assert.ok((await world.run(world.stub(NAME).team('accept', { guest, secret, maxMembers: 9 }))).ok)
      await world.run(world.stub(NAME).prepare(HASH, MANIFEST))
      await world.settle()
    }

    test('a team write that is still waiting when its author is removed from the team is refused', async () => {
      await plant('plant-01')
      await inTeam()
      const page = await open(NAME, bob, 'tasks')
      const lookUps = delayLookUps()
      await world.deliver(NAME, page, mutation(create('tasks', { plant: 'plant-01' })))
      await world.run(world.stub(NAME).team('remove', { by: ADA, user: BOB }))
      // Reopen the socket, as if the close had not reached the network yet.
      page.readyState = WebSocket.OPEN
      lookUps.resolve()
      await world.settle()
      assert.equal(page.take('nack')[0]?.['code'], 'forbidden')
      assert.deepEqual(await listed(NAME, 'tasks'), [])
    })

    test('a former team member receives no more changes of the team, even on a WebSocket that is still open', async () => {
      await inTeam()
      const [hers, his] = [await open(NAME, ada, 'tasks'), await open(NAME, bob, 'tasks')]
      await world.run(world.stub(NAME).team('remove', { by: BOB, user: BOB }))
      // Reopen the socket, as if the close had not reached the network yet.
      his.readyState = WebSocket.OPEN
      const before = his.frames.length
      await world.deliver(NAME, hers, mutation(create('tasks', { text: 'secret plan' })))
      await world.settle()
      assert.equal(his.frames.length, before)
      assert.equal(hers.take('ops').length, 1)
    })

    test('a team that does not exist refuses reads, writes and sockets, and stores nothing', async () => {
      const none = `data:${teamId('x')}`
      const call = { kind: 'list' as const, collection: 'tasks', query: {} }
      const answer = JSON.parse(await world.run(world.stub(none).data(HASH, ada, call))) as object
      assert.deepEqual(answer, {
        ok: false,
        error: { code: 'not_found', message: 'There is no such partition.' },
      })
      await assert.rejects(open(none, ada, 'tasks'), /404/)
      assert.deepEqual(world.tablesOf(none), [])
    })
  })
})
