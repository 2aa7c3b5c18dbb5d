import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { ReconnectingSocket } from './reconnecting-socket.ts'
import {
  closeFakePage,
  countPageListeners,
  FakeSocket,
  firePageEvent,
  openFakePage,
} from './socket.test.fixture.ts'

interface Frame {
  type: string
}
const HELLO = { type: 'hello' }

describe('the connection of a page', () => {
  let statuses: string[]
  let frames: Frame[]
  /** The value of `Math.random`, which the pauses before a reconnect depend on. At 0.5 they have their average length. */
  let random: number
  beforeEach(() => {
    openFakePage(() => assert.fail('a connection sends no other request'))
    random = 0.5
    // Mock `Math.random` once and change only `random`: restoring a second mock of a function installs the first mock again.
    mock.method(Math, 'random', () => random)
    statuses = []
    frames = []
  })
  afterEach(() => {
    mock.restoreAll()
    closeFakePage()
  })

  const open = () =>
    new ReconnectingSocket<Frame>({
      url: () => `ws://app.test/${FakeSocket.all.length}`,
      onFrame: (frame) => void frames.push(frame),
      onStatus: (status) => void statuses.push(status),
    })
  /**
   * Returns after how many milliseconds the next socket is opened; null if no socket is opened within 20 seconds, which is longer than any
   * pause.
   */
  const untilReopened = () => {
    const { length } = FakeSocket.all
    for (let ms = 1; ms <= 20_000; ms++) {
      mock.timers.tick(1)
      if (FakeSocket.all.length > length) return ms
    }
    return null
  }

  test('a socket is live from its first hello or room frame on, and passes on every frame, even those received before', () => {
    for (const type of ['hello', 'room']) {
      open()
      FakeSocket.last.receive({ type: 'ops' })
      assert.deepEqual(statuses.splice(0), [])
      FakeSocket.last.receive({ type })
      FakeSocket.last.receive({ type: 'ops' })
      assert.deepEqual(
        [statuses.splice(0), frames.splice(0)],
        [['live'], [{ type: 'ops' }, { type }, { type: 'ops' }]],
      )
    }
  })

  test('a frame is sent as JSON over the currently open WebSocket', () => {
    const link = open()
    FakeSocket.last.receive(HELLO)
    link.send({ type: 'presence', presence: 'é' })
    assert.deepEqual(FakeSocket.last.sent, [{ type: 'presence', presence: 'é' }])
  })

  test('the pauses before a reconnect double up to ten seconds, and start again at the shortest after a connection was live', () => {
    open()
    const pauses: (number | null)[] = []
    const lose = () => {
      FakeSocket.last.fire('close')
      pauses.push(untilReopened())
    }
    for (let times = 0; times < 7; times++) lose()
    assert.deepEqual(pauses.splice(0), [400, 800, 1600, 3200, 6400, 10_000, 10_000])
    FakeSocket.last.receive(HELLO)
    lose()
    assert.deepEqual([pauses, statuses.slice(-2)], [[400], ['live', 'stale']])
  })

  test('a pause before a reconnect is between 0.5 and 1.5 times its average length', () => {
    for (const [share, ms] of [
      [0, 200],
      [0.999, 600],
    ] as const) {
      random = share
      open()
      FakeSocket.last.fire('close')
      assert.equal(untilReopened(), ms)
    }
  })

  test('a WebSocket that reports an error and then closes causes only one reconnect', () => {
    open()
    const [socket] = FakeSocket.all
    socket?.fire('error')
    socket?.fire('close')
    assert.deepEqual([statuses, untilReopened(), FakeSocket.all.length], [['stale'], 400, 2])
  })

  test('a socket without a first frame within eight seconds is closed and replaced', () => {
    open()
    mock.timers.tick(7999)
    assert.deepEqual(statuses, [])
    mock.timers.tick(1)
    assert.deepEqual([statuses, FakeSocket.all[0]?.isClosed, untilReopened()], [['stale'], true, 400])
  })

  test('a live WebSocket is pinged every 25 seconds, and replaced when a reply takes longer than ten seconds', () => {
    open()
    const socket = FakeSocket.last
    socket.receive(HELLO)
    for (let pings = 1; pings <= 3; pings++) {
      mock.timers.tick(24_999)
      assert.equal(socket.pings, pings - 1)
      mock.timers.tick(1)
      assert.equal(socket.pings, pings)
      mock.timers.tick(9999)
      socket.receive('pong')
    }
    assert.deepEqual([statuses, frames], [['live'], [HELLO]])
    mock.timers.tick(25_000)
    mock.timers.tick(9999)
    assert.equal(socket.isClosed, false)
    mock.timers.tick(1)
    assert.deepEqual([statuses, socket.isClosed, untilReopened()], [['live', 'stale'], true, 400])
  })

  test('late events of a socket that was replaced change nothing', () => {
    open()
    const former = FakeSocket.last
    former.fire('close')
    untilReopened()
    FakeSocket.last.receive(HELLO)
    statuses.length = 0
    frames.length = 0
    former.receive(HELLO)
    former.receive('pong')
    former.fire('close')
    former.fire('error')
    assert.deepEqual([statuses, frames, FakeSocket.last.isClosed, untilReopened()], [[], [], false, null])
  })

  test('a page that goes offline is marked as stale at once, and reconnects as soon as it is online again', () => {
    open()
    FakeSocket.last.receive(HELLO)
    firePageEvent('offline')
    assert.deepEqual(
      [statuses.at(-1), FakeSocket.all[0]?.isClosed, FakeSocket.all.length],
      ['stale', true, 1],
    )
    firePageEvent('online')
    assert.equal(FakeSocket.all.length, 2)
    FakeSocket.last.receive(HELLO)
    assert.equal(statuses.at(-1), 'live')
  })

  test('an online event replaces even a live WebSocket, and the page is stale until the new one is live', () => {
    const link = open()
    FakeSocket.last.receive(HELLO)
    firePageEvent('online')
    assert.deepEqual(
      [statuses, FakeSocket.all.map(({ isClosed }) => isClosed)],
      [
        ['live', 'stale'],
        [true, false],
      ],
    )
    FakeSocket.last.receive(HELLO)
    link.send(HELLO)
    assert.deepEqual([statuses.at(-1), FakeSocket.last.sent], ['live', [HELLO]])
  })

  test('a closed reconnecting socket never reconnects, even when the page comes online or a reconnect was scheduled', () => {
    const links = [open(), open()]
    FakeSocket.all[0]?.receive(HELLO)
    FakeSocket.all[1]?.fire('close')
    for (const link of links) link.close()
    statuses.length = 0
    firePageEvent('offline')
    firePageEvent('online')
    assert.deepEqual([untilReopened(), statuses, FakeSocket.all[0]?.isClosed], [null, [], true])
  })

  test('a closed reconnecting socket keeps no listener on the window', () => {
    const links = [open(), open()]
    assert.equal(countPageListeners(), 4)
    for (const link of links) link.close()
    assert.equal(countPageListeners(), 0)
  })
})
