import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { ApiError } from '../kernel/errors.ts'
import { Room, type RoomConnectionEvents } from './room.ts'
import type { RoomServerFrame, RoomClientFrame, RoomMessage } from './types.ts'

function makeRoom() {
  const sent: RoomClientFrame[] = []
  const connections: RoomConnectionEvents[] = []
  const closed: number[] = []
  const room = new Room((events) => {
    const n = connections.push(events)
    return { send: (frame) => sent.push(frame), close: () => closed.push(n) }
  })
  const receive = (frame: RoomServerFrame) => connections.at(-1)?.frame(frame)
  const enter = (state = {}) => receive({ type: 'room', me: 'me', peers: [peerWith('me')], state })
  return { room, sent, connections, closed, receive, enter }
}

const peerWith = (id: string, presence: unknown = null) => ({ id, userId: `u_${id}`, presence })
const messageOf = (seq: number, data: unknown = seq, by = 'other'): RoomMessage => ({
  seq,
  type: 'say',
  data,
  from: { id: by, userId: `u_${by}` },
})

describe('a live room on a page', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }))
  afterEach(() => mock.timers.reset())

  test('joining a live room resolves once the page is in it, and the page sees peers enter, change and leave', async () => {
    const { room, receive, enter } = makeRoom()
    const joined = room.join()
    assert.equal(room.status(), 'connecting')
    enter()
    await joined
    assert.deepEqual([room.status(), room.me()], ['live', 'me'])
    receive({ type: 'peers', put: [peerWith('a', 1), peerWith('b')], left: [] })
    receive({ type: 'peers', put: [peerWith('a', 2)], left: ['b'] })
    assert.deepEqual(room.peers(), [peerWith('me'), peerWith('a', 2)])
  })

  test('a rejected join of a live room rejects its promise, closes the connection and is not retried', async () => {
    const { room, connections, closed } = makeRoom()
    const joined = room.join()
    connections[0]?.failed(new ApiError('unavailable', 'The room is full.'), false)
    assert.deepEqual([room.status(), room.error()?.code], ['connecting', 'unavailable'])
    connections[0]?.failed(new ApiError('forbidden', 'No.'), true)
    await assert.rejects(joined, { code: 'forbidden' })
    assert.deepEqual([room.status(), room.error()?.code, closed], ['refused', 'forbidden', [1]])
    await assert.rejects(room.broadcast('say', 1), { code: 'forbidden' })
  })

  test('several quick presence changes are sent as one, and the presence is sent again after a reconnect', () => {
    const { room, sent, connections, enter } = makeRoom()
    void room.join({ x: 0 })
    enter()
    for (let x = 1; x <= 5; x++) room.setPresence({ x })
    mock.timers.tick(50)
    assert.deepEqual(sent.at(-1), { type: 'presence', presence: { x: 5 } })
    const count = sent.length
    assert.ok(count <= 2)
    connections[0]?.lost()
    assert.equal(room.status(), 'stale')
    enter()
    assert.deepEqual(sent.slice(count), [{ type: 'presence', presence: { x: 5 } }])
  })

  test('an unacknowledged room message is sent again after a reconnect, and its promise resolves once it arrives', async () => {
    const { room, sent, connections, receive, enter } = makeRoom()
    void room.join()
    enter()
    const done = room.broadcast('say', 'hi')
    const [first] = sent
    assert.ok(first?.type === 'broadcast')
    connections[0]?.lost()
    enter()
    assert.deepEqual(sent[1], first)
    receive({ type: 'messages', items: [messageOf(5, 'hi', 'me')], ref: first.ref })
    await done
    assert.deepEqual(
      room.messages('say').map(({ data }) => data),
      ['hi'],
    )
  })

  test('after a reconnect a room listener gets each message it missed once, and none from before it joined the room', () => {
    const { room, connections, receive, enter } = makeRoom()
    const heard: unknown[] = []
    const stop = room.on('say', (data) => heard.push(data))
    room.on('other', () => heard.push('wrong'))
    void room.join()
    enter()
    receive({ type: 'messages', items: [messageOf(1), messageOf(2)], missed: true })
    receive({ type: 'messages', items: [messageOf(3)] })
    connections[0]?.lost()
    assert.equal(connections[0]?.since(), 3)
    enter()
    receive({ type: 'messages', items: [messageOf(3), messageOf(4)], missed: true })
    stop()
    receive({ type: 'messages', items: [messageOf(5)] })
    assert.deepEqual(heard, [3, 4])
    assert.deepEqual(
      room.messages().map(({ seq }) => seq),
      [1, 2, 3, 4, 5],
    )
  })

  test('a page shows its change of the room state at once, and the stored value again if the change is rejected', async () => {
    const { room, sent, receive, enter } = makeRoom()
    void room.join()
    enter({ title: 'Old' })
    const refused = room.state.set('title', 'Mine')
    assert.equal(room.state.get('title'), 'Mine')
    receive({ type: 'state', key: 'title', value: 'Theirs' })
    assert.equal(room.state.get('title'), 'Mine', 'the room will say mine last')
    const [frame] = sent
    assert.ok(frame?.type === 'state')
    receive({ type: 'refused', ref: frame.ref, code: 'invalid_request', message: 'Too large.' })
    await assert.rejects(refused, { code: 'invalid_request' })
    assert.equal(room.state.get('title'), 'Theirs')
    receive({ type: 'state', key: 'title', value: null })
    assert.deepEqual([room.state.get('title'), room.state.keys()], [null, []])
  })

  test("messages beyond a room's rate limit wait on the page instead of being rejected", () => {
    const { room, sent, enter } = makeRoom()
    void room.join()
    enter()
    for (let n = 0; n < 100; n++) room.broadcast('say', n).catch(() => {})
    assert.equal(sent.length, 25)
    mock.timers.tick(1000)
    assert.ok(sent.length <= 51)
    for (let second = 0; second < 4; second++) mock.timers.tick(1000)
    assert.deepEqual(
      sent.map((frame) => frame.type === 'broadcast' && frame.data),
      [...Array(100).keys()],
    )
  })

  test('a room presence, message or state value that is too large is rejected before it is sent', async () => {
    const { room, sent, enter } = makeRoom()
    void room.join()
    enter()
    assert.throws(() => room.setPresence('x'.repeat(1100)), { code: 'invalid_request' })
    await assert.rejects(room.broadcast('say', 'x'.repeat(33_000)), { code: 'invalid_request' })
    await assert.rejects(room.state.set('a', 'ü'.repeat(17_000)), { code: 'invalid_request' })
    assert.deepEqual(sent, [])
  })

  test('a page that joined a room several times disconnects only after as many leaves, and not when it joins again at once', async () => {
    const { room, closed, enter } = makeRoom()
    void room.join()
    void room.join()
    enter()
    room.leave()
    mock.timers.tick(200)
    assert.deepEqual(closed, [])
    const waiting = room.broadcast('say', 1)
    room.leave()
    void room.join()
    mock.timers.tick(200)
    assert.deepEqual(closed, [])
    room.leave()
    mock.timers.tick(200)
    assert.deepEqual([closed, room.status(), room.peers()], [[1], 'out', []])
    await assert.rejects(waiting, { code: 'unavailable' })
  })

  test('after a change of user, the page has no room messages and no room state of the previous user', () => {
    const { room, connections, closed, receive, enter } = makeRoom()
    void room.join()
    enter({ title: 'Old' })
    receive({ type: 'messages', items: [messageOf(9)] })
    room.restart()
    assert.deepEqual([room.messages(), room.state.get('title'), closed], [[], null, [1]])
    assert.equal(connections[1]?.since(), 0)
  })

  test("when a room reports that a person was erased, the page removes that person from the room's messages and peers", () => {
    const { room, receive, enter } = makeRoom()
    void room.join()
    enter()
    receive({ type: 'peers', put: [peerWith('bob')], left: [] })
    receive({ type: 'messages', items: [messageOf(1, 'stays', 'me'), messageOf(2, 'canary', 'bob')] })
    receive({ type: 'forget', userId: 'u_bob' })
    assert.deepEqual([room.messages().map(({ data }) => data), room.peers()], [['stays'], [peerWith('me')]])
  })

  test('listeners get a message that their page missed while it was disconnected, even if it is the first message of the room', () => {
    const { room, connections, receive, enter } = makeRoom()
    const heard: unknown[] = []
    room.on('say', (data) => heard.push(data))
    void room.join()
    enter()
    connections[0]?.lost()
    enter()
    receive({ type: 'messages', items: [messageOf(1), messageOf(2)], missed: true })
    assert.deepEqual(heard, [1, 2])
  })

  test('listeners do not get the history of a room as new messages after another person signs in', () => {
    const { room, receive, enter } = makeRoom()
    const heard: unknown[] = []
    room.on('say', (data) => heard.push(data))
    void room.join()
    enter()
    receive({ type: 'messages', items: [messageOf(1)] })
    room.restart()
    enter()
    receive({ type: 'messages', items: [messageOf(1)], missed: true })
    assert.deepEqual([heard, room.messages().length], [[1], 1])
  })

  test('a room message that was not confirmed before its person signed out is not sent in the name of the next person', async () => {
    const { room, sent, enter } = makeRoom()
    void room.join()
    enter()
    const refused = assert.rejects(room.broadcast('say', 'of Ada'), { code: 'unauthorized' })
    room.restart(true)
    sent.splice(0)
    enter()
    await refused
    assert.deepEqual(sent, [])
  })

  test('an unconfirmed room message is sent again when the session of the same person was renewed', () => {
    const { room, sent, enter } = makeRoom()
    void room.join()
    enter()
    room.broadcast('say', 'of Ada').catch(() => {})
    room.restart()
    sent.splice(0)
    enter()
    assert.deepEqual(
      sent.map((frame) => frame.type === 'broadcast' && frame.data),
      ['of Ada'],
    )
  })

  test('the presence of a page is forgotten when the page leaves the room', () => {
    const { room, sent, enter } = makeRoom()
    void room.join({ typing: true })
    enter()
    room.leave()
    mock.timers.tick(1000)
    const { length } = sent
    void room.join()
    enter()
    mock.timers.tick(1000)
    assert.deepEqual(sent.slice(length), [])
  })

  test('the keys of the room state include keys that this page has just set, and exclude keys that it has just removed', () => {
    const { room, receive, enter } = makeRoom()
    void room.join()
    enter({ a: 1, b: 2 })
    void room.state.set('c', 3)
    void room.state.set('a', null)
    void room.state.set('b', 4)
    assert.deepEqual(room.state.keys(), ['b', 'c'])
    receive({ type: 'state', key: 'd', value: 5 })
    assert.deepEqual(room.state.keys(), ['b', 'd', 'c'])
  })
})
