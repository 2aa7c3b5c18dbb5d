import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import {
  importObjects,
  type ObjectModules,
  ObjectWorld,
  type TestSocket,
  userId,
} from '../data/partition/objects.test.fixture.ts'
import type { Manifest } from '../kernel/manifest.ts'

const MANIFEST: Manifest = {
  name: 'Chats',
  migrations: [],
  collections: {},
  rooms: [{ room: 'chat', access: 'members' }],
}
const HASH = 'release-1'
const [ADA, BOB] = [userId('a'), userId('b')]
const ROOM = 'chat/1'
const NAME = `room:${ROOM}`

describe('a live room', () => {
  let modules: ObjectModules
  let world: ObjectWorld
  before(async () => {
    modules = await importObjects()
  })
  beforeEach(async () => {
    ObjectWorld.install()
    world = new ObjectWorld(modules, { LIVE_MAX_PEERS: '3' })
    await world.release(HASH, MANIFEST)
    for (const id of [ADA, BOB]) await world.person(id)
  })
  after(() => ObjectWorld.uninstall())

  const enter = async (id: string, { history = 0, since = 0 } = {}) => {
    const header = JSON.stringify({ room: ROOM, history, canCall: false })
    const actor = { userId: id, role: 'member' } as const
    return world.socket(NAME, `/_app/live/chat/1?since=${since}`, actor, { 'slipway-room': header })
  }
  const say = (socket: TestSocket, ref: string, data: unknown = ref) =>
    world.deliver(NAME, socket, { type: 'broadcast', ref, event: 'say', data })
  const heard = (socket: TestSocket) =>
    socket.take('messages').flatMap(({ items }) => (items as { data: unknown }[]).map(({ data }) => data))
  const peersIn = async () => {
    const answer = await world.run(world.stub(NAME).rooms('peers', { room: ROOM }))
    assert.ok(answer.ok)
    return answer.value
  }

  test('a full room rejects another page with status 503, and admits it once a page has left', async () => {
    const [first] = [await enter(ADA), await enter(ADA), await enter(BOB)]
    await assert.rejects(enter(BOB), /503 The room is full/)
    await world.leave(NAME, first)
    await enter(BOB)
    assert.equal((await peersIn()).length, 3)
  })

  test("a page whose socket is closing does not count toward its live room's maximum number of pages", async () => {
    for (const id of [ADA, ADA, BOB]) await enter(id)
    await world.run(world.stub(NAME).closeSockets(ADA))
    assert.deepEqual(
      (await peersIn()).map((peer) => peer.userId),
      [BOB],
    )
    await enter(BOB)
  })

  test('the socket of a page is closed with 1008 when the page sends more than a burst of 60 room frames and then 30 a second', async () => {
    const page = await enter(ADA)
    const send = async (count: number) => {
      for (let n = 0; n < count; n++) await say(page, 'r')
      return page.closed
    }
    assert.equal(await send(60), null)
    mock.timers.tick(1000)
    assert.equal(await send(30), null)
    // Even after a long silence, a page's next burst is limited to 60 frames.
    mock.timers.tick(60_000)
    assert.equal(await send(60), null)
    assert.deepEqual(await send(1), { code: 1008, reason: 'At most 30 messages a second.' })
  })

  test('a page that sends too many frames to a room does not use up the rate limit of another page', async () => {
    const [fast, slow] = [await enter(ADA), await enter(BOB)]
    for (let n = 0; n < 61; n++) await say(fast, `r${n}`)
    await say(slow, 'fine')
    assert.deepEqual([fast.closed?.code, slow.closed], [1008, null])
  })

  test('a room frame is limited to 33 KB, measured in bytes and not in characters', async () => {
    const [page, other] = [await enter(ADA), await enter(BOB)]
    await say(page, 'fits', 'x'.repeat(32 * 1024))
    assert.equal(page.readyState, WebSocket.OPEN)
    await say(page, 'too-large', 'é'.repeat(17 * 1024))
    assert.equal(page.closed?.code, 1009)
    assert.equal(heard(other).length, 1)
  })

  test('a room frame that is nested too deeply closes its socket and reaches no other page, and the room stays usable', async () => {
    const other = await enter(BOB)
    // This depth fits into 33 KB, and serializing it overflows the stack.
    const deep = `${'['.repeat(16_000)}${']'.repeat(16_000)}`
    for (const frame of [
      `{"type":"broadcast","ref":"r","event":"say","data":${deep}}`,
      `{"type":"state","ref":"r","key":"k","value":${deep}}`,
      `{"type":"presence","presence":${deep}}`,
      `{"type":"rtc","to":"x","data":${deep}}`,
    ]) {
      const page = await enter(ADA)
      await world.deliver(NAME, page, frame)
      assert.deepEqual(page.closed, { code: 1008, reason: 'A message is nested too deeply.' })
      await world.leave(NAME, page)
    }
    const fits = `${'['.repeat(98)}${']'.repeat(98)}`
    const page = await enter(ADA)
    await world.deliver(NAME, page, `{"type":"state","ref":"r","key":"k","value":${fits}}`)
    await world.settle()
    assert.equal(page.closed, null)
    assert.equal(JSON.stringify(other.take('state')[0]?.['value']), fits)
  })

  test('a malformed room frame closes the socket with 1008 and reaches no other page', async () => {
    const frames = [
      '{',
      'null',
      '7',
      '[]',
      '{}',
      new ArrayBuffer(4),
      { type: 'shout', ref: 'r', event: 'say', data: 1 },
      { type: 'broadcast', event: 'say', data: 1 },
      { type: 'broadcast', ref: 7, event: 'say', data: 1 },
      { type: 'state', ref: 'r'.repeat(101), key: 'k', value: 1 },
      { type: 'call' },
    ]
    const other = await enter(BOB)
    for (const frame of frames) {
      const page = await enter(ADA)
      await world.deliver(NAME, page, frame)
      assert.equal(page.closed?.code, 1008, JSON.stringify(frame))
      await world.leave(NAME, page)
    }
    assert.deepEqual([...other.take('messages'), ...other.take('state')], [])
  })

  test('a room frame with an invalid event or key gets an error with its reference id, and the socket stays open', async () => {
    const page = await enter(ADA)
    const wrong = [
      { type: 'broadcast', event: '' },
      { type: 'broadcast', event: 'x'.repeat(101) },
      { type: 'broadcast', event: 7 },
      { type: 'state', key: '', value: 1 },
      { type: 'state', key: '__proto__', value: 1 },
      { type: 'state', key: null, value: 1 },
    ]
    for (const [n, frame] of wrong.entries()) await world.deliver(NAME, page, { ...frame, ref: `r${n}` })
    await world.settle()
    assert.deepEqual(
      page.take('refused').map(({ ref, code }) => [ref, code]),
      wrong.map((_, n) => [`r${n}`, 'invalid_request']),
    )
    assert.equal(page.closed, null)
  })

  test('a socket that was opened only for a room cannot write records: a mutate frame closes it with 1008', async () => {
    const page = await enter(ADA)
    await world.deliver(NAME, page, { type: 'mutate', mutationId: 'mutation-1', ops: [] })
    assert.deepEqual(page.closed, { code: 1008, reason: 'This room has no records.' })
  })

  test('a presence above 1 KB closes the socket, and one of exactly 1 KB reaches the other pages', async () => {
    const [page, other] = [await enter(ADA), await enter(BOB)]
    await world.settle()
    other.take('peers')
    const presence = 'x'.repeat(1022)
    await world.deliver(NAME, page, { type: 'presence', presence })
    await world.settle()
    const [told] = other.take('peers') as { put: { presence: unknown }[] }[]
    assert.equal(told?.put[0]?.presence, presence)
    await world.deliver(NAME, page, { type: 'presence', presence: `${presence}x` })
    assert.equal(page.closed?.code, 1008)
  })

  test('frames that arrive from a closed socket change nothing in its live room', async () => {
    const [page, other] = [await enter(ADA), await enter(BOB)]
    await world.run(world.stub(NAME).closeSockets(ADA))
    await say(page, 'late')
    await world.deliver(NAME, page, { type: 'state', ref: 's', key: 'k', value: 1 })
    await world.settle()
    assert.deepEqual([...heard(other), ...other.take('state')], [])
  })

  test('peers who enter, change and leave within milliseconds are announced in one frame, with only the last state of each', async () => {
    const watcher = await enter(BOB)
    await world.settle()
    watcher.frames.length = 0
    const [stays, goes] = [await enter(ADA), await enter(ADA)]
    await world.deliver(NAME, stays, { type: 'presence', presence: 1 })
    await world.deliver(NAME, stays, { type: 'presence', presence: 2 })
    await world.leave(NAME, goes)
    await world.settle()
    const told = watcher.take('peers') as { put: { presence: unknown }[]; left: string[] }[]
    assert.deepEqual(
      told.map(({ put, left }) => [put.map(({ presence }) => presence), left.length]),
      [[[2], 1]],
    )
  })

  test('a live room announces once that a signed-out peer has left, even if the network reports the close again', async () => {
    const [page, watcher] = [await enter(ADA), await enter(BOB)]
    await world.settle()
    watcher.frames.length = 0
    await world.run(world.stub(NAME).closeSockets(ADA))
    await world.settle()
    await world.leave(NAME, page)
    await world.settle()
    assert.equal(watcher.take('peers').length, 1)
  })

  test('after hibernation a room still has its peers and their presence, and reports a peer that leaves', async () => {
    const [page, watcher] = [await enter(ADA), await enter(BOB)]
    await world.deliver(NAME, page, { type: 'presence', presence: { at: 1 } })
    await world.settle()
    const [{ me } = {}] = page.take('room')
    watcher.frames.length = 0
    world.restart(NAME)
    assert.deepEqual((await peersIn())[0], { id: me, userId: ADA, presence: { at: 1 } })
    await world.leave(NAME, page)
    await world.settle()
    assert.deepEqual(watcher.take('peers')[0]?.['left'], [me])
  })

  test("a page's room messages are stored in the order sent, even while the first waits for the room to be registered", async () => {
    const page = await enter(ADA, { history: 10 })
    const gate = Promise.withResolvers<void>()
    const delays = [gate.promise]
    world.before = (object, method, kind) =>
      object === 'dir' && method === 'rooms' && kind === 'note' ? delays.pop() : undefined
    const sent = ['one', 'two'].map((ref) => say(page, ref))
    await world.pass()
    assert.deepEqual(heard(page), [])
    gate.resolve()
    await Promise.all(sent)
    await world.settle()
    assert.deepEqual(heard(page), ['one', 'two'])
    const later = await enter(BOB, { history: 10 })
    assert.deepEqual(heard(later), ['one', 'two'])
  })

  test("a live room rejects and does not store messages while the app's central Durable Object is unreachable", async () => {
    const page = await enter(ADA, { history: 10 })
    world.before = (object) => {
      if (object === 'dir') throw new Error('overloaded')
    }
    await say(page, 'lost')
    await world.settle()
    assert.deepEqual(
      page.take('refused').map(({ ref, code }) => [ref, code]),
      [['lost', 'unavailable']],
    )
    assert.deepEqual(world.tablesOf(NAME), [])
    world.before = () => {}
    await say(page, 'lost')
    await world.settle()
    assert.deepEqual(heard(page), ['lost'])
  })

  test('a room message sent twice with one reference id reaches the other pages once, and is confirmed to its sender both times', async () => {
    const [page, other] = [await enter(ADA, { history: 10 }), await enter(BOB)]
    for (let times = 0; times < 2; times++) await say(page, 'same')
    await world.settle()
    assert.deepEqual([heard(page), heard(other)], [['same', 'same'], ['same']])
  })

  test('a page that enters a room with the number of the last message it received gets only later messages', async () => {
    const page = await enter(ADA, { history: 10 })
    for (const ref of ['one', 'two']) await say(page, ref)
    await world.settle()
    const [first] = page.take('messages') as { items: { seq: number }[] }[]
    assert.deepEqual(heard(await enter(BOB, { since: first?.items[0]?.seq ?? 0 })), ['two'])
  })

  test('while an app is copied to another cloud account, its rooms reject state changes and messages, also from server code', async () => {
    const page = await enter(ADA, { history: 10 })
    await world.run(world.stub(NAME).hold(true))
    await say(page, 'm')
    await world.deliver(NAME, page, { type: 'state', ref: 's', key: 'k', value: 1 })
    await world.settle()
    assert.deepEqual(
      page.take('refused').map(({ ref, code }) => [ref, code]),
      [
        ['m', 'unavailable'],
        ['s', 'unavailable'],
      ],
    )
    const ask = { room: ROOM, history: 10, event: 'say', data: 1 }
    const answer = await world.run(world.stub(NAME).rooms('broadcast', ask))
    assert.equal(answer.ok ? '' : answer.error.code, 'unavailable')
    assert.deepEqual(heard(page), [])
  })

  test('erasing a person removes their messages and state from a room, and sends open pages a frame to remove them too', async () => {
    const [page, watcher] = [await enter(ADA, { history: 10 }), await enter(BOB, { history: 10 })]
    await say(page, 'mine')
    await say(watcher, 'his')
    await world.deliver(NAME, page, { type: 'state', ref: 's', key: 'title', value: 'hers' })
    await world.settle()
    watcher.frames.length = 0
    await world.run(world.stub(NAME).disown(ADA))
    assert.deepEqual(watcher.frames, [
      { type: 'state', key: 'title', value: null },
      { type: 'forget', userId: ADA },
    ])
    const later = await enter(BOB)
    assert.deepEqual(heard(later), ['his'])
    assert.ok(!JSON.stringify(world.rowsOf(NAME, 'select * from _room')).includes(ADA))
  })

  test('a frame about a video call is rejected in a room without calls, and a WebRTC signal to a page that left is dropped', async () => {
    const page = await enter(ADA)
    await world.deliver(NAME, page, { type: 'call', ref: 'c', action: 'join' })
    await world.deliver(NAME, page, { type: 'rtc', to: 'gone', data: {} })
    await world.settle()
    assert.deepEqual(
      page.take('refused').map(({ ref, code }) => [ref, code]),
      [['c', 'not_enabled']],
    )
    assert.equal(page.closed, null)
  })
})
