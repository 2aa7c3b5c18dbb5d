import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import {
  importObjects,
  type ObjectModules,
  ObjectWorld,
  teamId,
  type TestSocket,
  userId,
} from '../../data/partition/objects.test.fixture.ts'
import type { DataCall } from '../../data/frames.ts'
import type { Caller } from '../../kernel/access/actor.ts'
import type { Manifest } from '../../kernel/manifest.ts'
import type { Tier } from '../../kernel/objects/objects.ts'

const MANIFEST: Manifest = {
  name: 'Notes',
  migrations: [],
  collections: {
    plants: {
      title: 'Plants',
      partition: 'app',
      read: 'public',
      write: 'members',
      fields: { name: { type: 'text' } },
    },
    notes: {
      title: 'Notes',
      partition: 'user',
      read: 'owner',
      write: 'owner',
      fields: { text: { type: 'text', search: true } },
    },
    tasks: {
      title: 'Tasks',
      partition: 'team',
      read: 'team',
      write: 'team',
      fields: { text: { type: 'text' } },
    },
  },
  rooms: [{ room: 'chat', access: 'members' }],
  meters: [{ key: 'exports', per: 'team', window: 'day', limit: 3 }],
}
const HASH = 'release-1'
const [ADA, BOB] = [userId('a'), userId('b')]
const ORIGIN = 'https://app.example.test'

describe('the entrypoint of a tier', () => {
  let modules: ObjectModules
  let world: ObjectWorld
  let session: string
  before(async () => {
    modules = await importObjects()
  })
  beforeEach(async () => {
    ObjectWorld.install()
    world = new ObjectWorld(modules)
    await world.release(HASH, MANIFEST)
    session = await world.person(ADA)
    await world.person(BOB)
  })
  after(() => ObjectWorld.uninstall())

  const data = async (
    caller: Caller,
    call: DataCall,
    { hash = HASH, tier }: { hash?: string; tier?: Tier } = {},
  ) => {
    const text = await world.run(world.tier(tier).data(hash, caller, call))
    return JSON.parse(text) as {
      ok: boolean
      unprepared?: true
      value: { items: object[]; records: { ownerId: string }[] }
      error: { code: string; field?: string }
    }
  }
  const list = (collection: string, partition?: string): DataCall => ({
    kind: 'list',
    collection,
    query: {},
    ...(partition !== undefined && { partition }),
  })
  const create = (collection: string, fields: object, partition?: string) =>
    ({
      kind: 'mutate',
      mutationId: crypto.randomUUID(),
      ops: [{ op: 'create', collection, fields }],
      ...(partition !== undefined && { partition }),
    }) as DataCall
  const fetchAt = (path: string, headers: Record<string, string>, tier: Tier = 'production') =>
    world.run(
      world.tier(tier).fetch(
        new Request(`${ORIGIN}${path}`, {
          headers: { upgrade: 'websocket', 'slipway-manifest': HASH, ...headers },
        }),
      ),
    )
  const userOf = (response: Response) => {
    const { socket } = response as Response & { socket?: TestSocket }
    return socket?.frames.find(({ type }) => type === 'hello')?.['user']
  }

  test('the preview of an app calls only Durable Objects of the preview, whatever partition it names', async () => {
    const before = new Set(world.names)
    await world.release(HASH, MANIFEST, 'preview')
    const preview = await world.person(ADA, { tier: 'preview' })
    world.calls.length = 0
    for (const partition of [undefined, 'own', 'app', ADA, teamId('t'), 'data:app', '../data:app'])
      await data({ session: preview }, list('notes', partition), { tier: 'preview' })
    await fetchAt('/_app/data/socket?partition=own&data=notes', { 'slipway-caller': preview }, 'preview')
    await fetchAt('/_app/live/chat/1', { 'slipway-caller': preview }, 'preview')
    await world.settle()
    assert.deepEqual(
      world.calls.filter(({ object }) => !object.startsWith('pv:')),
      [],
    )
    assert.ok(world.names.filter((name) => !before.has(name)).every((name) => name.startsWith('pv:')))
  })

  test('a session of the live app is not accepted by its preview', async () => {
    await world.release(HASH, MANIFEST, 'preview')
    assert.equal(
      (await data({ session }, list('notes', 'own'), { tier: 'preview' })).error.code,
      'unauthorized',
    )
    assert.equal((await data({ session }, list('notes', 'own'))).ok, true)
  })

  test('a data call creates no Durable Object for an unknown person, and no table for an unknown team', async () => {
    const before = world.names
    for (const partition of [userId('x'), 'x', '', '__proto__', `${ADA} `, `u_${'A'.repeat(26)}`, 'dir'])
      assert.equal((await data({ session }, list('notes', partition))).error.code, 'not_found', partition)
    assert.deepEqual(world.names, before)
    assert.equal((await data({ session }, list('tasks', teamId('x')))).error.code, 'not_found')
    assert.deepEqual(world.tablesOf(`data:${teamId('x')}`), [])
  })

  test('opening a socket to the partition of an unknown person is refused with status 404 and creates no Durable Object', async () => {
    const before = world.names
    for (const partition of [userId('x'), 'x', 'dir']) {
      const response = await fetchAt(`/_app/data/socket?partition=${partition}&data=notes`, {
        'slipway-caller': session,
      })
      assert.equal(response.status, 404)
    }
    assert.deepEqual(world.names, before)
  })

  test('the partition "own" is that of the signed-in person, and is refused to visitors and to server code without a person', async () => {
    assert.equal((await data('anonymous', list('notes', 'own'))).error.code, 'unauthorized')
    const refused = await data('system', list('notes', 'own'))
    assert.deepEqual([refused.error.code, refused.error.field], ['invalid_request', 'partition'])
    const made = await data({ session }, create('notes', { text: 'mine' }, 'own'))
    assert.equal(made.value.records[0]?.ownerId, ADA)
    assert.equal((await data('system', list('notes', ADA))).value.items.length, 1)
    assert.equal((await data('system', list('notes', BOB))).value.items.length, 0)
  })

  test("a person can neither read nor create records in another person's partition", async () => {
    await data({ session }, create('notes', { text: 'mine' }, 'own'))
    const other = await world.person(userId('c'))
    const read = await data({ session: other }, list('notes', ADA))
    assert.deepEqual(read.value.items, [])
    const written = await data({ session: other }, create('notes', { text: 'planted' }, ADA))
    assert.equal(written.error.code, 'forbidden')
  })

  test('a malformed, forged or ended session counts as a visitor, and a malformed one causes no call to a Durable Object', async () => {
    const [user = '', id = '', secret = ''] = session.split('.')
    const malformed = [
      '',
      '.',
      'null',
      user,
      `${user}.${id}`,
      `${session}.x`,
      session.toUpperCase(),
      `${user}.${id}.'or 1=1--`,
    ]
    world.calls.length = 0
    for (const one of malformed) {
      assert.equal((await data({ session: one }, create('plants', {}))).error.code, 'unauthorized', one)
      assert.equal((await data({ session: one }, list('notes', 'own'))).error.code, 'unauthorized', one)
    }
    assert.deepEqual(
      world.calls.filter(({ method }) => method === 'account' || method === 'dataOf'),
      [],
    )
    const forged = [
      `${BOB}.${id}.${secret}`,
      `${user}.${'0'.repeat(16)}.${secret}`,
      `${user}.${id}.${'0'.repeat(64)}`,
    ]
    await world.run(world.stub(`data:${ADA}`).account('endAll', { exceptId: null }))
    for (const one of [...forged, session]) {
      assert.equal((await data({ session: one }, create('plants', {}))).error.code, 'unauthorized', one)
      assert.equal((await data({ session: one }, list('notes', 'own'))).error.code, 'unauthorized', one)
    }
    assert.equal((await data({ session }, list('plants'))).ok, true)
  })

  test('a browser cannot choose its person or room by request headers, because these headers are replaced', async () => {
    const staff = JSON.stringify({ userId: BOB, role: 'staff' })
    for (const actor of [staff, '"system"']) {
      const path = '/_app/data/socket?data=plants'
      assert.equal(userOf(await fetchAt(path, { 'slipway-actor': actor })), null)
      const signedIn = await fetchAt(path, { 'slipway-actor': actor, 'slipway-caller': session })
      assert.equal(userOf(signedIn), ADA)
    }
    const room = JSON.stringify({ room: 'secret/1', history: 10, canCall: true })
    const response = await fetchAt('/_app/data/socket?data=plants', { 'slipway-room': room })
    const { socket } = response as Response & { socket?: TestSocket }
    assert.deepEqual(socket?.tags, [])
    const entered = await fetchAt('/_app/live/chat/1', { 'slipway-caller': session, 'slipway-room': room })
    assert.deepEqual((entered as typeof response & { socket?: TestSocket }).socket?.tags, [
      ADA,
      'room:chat/1',
    ])
  })

  test("a Durable Object without the current release's manifest gets it from the app's directory, for calls and sockets", async () => {
    assert.equal((await data({ session }, create('notes', { text: 'a' }, 'own'))).ok, true)
    const own = `data:${BOB}`
    assert.ok(!world.rowsOf(own, "select name from sqlite_master where name like '%manifest%'").length)
    const response = await fetchAt(`/_app/data/socket?partition=${BOB}&data=notes`, {
      'slipway-caller': session,
    })
    assert.equal(userOf(response), ADA)
    const prepares = world.calls.filter(({ object, method }) => object === own && method === 'prepare')
    assert.equal(prepares.length, 1)
  })

  test('with the hash of an unknown release, a data call returns `unprepared` and a socket gets status 409', async () => {
    for (const call of [list('plants'), list('notes', 'own'), create('notes', {}, 'own')])
      assert.deepEqual(await data({ session }, call, { hash: 'release-9' }), { ok: false, unprepared: true })
    const headers = { 'slipway-caller': session, 'slipway-manifest': 'release-9' }
    for (const path of [
      '/_app/data/socket?partition=own&data=notes',
      '/_app/data/socket?data=plants',
      '/_app/live/chat/1',
    ])
      assert.equal((await fetchAt(path, headers)).status, 409, path)
  })

  test('a search returns only records that the caller may read, and is refused for an unknown team', async () => {
    await data({ session }, create('notes', { text: 'violet' }, 'own'))
    await world.settle()
    const search = (partition: string): DataCall => ({
      kind: 'search',
      collection: 'notes',
      q: 'violet',
      partition,
    })
    const found = JSON.parse(await world.run(world.tier().data(HASH, { session }, search('own')))) as {
      value: object[]
    }
    assert.equal(found.value.length, 1)
    const other = { session: await world.person(userId('c')) }
    const none = JSON.parse(await world.run(world.tier().data(HASH, other, search(ADA)))) as {
      value: object[]
    }
    assert.deepEqual(none.value, [])
    assert.equal((await data('anonymous', search('own'))).error.code, 'unauthorized')
    assert.equal((await data({ session }, search(teamId('x')))).error.code, 'not_found')
  })

  test("a person's Durable Object lists the teams to which the person has sockets, so that signing out can close them", async () => {
    const team = teamId('t')
    const about = { id: team, name: 'Crew', createdAt: new Date().toISOString(), createdBy: ADA }
    await world.run(world.stub('dir').teams('reserve', about))
    await world.run(world.stub(`data:${team}`).team('create', about))
    await fetchAt(`/_app/data/socket?partition=${team}&data=tasks`, { 'slipway-caller': session })
    assert.deepEqual(await world.run(world.stub(`data:${ADA}`).memberships('followed', null)), [team])
  })

  test('when a Durable Object fails during a call, the error is thrown and not returned as an error response', async () => {
    world.before = (object, method) => {
      if (object === 'data:app' && method === 'data') throw new Error('overloaded')
    }
    await assert.rejects(data({ session }, list('plants')), /overloaded/)
    world.before = (object, method) => {
      if (object === 'data:app' && method === 'fetch') throw new Error('overloaded')
    }
    await assert.rejects(fetchAt('/_app/data/socket?data=plants', {}), /overloaded/)
  })

  test('using units of a usage meter that counts per team is rejected when the subject is not the id of an existing team', async () => {
    const consume = (subject: unknown) =>
      world.run(world.tier().meter(HASH, 'consume', { key: 'exports', subject, n: 1 } as never))
    for (const subject of [ADA, 'app', '', null, 7])
      assert.deepEqual(await consume(subject), {
        ok: false,
        error: { code: 'invalid_request', message: 'subject: must be the id of a team', field: 'subject' },
      })
    const refused = await consume(teamId('x'))
    assert.equal('error' in refused && refused.error.code, 'not_found')
    assert.deepEqual(world.tablesOf(`data:${teamId('x')}`), [])
  })

  test('only an app that was deployed with wrangler, not by the service, stores its schedules itself', async () => {
    const planned = () => world.calls.filter(({ method }) => method === 'planSchedules').length
    assert.equal(planned(), 0)
    world.env['APP_STANDALONE'] = 'on'
    await world.release('release-2', MANIFEST)
    assert.equal(planned(), 1)
  })
})
