import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { connections, FakeConnection, FakeStream, FakeTrack, settle } from './session.test.fixture.ts'
import { SfuTransport } from './sfu.ts'
import type { TransportOptions } from './transport.ts'
import type { CallRequests, CallTrack } from './types.ts'

type Pull = CallRequests['pull']['ask']
interface Ask {
  kind: keyof CallRequests
  ask: unknown
}

/** A page in a call through a media server that grants every request of the page. */
class Page {
  readonly asks: Ask[] = []
  readonly arrived: [peer: string, kind: CallTrack, track: unknown][] = []
  readonly failures: unknown[] = []
  readonly losses: boolean[] = []
  readonly tracks = new Map<CallTrack, MediaStreamTrack>()
  /** The tracks of each other page in the call. */
  readonly members = new Map<string, CallTrack[]>()
  /** Called before a request is answered. May throw, or return a promise that the answer waits for. */
  before: (kind: keyof CallRequests) => unknown = () => {}
  #mids = 0
  readonly sfu: SfuTransport

  constructor() {
    const stream = new FakeStream() as unknown as MediaStream
    const room = { rtc: { ask: (kind: keyof CallRequests, ask: unknown) => this.#answer(kind, ask) } }
    this.sfu = new SfuTransport({
      room: room as unknown as TransportOptions['room'],
      me: 'me1',
      iceServers: () => [],
      local: () => ({ tracks: this.tracks, camera: stream, screen: stream }),
      members: () =>
        [...this.members].map(([id, tracks]) => ({
          id,
          userId: null,
          presence: null,
          call: { mode: 'sfu', tracks, muted: [] },
        })),
      arrived: (...given) => void this.arrived.push(given),
      failed: (error) => void this.failures.push(error),
      lost: (wasConnected) => void this.losses.push(wasConnected),
    })
  }

  async #answer(kind: keyof CallRequests, ask: unknown): Promise<unknown> {
    this.asks.push({ kind, ask })
    await this.before(kind)
    if (kind === 'publish') return { sdp: 'v=0' }
    if (kind !== 'pull') return null
    return { sdp: 'v=0', tracks: (ask as Pull).tracks.map((one) => ({ ...one, mid: `m${this.#mids++}` })) }
  }

  get connection() {
    return connections.at(-1) as FakeConnection & {
      ontrack: (event: { track: unknown; transceiver: { mid: string } }) => void
    }
  }

  /** Removes and returns the requests that the page has sent since `taken` was last called. */
  taken(): [kind: string, ask: unknown][] {
    return this.asks.splice(0).map(({ kind, ask }) => [kind, ask])
  }

  kinds(): string[] {
    return this.taken().map(([kind]) => kind)
  }

  async show(id: string, ...tracks: CallTrack[]): Promise<void> {
    this.members.set(id, tracks)
    this.sfu.sync()
    await settle()
  }

  send(kind: CallTrack): Promise<void> {
    this.tracks.set(kind, new FakeTrack(kind) as unknown as MediaStreamTrack)
    return this.sfu.local()
  }
}

describe('a page whose call goes through the media server', () => {
  let page: Page
  let former: PropertyDescriptor | undefined
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] })
    former = Object.getOwnPropertyDescriptor(globalThis, 'RTCPeerConnection')
    Object.defineProperty(globalThis, 'RTCPeerConnection', { value: FakeConnection, configurable: true })
    connections.length = 0
    page = new Page()
  })
  afterEach(() => {
    page.sfu.close()
    mock.timers.reset()
    if (former === undefined) Reflect.deleteProperty(globalThis, 'RTCPeerConnection')
    else Object.defineProperty(globalThis, 'RTCPeerConnection', former)
  })
  const refused = new Error('Try again.')

  test('a media session requests all tracks of another page at once, and assigns each received track to that page', async () => {
    await page.show('ada', 'audio', 'video')
    const tracks = [
      { peer: 'ada', track: 'audio' },
      { peer: 'ada', track: 'video' },
    ]
    assert.deepEqual(page.taken(), [
      ['session', null],
      ['pull', { tracks }],
      ['answer', { sdp: 'v=0' }],
    ])
    for (const mid of ['m1', 'm0', 'unknown']) page.connection.ontrack({ track: mid, transceiver: { mid } })
    assert.deepEqual(page.arrived, [
      ['ada', 'video', 'm1'],
      ['ada', 'audio', 'm0'],
    ])
  })

  test('a call track that its sender stops is closed, and is requested again when the sender starts it again', async () => {
    await page.show('ada', 'audio', 'video')
    page.taken()
    await page.show('ada', 'audio')
    assert.deepEqual(page.taken(), [['close', { mids: ['m1'] }]])
    await page.show('ada', 'audio', 'video')
    assert.deepEqual(page.taken()[0], ['pull', { tracks: [{ peer: 'ada', track: 'video' }] }])
  })

  test('a requested call track whose sender leaves in the meantime is closed as soon as the media server grants it', async () => {
    const gate = Promise.withResolvers<void>()
    page.before = (kind) => (kind === 'pull' ? gate.promise : undefined)
    await page.show('ada', 'audio')
    page.members.clear()
    page.sfu.sync()
    gate.resolve()
    await settle()
    assert.deepEqual(page.taken().slice(1), [
      ['pull', { tracks: [{ peer: 'ada', track: 'audio' }] }],
      ['answer', { sdp: 'v=0' }],
      ['close', { mids: ['m0'] }],
    ])
    page.connection.ontrack({ track: 'late', transceiver: { mid: 'm0' } })
    assert.deepEqual([page.arrived, page.failures], [[], []])
  })

  test('a call track that is removed and sent again while it is being requested is received once', async () => {
    const gate = Promise.withResolvers<void>()
    page.before = (kind) => (kind === 'pull' ? gate.promise : undefined)
    await page.show('ada', 'audio')
    await page.show('ada')
    await page.show('ada', 'audio')
    gate.resolve()
    await settle()
    assert.deepEqual(page.kinds(), ['session', 'pull', 'answer', 'close', 'pull', 'answer'])
    for (const mid of ['m0', 'm1']) page.connection.ontrack({ track: mid, transceiver: { mid } })
    assert.deepEqual(page.arrived, [['ada', 'audio', 'm1']])
  })

  test('a failure to stop receiving a call track is not reported, because the person misses nothing', async () => {
    await page.show('ada', 'audio')
    page.before = (kind) => {
      if (kind === 'close') throw refused
    }
    await page.show('ada')
    assert.deepEqual([page.kinds().at(-1), page.failures], ['close', []])
  })

  test("a screen is shared even if closing the camera's track at the media server fails", async () => {
    await page.send('video')
    page.taken()
    page.before = (kind) => {
      if (kind === 'close') throw refused
    }
    page.tracks.delete('video')
    await page.send('screen')
    assert.deepEqual([page.kinds(), page.failures], [['close', 'publish'], []])
  })

  test('repeated failures to send a call track are reported once, and so is the first success afterwards', async () => {
    page.before = (kind) => {
      if (kind === 'publish') throw refused
    }
    await page.send('audio')
    await page.sfu.local()
    page.before = () => {}
    await page.sfu.local()
    await page.sfu.local()
    assert.deepEqual(page.failures, [refused, null])
  })

  test('a media session that could not be created is created with the next track', async () => {
    page.before = (kind) => {
      if (kind === 'session') throw refused
    }
    await page.send('audio')
    page.before = () => {}
    await page.sfu.local()
    assert.deepEqual(
      [page.kinds(), page.failures],
      [
        ['session', 'session', 'publish'],
        [refused, null],
      ],
    )
  })

  test('a media session receives tracks only after sending its own, because it can negotiate only one change at a time', async () => {
    const gate = Promise.withResolvers<void>()
    page.before = (kind) => (kind === 'publish' ? gate.promise : undefined)
    const sent = page.send('audio')
    await page.show('ada', 'audio')
    assert.deepEqual(page.kinds(), ['session', 'publish'])
    gate.resolve()
    await sent
    await settle()
    assert.deepEqual(page.kinds(), ['pull', 'answer'])
  })

  test('a closed media session makes no further request and reports no later failure', async () => {
    for (const outcome of ['answer', 'failure'] as const) {
      page = new Page()
      const gate = Promise.withResolvers<void>()
      page.before = () => gate.promise
      await page.show('ada', 'audio')
      const sent = page.send('audio')
      page.sfu.close()
      if (outcome === 'answer') gate.resolve()
      else gate.reject(refused)
      await sent
      await settle()
      mock.timers.tick(60_000)
      await settle()
      assert.deepEqual([page.kinds(), page.failures, page.connection.isClosed], [['session'], [], true])
    }
  })

  test('the report of a lost media connection says whether the connection was ever established', () => {
    page.connection.become('failed')
    page.connection.become('connected')
    page.connection.become('failed')
    assert.deepEqual(page.losses, [false, true])
  })
})
