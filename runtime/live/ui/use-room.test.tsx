import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { act, cleanup, render, screen } from '../../testing/kit.test.fixture.tsx'
import { live } from '../client.ts'
import type { Peer, RoomClientFrame } from '../types.ts'
import { usePresence, useRoom } from './use-room.ts'

const PEERS: Peer[] = [
  { id: 'p1', userId: null, presence: null },
  { id: 'p2', userId: 'u_2', presence: { name: 'Ana' } },
]
/** Longer than the delays after which a page leaves a room and sends a presence. */
const SOON_MS = 1000

/** A fake WebSocket of a room. Records what the page sends. */
class RoomSocket extends EventTarget {
  static all: RoomSocket[] = []
  readonly url: string
  readonly sent: RoomClientFrame[] = []
  isClosed = false

  constructor(url: string) {
    super()
    this.url = url
    RoomSocket.all.push(this)
  }

  send(text: string) {
    if (text !== 'ping') this.sent.push(JSON.parse(text) as RoomClientFrame)
  }

  close() {
    this.isClosed = true
  }

  receive(frame: object) {
    act(() => void this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(frame) })))
  }

  enter() {
    this.receive({ type: 'room', me: 'p1', peers: PEERS, state: {} })
  }
}

function Board({ id, presence }: { id: string; presence?: unknown }) {
  const room = useRoom('doc', id, presence === undefined ? {} : { presence })
  const peers = usePresence(room)
  return <output>{`${room.status()}, ${peers.length} here, ${room.messages().length} messages`}</output>
}

const shown = () => screen.getByRole('status').textContent
const presencesSent = () =>
  RoomSocket.all.flatMap(({ sent }) => sent.flatMap((one) => (one.type === 'presence' ? [one.presence] : [])))
const pass = () => act(() => mock.timers.tick(SOON_MS))

describe('a component in a room', () => {
  // Rooms live as long as the page, and test files share a process, so each test opens a separate room.
  let count = 0
  let id: string
  beforeEach(() => {
    id = `use-room-${++count}`
    RoomSocket.all = []
    Object.assign(globalThis, { WebSocket: RoomSocket, fetch: () => new Promise(() => {}) })
    mock.timers.enable({ apis: ['setTimeout'] })
  })
  afterEach(() => {
    // Leave the rooms while the timers are still mocked, so that no room closes during a later test.
    cleanup()
    pass()
    mock.timers.reset()
  })
  const openSockets = () =>
    RoomSocket.all.filter((socket) => !socket.isClosed).map(({ url }) => new URL(url).pathname)

  test('a component that uses a live room enters it, shows every change in it, and leaves it when it unmounts', () => {
    const { unmount } = render(<Board id={id} />)
    assert.equal(shown(), 'connecting, 0 here, 0 messages')
    RoomSocket.all[0]?.enter()
    assert.equal(shown(), 'live, 2 here, 0 messages')
    RoomSocket.all[0]?.receive({ type: 'peers', put: [], left: ['p2'] })
    RoomSocket.all[0]?.receive({
      type: 'messages',
      items: [{ seq: 1, type: 'say', data: 'hi', from: null }],
    })
    assert.equal(shown(), 'live, 1 here, 1 messages')
    unmount()
    pass()
    assert.deepEqual(openSockets(), [])
  })

  test('a component that gets the id of another room leaves its room and enters the new one', () => {
    const { rerender } = render(<Board id={id} />)
    RoomSocket.all[0]?.enter()
    rerender(<Board id={`${id}-other`} />)
    pass()
    assert.deepEqual(openSockets(), [`/_app/live/doc/${id}-other`])
    assert.equal(shown(), 'connecting, 0 here, 0 messages')
  })

  test('components in the same live room share one connection, which stays open until the last one unmounts', () => {
    const both = (isSecondShown: boolean) => (
      <>
        <Board id={id} />
        {isSecondShown && <Board id={id} />}
      </>
    )
    const { rerender, unmount } = render(both(true))
    assert.equal(openSockets().length, 1)
    rerender(both(false))
    pass()
    assert.equal(openSockets().length, 1)
    unmount()
    pass()
    assert.equal(openSockets().length, 0)
  })

  test('a presence is sent when it changes, and not when the component renders again with an equal one', () => {
    const { rerender } = render(<Board id={id} presence={{ name: 'Bo' }} />)
    RoomSocket.all[0]?.enter()
    pass()
    const { length } = presencesSent()
    rerender(<Board id={id} presence={{ name: 'Bo' }} />)
    pass()
    assert.equal(presencesSent().length, length)
    rerender(<Board id={id} presence={{ name: 'Bo', typing: true }} />)
    pass()
    assert.deepEqual(presencesSent().slice(length), [{ name: 'Bo', typing: true }])
  })

  test('a component that no longer has a presence clears the presence that others see', () => {
    const { rerender } = render(<Board id={id} presence={{ typing: true }} />)
    RoomSocket.all[0]?.enter()
    pass()
    rerender(<Board id={id} />)
    pass()
    assert.equal(presencesSent().at(-1), null)
  })

  test('a component without a presence keeps the presence that the app has set on the room', () => {
    const { rerender } = render(<Board id={id} />)
    RoomSocket.all[0]?.enter()
    live.room('doc', id).setPresence({ typing: true })
    rerender(<Board id={id} />)
    pass()
    assert.deepEqual(presencesSent(), [{ typing: true }])
  })

  test('a component that is shown again without a presence does not send the presence of its earlier visit', () => {
    const { unmount } = render(<Board id={id} presence={{ typing: true }} />)
    RoomSocket.all[0]?.enter()
    unmount()
    pass()
    const { length } = presencesSent()
    render(<Board id={id} />)
    RoomSocket.all[1]?.enter()
    pass()
    assert.deepEqual(presencesSent().slice(length), [])
  })
})
