import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import { closeFakePage, FakeSocket, openFakePage } from '../data/client/socket.test.fixture.ts'
import { reconnectStores } from '../data/client/page-store.ts'
import { live, type RoomOptions } from './client.ts'
import type { Room } from './room.ts'

const ENTERED = { type: 'room', me: 'p1', peers: [], state: {} }
/** Longer than the first pause before a reconnect, and shorter than the time in which a socket must open. */
const FIRST_RETRY_MS = 700

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
const refusal = (status: number, code: string) => () =>
  Promise.resolve(Response.json({ ok: false, error: { code, message: 'No.' } }, { status }))

describe('the rooms of a page', () => {
  let asked: string[]
  /** The app's response to the request that says why a socket was refused. */
  let answer: () => Promise<Response>
  let count = 0
  // Rooms live as long as the page, and test files share a process, so each test opens a separate room.
  const openRoom = (options?: RoomOptions): Room => live.room('doc', `r${++count}`, options)
  before(() => {
    openFakePage((path) => {
      asked.push(path)
      return answer()
    })
  })
  beforeEach(() => {
    FakeSocket.all = []
    asked = []
    answer = async () => new Response(null, { status: 204 })
  })
  after(closeFakePage)
  const enter = async (room: Room) => {
    const joined = room.join()
    FakeSocket.last.receive(ENTERED)
    await joined
  }

  test("requesting a live room twice returns one object, which connects to the room's address when it is joined", () => {
    const room = live.room('doc', 'a/b?c', { partition: 't_1' })
    assert.equal(live.room('doc', 'a/b?c', { partition: 't_1' }), room)
    assert.notEqual(live.room('doc', 'a/b?c'), room)
    assert.notEqual(live.room('doc', 'a/b?c', { partition: 't_1', data: true }), room)
    assert.equal(FakeSocket.all.length, 0, 'it connects only when it is joined')
    void room.join()
    assert.equal(FakeSocket.last.url, 'ws://app.test/_app/live/doc/a%2Fb%3Fc?partition=t_1&since=0')
  })

  test('a page that reconnects to a live room requests only the messages after its last one', async () => {
    const room = openRoom()
    await enter(room)
    FakeSocket.last.receive({
      type: 'messages',
      items: [{ seq: 41, type: 'say', data: 'hi', from: null }],
    })
    FakeSocket.last.fire('close')
    assert.equal(room.status(), 'stale')
    mock.timers.tick(FIRST_RETRY_MS)
    assert.equal(FakeSocket.last.url, `ws://app.test/_app/live/doc/r${count}?since=41`)
    FakeSocket.last.receive(ENTERED)
    await nextTurn()
    assert.deepEqual([room.status(), room.error(), asked], ['live', null, [`/_app/live/doc/r${count}?`]])
  })

  test('a page that a live room refuses permanently shows the reason and does not connect again', async () => {
    for (const [status, code] of [
      [401, 'unauthorized'],
      [403, 'forbidden'],
      [404, 'not_found'],
      [400, 'invalid_request'],
    ] as const) {
      answer = refusal(status, code)
      const room = openRoom()
      const joined = room.join()
      FakeSocket.last.fire('close')
      await assert.rejects(joined, { code, message: 'No.' })
      const { length } = FakeSocket.all
      mock.timers.tick(20_000)
      assert.deepEqual(
        [room.status(), room.error()?.code, FakeSocket.all.length - length],
        ['refused', code, 0],
      )
    }
  })

  test('a page that a live room refuses temporarily shows the reason and connects again', async () => {
    for (const [status, code] of [
      [503, 'unavailable'],
      [500, 'server_error'],
      [429, 'rate_limited'],
    ] as const) {
      answer = refusal(status, code)
      const room = openRoom()
      const joined = room.join()
      FakeSocket.last.fire('close')
      await nextTurn()
      assert.deepEqual([room.status(), room.error()?.code], ['connecting', code])
      mock.timers.tick(FIRST_RETRY_MS)
      FakeSocket.last.receive(ENTERED)
      await joined
      assert.deepEqual([room.status(), room.error()], ['live', null])
    }
  })

  test('a late refusal of an earlier connection does not remove a page that has entered the live room again', async () => {
    for (const options of [undefined, { partition: 't_late', data: true }]) {
      const late = Promise.withResolvers<Response>()
      answer = () => late.promise
      const room = openRoom(options)
      await enter(room)
      FakeSocket.last.fire('close')
      mock.timers.tick(FIRST_RETRY_MS)
      FakeSocket.last.receive(ENTERED)
      late.resolve(await refusal(403, 'forbidden')())
      await nextTurn()
      assert.deepEqual(
        [room.status(), room.error(), FakeSocket.last.isClosed],
        ['live', null, false],
        options?.partition ?? 'app',
      )
      room.leave()
      mock.timers.tick(200)
    }
  })

  test("a live room's refusal of the previous person does not affect the person who signs in next", async () => {
    const late = Promise.withResolvers<Response>()
    answer = () => late.promise
    const room = openRoom()
    await enter(room)
    FakeSocket.last.fire('close')
    reconnectStores()
    const joined = room.join()
    late.resolve(await refusal(401, 'unauthorized')())
    await nextTurn()
    assert.deepEqual([room.status(), room.error()], ['connecting', null])
    FakeSocket.last.receive(ENTERED)
    await joined
    assert.equal(room.status(), 'live')
  })

  test('a refusal that arrives after the page has left a live room is ignored', async () => {
    const late = Promise.withResolvers<Response>()
    answer = () => late.promise
    const room = openRoom()
    await enter(room)
    FakeSocket.last.fire('close')
    room.leave()
    mock.timers.tick(200)
    assert.equal(room.status(), 'out')
    late.resolve(await refusal(403, 'forbidden')())
    await nextTurn()
    assert.deepEqual([room.status(), room.error()], ['out', null])
  })

  test("a live room that shares its socket with records requests the reason of a refusal at the room's own address", async () => {
    const room = openRoom({ partition: 't_both', data: true })
    const joined = room.join()
    assert.equal(FakeSocket.all.length, 1)
    const url = new URL(FakeSocket.last.url)
    assert.deepEqual(
      [url.pathname, url.searchParams.get('partition'), url.searchParams.get('since')],
      [`/_app/live/doc/r${count}`, 't_both', '0'],
    )
    FakeSocket.last.receive({ type: 'hello', seq: 1, user: null })
    FakeSocket.last.receive(ENTERED)
    await joined
    answer = refusal(403, 'forbidden')
    FakeSocket.last.fire('close')
    await nextTurn()
    assert.deepEqual(asked, [`/_app/live/doc/r${count}?partition=t_both`])
    const { length } = FakeSocket.all
    mock.timers.tick(20_000)
    assert.deepEqual([room.status(), FakeSocket.all.length - length], ['refused', 0])
  })

  test('a live room without a partition has its own socket, even with the option to share it with records', () => {
    const room = openRoom({ data: true })
    void room.join()
    assert.equal(FakeSocket.last.url, `ws://app.test/_app/live/doc/r${count}?since=0`)
  })
})
