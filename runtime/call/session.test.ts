import assert from 'node:assert/strict'
import { after, before, describe, mock, test } from 'node:test'
import { ApiError } from '../kernel/errors.ts'
import {
  connections,
  FakeConnection,
  FakeStream,
  FakeTrack,
  network,
  openRoom,
  settle,
} from './session.test.fixture.ts'

describe('a call on a page', () => {
  let capture: () => Promise<FakeStream>
  const captured: FakeTrack[] = []
  const former = new Map<string, PropertyDescriptor | undefined>()
  before(() => {
    mock.timers.enable({ apis: ['setTimeout'] })
    const devices = {
      getUserMedia: () => capture(),
      getDisplayMedia: () => capture(),
      enumerateDevices: async () => [],
    }
    const globals = {
      MediaStream: FakeStream,
      RTCPeerConnection: FakeConnection,
      navigator: { mediaDevices: devices },
    }
    for (const [name, value] of Object.entries(globals)) {
      former.set(name, Object.getOwnPropertyDescriptor(globalThis, name))
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
    }
  })
  after(() => {
    mock.timers.reset()
    for (const [name, descriptor] of former)
      if (descriptor === undefined) Reflect.deleteProperty(globalThis, name)
      else Object.defineProperty(globalThis, name, descriptor)
  })
  const allowDevices = () => {
    connections.length = 0
    captured.length = 0
    capture = async () => {
      captured.push(new FakeTrack('audio'), new FakeTrack('video'))
      return new FakeStream(captured.slice(-2))
    }
  }

  test('a page sends its call tracks to the participants of the call, not to others in the room', async () => {
    allowDevices()
    const { join, show, asked } = openRoom()
    const call = await join()
    show('ada', { mode: 'mesh', tracks: ['audio'], muted: [] })
    show('eve', undefined)
    assert.deepEqual(
      [call.status(), call.mode(), call.peers().map(({ id }) => id)],
      ['live', 'mesh', ['ada']],
    )
    assert.deepEqual(
      connections.map(({ sent }) => sent),
      [['audio', 'video']],
    )
    assert.equal(asked.at(-1), 'update audio+video')
    show('ada', undefined)
    assert.equal(connections[0]?.isClosed, true)
    call.leave()
  })

  test('when a call moves to the media server, a page opens a session, publishes its tracks and then announces them', async () => {
    allowDevices()
    const { join, show, asked } = openRoom()
    const call = await join()
    show('ada', { mode: 'mesh', tracks: [], muted: [] })
    asked.length = 0
    show('ada', { mode: 'sfu', tracks: [], muted: [] })
    show('me1', { mode: 'sfu', tracks: [], muted: [] })
    await settle()
    assert.equal(call.mode(), 'sfu')
    assert.equal(connections[0]?.isClosed, true, 'the one between the browsers')
    assert.deepEqual(asked.slice(0, 2), ['session', 'publish'])
    assert.equal(asked.at(-1), 'update audio+video')
    call.leave()
  })

  test('in a call, a failed connection to the media server is replaced, and the page announces its tracks again', async () => {
    allowDevices()
    const { join, show, asked } = openRoom()
    const call = await join()
    show('me1', { mode: 'sfu', tracks: [], muted: [] })
    await settle()
    asked.length = 0
    const first = connections.at(-1)
    first?.become('failed')
    await settle()
    assert.equal(first?.isClosed, true)
    assert.notEqual(connections.at(-1), first)
    assert.deepEqual(asked, ['update ', 'session', 'publish', 'update audio+video'])
    call.leave()
  })

  test('a call ends with an error after three failed connections in a row', async () => {
    allowDevices()
    const { room, join, show, asked } = openRoom()
    const call = await join()
    show('me1', { mode: 'sfu', tracks: [], muted: [] })
    await settle()
    const loseConnection = async (wasConnected: boolean) => {
      if (wasConnected) connections.at(-1)?.become('connected')
      connections.at(-1)?.become('failed')
      await settle()
    }
    // A connection that succeeded resets the count of failures.
    for (const wasConnected of [false, false, true, false]) await loseConnection(wasConnected)
    assert.deepEqual([call.status(), call.error()], ['live', null])
    const count = connections.length
    await loseConnection(false)
    show('me1', { mode: 'sfu', tracks: [], muted: [] })
    await settle()
    assert.deepEqual([call.status(), asked.at(-1), connections.length], ['refused', 'leave', count])
    assert.match(call.error()?.message ?? '', /lets no call through/)
    assert.ok(captured.every(({ isStopped }) => isStopped))
    assert.equal(room.status(), 'live', 'until the components that are in it leave it')
  })

  test('a page that reconnects to a call while it gathers ICE candidates publishes its tracks once, in the new session', async () => {
    allowDevices()
    const { join, show, asked, lose, enter } = openRoom()
    const call = await join()
    network.iceGatheringState = 'gathering'
    show('me1', { mode: 'sfu', tracks: [], muted: [] })
    await settle()
    const first = connections.at(-1)
    assert.deepEqual([asked.at(-1), first?.listeners], ['session', 1])
    network.iceGatheringState = 'complete'
    lose()
    asked.length = 0
    enter('me2')
    await settle()
    show('me2', { mode: 'sfu', tracks: [], muted: [] })
    await settle()
    mock.timers.tick(60_000)
    await settle()
    assert.equal(first?.listeners, 0)
    assert.deepEqual(asked.slice(-3), ['session', 'publish', 'update audio+video'])
    assert.equal(asked.filter((kind) => kind === 'publish').length, 1)
    call.leave()
  })

  test('a page publishes its call tracks after two seconds even if gathering ICE candidates has not finished', async () => {
    allowDevices()
    const { join, show, asked } = openRoom()
    const call = await join()
    network.iceGatheringState = 'gathering'
    show('me1', { mode: 'sfu', tracks: [], muted: [] })
    await settle()
    network.iceGatheringState = 'complete'
    mock.timers.tick(2000)
    await settle()
    assert.deepEqual([asked.at(-1), connections.at(-1)?.listeners], ['update audio+video', 0])
    call.leave()
  })

  test('a media session is opened with the first track, and a track that the server does not have yet is requested again', async () => {
    allowDevices()
    const { join, show, asked, late } = openRoom()
    const call = await join()
    await call.publish({ audio: false, video: false })
    show('me1', { mode: 'sfu', tracks: [], muted: [] })
    await settle()
    assert.ok(!asked.includes('session'), 'there is nothing to carry')
    late.add('video')
    asked.length = 0
    show('ada', { mode: 'sfu', tracks: ['audio', 'video'], muted: [] })
    await settle()
    assert.deepEqual(asked, ['session', 'pull', 'answer'])
    mock.timers.tick(1000)
    await settle()
    late.clear()
    mock.timers.tick(2000)
    await settle()
    assert.deepEqual(asked.slice(3), ['pull', 'pull', 'answer'])
    mock.timers.tick(60_000)
    await settle()
    assert.equal(asked.length, 6)
    call.leave()
  })

  test('call tracks are requested again when the media server has none of them yet', async () => {
    allowDevices()
    const { join, show, asked, late } = openRoom()
    const call = await join()
    show('me1', { mode: 'sfu', tracks: [], muted: [] })
    await settle()
    late.add('audio')
    asked.length = 0
    show('ada', { mode: 'sfu', tracks: ['audio'], muted: [] })
    await settle()
    assert.deepEqual(asked, ['pull'])
    late.clear()
    mock.timers.tick(1000)
    await settle()
    assert.deepEqual(asked, ['pull', 'pull', 'answer'])
    call.leave()
  })

  test('a media session that received no track is not reused, because it never connects and expires', async () => {
    allowDevices()
    const { join, show, asked, late } = openRoom()
    const call = await join()
    await call.publish({ audio: false, video: false })
    show('me1', { mode: 'sfu', tracks: [], muted: [] })
    await settle()
    late.add('audio')
    asked.length = 0
    show('ada', { mode: 'sfu', tracks: ['audio'], muted: [] })
    await settle()
    late.clear()
    mock.timers.tick(1000)
    await settle()
    assert.deepEqual(asked, ['session', 'pull', 'session', 'pull', 'answer'])
    call.leave()
  })

  test('a call track that cannot be published is reported, and published in a new session at the next track change', async () => {
    allowDevices()
    const { join, show, asked, server } = openRoom()
    const call = await join()
    server.isDown = true
    show('me1', { mode: 'sfu', tracks: [], muted: [] })
    await settle()
    assert.equal(call.error()?.message, 'Try again.')
    server.isDown = false
    asked.length = 0
    await call.publish({ video: true })
    assert.deepEqual([asked, call.error()], [['session', 'publish', 'update audio+video'], null])
    call.leave()
  })

  test('changes in the room do not shorten the delay before a missing call track is requested again', async () => {
    allowDevices()
    const { join, show, asked, late } = openRoom()
    const call = await join()
    show('me1', { mode: 'sfu', tracks: [], muted: [] })
    await settle()
    late.add('audio')
    asked.length = 0
    for (let turn = 0; turn < 5; turn++) {
      show('ada', { mode: 'sfu', tracks: ['audio'], muted: [] })
      await settle()
    }
    assert.deepEqual(asked, ['pull'])
    // A new track is requested at once. The missing track is requested again only after its delay.
    show('ben', { mode: 'sfu', tracks: ['video'], muted: [] })
    await settle()
    assert.deepEqual(asked.splice(0), ['pull', 'pull', 'answer'])
    // A track that was removed and sent again is requested again at once.
    show('ada', { mode: 'sfu', tracks: [], muted: [] })
    show('ada', { mode: 'sfu', tracks: ['audio'], muted: [] })
    late.clear()
    await settle()
    assert.deepEqual(asked, ['pull', 'answer'])
    mock.timers.tick(60_000)
    await settle()
    assert.equal(asked.length, 2)
    call.leave()
  })

  test('a call track whose request fails after four retries is reported until it arrives or is no longer needed', async () => {
    allowDevices()
    const { join, show, asked, server } = openRoom()
    const call = await join()
    show('me1', { mode: 'sfu', tracks: [], muted: [] })
    await settle()
    server.isDown = true
    asked.length = 0
    show('ada', { mode: 'sfu', tracks: ['audio'], muted: [] })
    await settle()
    for (const waitMs of [1000, 2000, 4000]) {
      mock.timers.tick(waitMs)
      await settle()
      assert.equal(call.error(), null)
    }
    mock.timers.tick(8000)
    await settle()
    assert.equal(call.error()?.message, 'Try again.')
    assert.equal(asked.filter((kind) => kind === 'pull').length, 5)
    server.isDown = false
    mock.timers.tick(30_000)
    await settle()
    assert.deepEqual([asked.at(-1), call.error()], ['answer', null])
    // While the media server is down, the error about a missing track stays until its peer leaves.
    server.isDown = true
    show('ben', { mode: 'sfu', tracks: ['audio'], muted: [] })
    for (const waitMs of [0, 1000, 2000, 4000, 8000]) {
      mock.timers.tick(waitMs)
      await settle()
    }
    assert.equal(call.error()?.message, 'Try again.')
    show('ben', undefined)
    await settle()
    assert.equal(call.error(), null)
    call.leave()
  })

  test('turning a camera off ends its track at the media server, and turning it on publishes a new one', async () => {
    allowDevices()
    const { join, show, asked } = openRoom()
    const call = await join()
    show('me1', { mode: 'sfu', tracks: [], muted: [] })
    await settle()
    asked.length = 0
    await call.publish({ video: false })
    assert.deepEqual(asked, ['close', 'update audio'])
    await call.publish({ video: true })
    assert.deepEqual(asked.slice(2), ['publish', 'update audio+video'])
    call.leave()
  })

  test('after a lost connection a page rejoins the call as a new peer with the same tracks', async () => {
    allowDevices()
    const { join, show, asked, lose, enter } = openRoom()
    const call = await join()
    show('ada', { mode: 'mesh', tracks: [], muted: [] })
    lose()
    assert.equal(call.status(), 'joining')
    asked.length = 0
    enter('me2')
    await settle()
    assert.deepEqual([asked[0], asked.at(-1), call.status()], ['join', 'update audio+video', 'live'])
    assert.deepEqual(
      connections.map(({ isClosed }) => isClosed),
      [true, false],
    )
    call.leave()
    assert.ok(captured.every(({ isStopped }) => isStopped))
    await settle()
    assert.equal(asked.at(-1), 'leave')
  })

  test('a page that leaves a call while rejoining does not rejoin', async () => {
    allowDevices()
    const { room, join, asked, lose, enter } = openRoom()
    // Another component has joined the room.
    void room.join()
    const call = await join()
    lose()
    enter('me2')
    call.leave()
    await settle()
    assert.deepEqual([call.status(), asked.slice(-3)], ['left', ['join', 'leave', 'leave']])
    assert.ok(connections.every(({ isClosed }) => isClosed))
  })

  test('when the room or the browser refuses a call, joining rejects with the reason and stops all tracks', async () => {
    allowDevices()
    await assert.rejects(openRoom(new ApiError('unavailable', 'The call is full.')).join(), {
      code: 'unavailable',
    })
    assert.equal(captured.length, 0, 'the camera was not asked for')
    for (const [name, code] of [
      ['NotAllowedError', 'forbidden'],
      ['NotFoundError', 'not_found'],
      ['NotReadableError', 'unavailable'],
    ] as const) {
      capture = () => Promise.reject(new DOMException('', name))
      const { join, asked } = openRoom()
      await assert.rejects(join(), { code })
      assert.equal(asked.at(-1), 'leave', name)
    }
  })

  test('a camera that the browser allows only after the page has left the call is stopped', async () => {
    allowDevices()
    const { join } = openRoom()
    const call = await join()
    const late = Promise.withResolvers<FakeStream>()
    capture = () => late.promise
    const published = call.publish({ video: true })
    call.leave()
    const track = new FakeTrack('video')
    late.resolve(new FakeStream([track]))
    await published
    assert.equal(track.isStopped, true)
  })

  test('muting, and unplugging a camera, are announced to the other participants of a call', async () => {
    allowDevices()
    const { join, asked } = openRoom()
    const call = await join()
    call.mute('audio', true)
    assert.deepEqual(
      [captured[0]?.enabled, call.isMuted('audio'), call.isMuted('video')],
      [false, true, false],
    )
    captured[1]?.dispatchEvent(new Event('ended'))
    await settle()
    assert.deepEqual([asked.at(-1), call.isMuted('video')], ['update audio', true])
    call.leave()
  })
})
