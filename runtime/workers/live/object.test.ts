import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import {
  importObjects,
  type ObjectModules,
  ObjectWorld,
  teamId,
} from '../../data/partition/objects.test.fixture.ts'
import type { Manifest } from '../../kernel/manifest.ts'

const MANIFEST: Manifest = {
  name: 'Notes',
  migrations: [],
  collections: {
    notes: {
      title: 'Notes',
      partition: 'app',
      read: 'public',
      write: 'public',
      fields: { text: { type: 'text' } },
    },
  },
  rooms: [{ room: 'chat', access: 'public' }],
}
const HASH = 'release-1'
const APP = 'data:app'
const ROOM = 'room:chat/1'

describe('the Durable Object of an app', () => {
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

  const joined = JSON.stringify({ room: 'chat/1', history: 0, canCall: false })
  const openRoom = () =>
    world.socket(ROOM, '/_app/live/chat/1?since=0', 'anonymous', { 'slipway-room': joined })
  const openRecords = (more = {}) =>
    world.socket(APP, '/_app/data/socket?data=notes', 'anonymous', { 'slipway-manifest': HASH, ...more })
  const create = async (id = 'note-001') => {
    const ops = [{ op: 'create' as const, collection: 'notes', id, fields: { text: id } }]
    return JSON.parse(await world.run(world.stub(APP).data(HASH, 'system', { kind: 'write', ops }))) as {
      ok: boolean
    }
  }
  const fetched = async (name: string, path: string, headers: Record<string, string> = {}) => {
    const request = new Request(`https://app.example.test${path}`, {
      headers: { 'slipway-actor': '"anonymous"', 'slipway-manifest': HASH, ...headers },
    })
    const response = await world.run(world.stub(name).fetch(request))
    return [response.status, await response.text()]
  }

  test('a WebSocket is closed with the code that its page sent, or with 1000 when that code is reserved', async () => {
    for (const [code, answer] of [
      [1000, 1000],
      [1001, 1001],
      [3000, 3000],
      [4999, 4999],
      [1005, 1000],
      [1006, 1000],
      [1004, 1000],
      [1015, 1000],
      [999, 1000],
      [0, 1000],
      [5000, 1000],
      [65_535, 1000],
    ] as const) {
      const socket = await openRecords()
      const closed: number[] = []
      socket.close = (given) => void closed.push(given ?? 0)
      await world.leave(APP, socket, code)
      assert.deepEqual(closed, [answer], String(code))
    }
    const [socket, other] = [await openRoom(), await openRoom()]
    await world.leave(ROOM, socket, 1015)
    await world.settle()
    assert.deepEqual(other.take('peers').at(-1)?.['left'], [socket.frames[0]?.['me']])
  })

  test('a page that sends a record write over the socket of a live room without records is disconnected', async () => {
    const socket = await openRoom()
    await world.deliver(ROOM, socket, { type: 'mutate', mutationId: 'mutation-1', ops: [] })
    assert.deepEqual(socket.closed, { code: 1008, reason: 'This room has no records.' })
  })

  test('one WebSocket can carry the frames of both the records and a live room', async () => {
    const socket = await openRecords({ 'slipway-room': joined })
    assert.deepEqual(
      socket.frames.map(({ type }) => type),
      ['hello', 'room'],
    )
    await create()
    await world.deliver(APP, socket, { type: 'broadcast', ref: 'r1', event: 'say', data: 'hi' })
    assert.deepEqual(
      socket.frames.slice(2).map(({ type }) => type),
      ['ops', 'messages'],
    )
  })

  test('a live room request without a WebSocket upgrade only returns whether the page may enter', async () => {
    const path = '/_app/live/chat/1'
    assert.deepEqual(await fetched(ROOM, path, { 'slipway-room': joined }), [204, ''])
    world.env['LIVE_MAX_PEERS'] = '2'
    world.restart(ROOM)
    await openRoom()
    await openRoom()
    assert.deepEqual(await fetched(ROOM, path, { 'slipway-room': joined }), [503, 'The room is full.'])
  })

  test('a request for a team that does not exist gets no records and no socket, and stores nothing for the team', async () => {
    const name = `data:${teamId('z')}`
    const count = { kind: 'count' as const, collection: 'notes', where: {} }
    assert.deepEqual(JSON.parse(await world.run(world.stub(name).data(HASH, 'system', count))), {
      ok: false,
      error: { code: 'not_found', message: 'There is no such partition.' },
    })
    assert.deepEqual(await fetched(name, '/_app/data/socket'), [404, ''])
    assert.deepEqual(world.tablesOf(name), [])
  })

  test('opening a socket with a release that the Durable Object does not know is refused with 409', async () => {
    assert.deepEqual(await fetched(APP, '/_app/data/socket', { 'slipway-manifest': 'other' }), [409, ''])
  })

  test('a Durable Object that was emptied, as after a failed move to another cloud account, can be used again', async () => {
    await create()
    await world.run(world.stub(APP).hold(true))
    assert.equal((await create('note-002')).ok, false)
    await world.run(world.stub(APP).wipe())
    assert.deepEqual(world.tablesOf(APP), ['_hold'])
    await world.run(world.stub(APP).prepare(HASH, MANIFEST))
    assert.equal((await create()).ok, true)
    assert.equal(await world.run(world.stub(APP).countRecords()), 1)
  })
})
