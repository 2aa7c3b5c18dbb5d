import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { MeshTransport } from './mesh.ts'
import { FakeStream, FakeTrack, settle } from './session.test.fixture.ts'
import type { TransportOptions } from './transport.ts'
import type { CallTrack, Signal } from './types.ts'

const OFFER = { description: { type: 'offer' as const, sdp: 'v=0' } }
const ANSWER = { description: { type: 'answer' as const, sdp: 'v=0' } }

/** A connection to another page that transports no media. */
class Connection {
  static all: Connection[] = []
  readonly servers: unknown
  isClosed = false
  /** The calls to this connection, in order. */
  readonly log: string[] = []
  signalingState = 'stable'
  localDescription: object | null = null
  onicecandidate: (event: { candidate: object | null }) => void = () => {}
  ontrack: (event: { track: FakeTrack; streams: { id: string }[] }) => void = () => {}

  constructor({ iceServers }: { iceServers: unknown }) {
    this.servers = iceServers
    Connection.all.push(this)
  }

  addTrack(track: FakeTrack, stream: { id: string }) {
    this.log.push(`add ${track.kind} to ${stream.id}`)
    const sender = {
      track,
      replaceTrack: async (next: FakeTrack) => {
        this.log.push(`replace ${track.kind}`)
        sender.track = next
      },
    }
    return sender
  }

  removeTrack = ({ track }: { track: FakeTrack }) => void this.log.push(`remove ${track.kind}`)
  createDataChannel = (name: string) => void this.log.push(`channel ${name}`)
  addIceCandidate = async () => void this.log.push('candidate')
  restartIce = () => void this.log.push('restart')
  setRemoteDescription = async ({ type }: { type: string }): Promise<void> =>
    void this.log.push(`remote ${type}`)
  setLocalDescription = async () => {
    this.localDescription = { type: 'answer', sdp: 'v=0' }
  }

  close(): void {
    this.isClosed = true
    this.signalingState = 'closed'
  }
}

/** A page that has the id `m`. The ids of other pages sort before or after it. */
class Page {
  readonly sent: [to: string, signal: Signal][] = []
  readonly arrived: [peer: string, kind: CallTrack][] = []
  readonly tracks = new Map<CallTrack, MediaStreamTrack>()
  readonly camera = Object.assign(new FakeStream(), { id: 'my-camera' })
  readonly screen = Object.assign(new FakeStream(), { id: 'my-screen' })
  members: string[] = []
  #listener: ((from: string, data: Signal) => void) | null = null
  readonly mesh: MeshTransport

  constructor() {
    const rtc = {
      send: (to: string, data: Signal) => void this.sent.push([to, data]),
      listen: (listener: (from: string, data: Signal) => void) => {
        this.#listener = listener
        return () => void (this.#listener = null)
      },
    }
    this.mesh = new MeshTransport({
      room: { rtc } as unknown as TransportOptions['room'],
      me: 'm',
      iceServers: () => [{ urls: ['stun:stun.example.com'] }] as never,
      local: () => ({ tracks: this.tracks, camera: this.camera, screen: this.screen }) as never,
      members: () =>
        this.members.map((id) => ({
          id,
          userId: null,
          presence: null,
          call: { mode: 'mesh', tracks: [], muted: [] },
        })),
      arrived: (peer, kind) => void this.arrived.push([peer, kind]),
      failed: () => assert.fail('a connection between pages restarts by itself'),
      lost: () => assert.fail('a connection between pages restarts by itself'),
    })
  }

  add(...kinds: CallTrack[]): void {
    for (const kind of kinds)
      this.tracks.set(kind, new FakeTrack(kind === 'screen' ? 'video' : kind) as unknown as MediaStreamTrack)
  }

  show(...members: string[]): void {
    this.members = members
    this.mesh.sync()
  }

  async receive(from: string, data: Signal): Promise<void> {
    this.#listener?.(from, data)
    await settle()
  }

  get isListening(): boolean {
    return this.#listener !== null
  }
}

describe('a page whose call goes from browser to browser', () => {
  let page: Page
  let former: PropertyDescriptor | undefined
  beforeEach(() => {
    former = Object.getOwnPropertyDescriptor(globalThis, 'RTCPeerConnection')
    Object.defineProperty(globalThis, 'RTCPeerConnection', { value: Connection, configurable: true })
    Connection.all = []
    page = new Page()
  })
  afterEach(() => {
    page.mesh.close()
    if (former === undefined) Reflect.deleteProperty(globalThis, 'RTCPeerConnection')
    else Object.defineProperty(globalThis, 'RTCPeerConnection', former)
  })
  const [ADDED, SCREEN] = [['add audio to my-camera', 'add video to my-camera'], 'add video to my-screen']

  test('of two pages in a call, only the page whose id sorts last makes the first WebRTC offer', async () => {
    page.add('audio', 'video')
    page.show('a', 'z')
    const [toA, toZ] = Connection.all
    assert.deepEqual([toA?.log, toZ?.log], [['channel call', ...ADDED], []])
    // The other page offers first, and only then this page adds its tracks.
    await page.receive('z', OFFER)
    assert.deepEqual(toZ?.log, ['remote offer', ...ADDED])
    assert.deepEqual(toA?.servers, [{ urls: ['stun:stun.example.com'] }])
  })

  test("a page without a camera and a microphone also makes a WebRTC offer, so that it receives the other pages' tracks", () => {
    page.show('a')
    assert.deepEqual(Connection.all[0]?.log, ['channel call'])
  })

  test('each session description names the stream of the shared screen, and ICE candidates do not', async () => {
    page.show('a')
    await page.receive('a', OFFER)
    Connection.all[0]?.onicecandidate({ candidate: { sdpMid: '0' } })
    assert.deepEqual(page.sent, [
      ['a', { ...ANSWER, screen: 'my-screen' }],
      ['a', { candidate: { sdpMid: '0' } }],
    ])
  })

  test('a received video track counts as a screen if it is in the stream that the other page named as its screen', async () => {
    page.show('a')
    const [connection] = Connection.all
    const arrive = (kind: string, ...ids: string[]) =>
      connection?.ontrack({ track: new FakeTrack(kind), streams: ids.map((id) => ({ id })) })
    arrive('video')
    arrive('video', 'their-screen')
    await page.receive('a', { ...ANSWER, screen: 'their-screen' })
    for (const stream of ['their-screen', 'their-camera']) arrive('video', stream)
    arrive('audio', 'their-camera')
    assert.deepEqual(
      page.arrived,
      ['video', 'video', 'screen', 'video', 'audio'].map((kind) => ['a', kind]),
    )
  })

  test('adding, replacing or removing a track during a call changes that track in every peer connection', async () => {
    page.add('audio')
    page.show('a', 'b')
    for (const { log } of Connection.all) log.length = 0
    page.add('screen')
    await page.mesh.local()
    page.add('audio')
    await page.mesh.local()
    await page.mesh.local()
    page.tracks.delete('screen')
    await page.mesh.local()
    page.add('screen')
    await page.mesh.local()
    for (const { log } of Connection.all)
      assert.deepEqual(log, [SCREEN, 'replace audio', 'remove video', SCREEN])
  })

  test('a peer that has left a call is disconnected, and gets a new connection when it returns', () => {
    page.show('a', 'b')
    page.show('b')
    assert.deepEqual(
      Connection.all.map(({ isClosed }) => isClosed),
      [true, false],
    )
    page.show('a', 'b')
    assert.equal(Connection.all.length, 3)
  })

  test('a WebRTC signal that arrives before the room announces its sender opens a connection, which the announcement keeps', async () => {
    await page.receive('z', OFFER)
    page.show()
    assert.equal(Connection.all[0]?.isClosed, false)
    page.show('z')
    assert.equal(Connection.all.length, 1)
    page.show()
    assert.equal(Connection.all[0]?.isClosed, true)
  })

  test('a WebRTC connection is closed if the room does not announce its peer within ten seconds, and kept if it does', async () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    try {
      await page.receive('x', OFFER)
      await page.receive('z', OFFER)
      page.show('z')
      mock.timers.tick(9_999)
      const isClosed = () => Connection.all.map((connection) => connection.isClosed)
      assert.deepEqual(isClosed(), [false, false])
      mock.timers.tick(1)
      assert.deepEqual(isClosed(), [true, false])
      // A page with the same id may still join later. The timer of the page's earlier connection must not close the new connection.
      page.show('x', 'z')
      mock.timers.tick(10_000)
      assert.deepEqual(isClosed(), [true, false, false])
    } finally {
      mock.timers.reset()
    }
  })

  test('no tracks are sent to a peer that leaves the call while its WebRTC offer is being applied', async () => {
    page.add('audio')
    page.show('z')
    const [connection] = Connection.all
    const gate = Promise.withResolvers<void>()
    if (connection !== undefined) connection.setRemoteDescription = async () => gate.promise
    const received = page.receive('z', OFFER)
    page.show()
    gate.resolve()
    await received
    await settle()
    assert.deepEqual(connection?.log, [])
  })

  test('a page that closes its call disconnects from all other pages, and ignores later WebRTC signals', async () => {
    page.show('a', 'b')
    page.mesh.close()
    await page.receive('z', OFFER)
    assert.deepEqual(
      [Connection.all.map(({ isClosed }) => isClosed), page.isListening],
      [[true, true], false],
    )
  })
})
