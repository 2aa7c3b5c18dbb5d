import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { ApiError } from '../../kernel/errors.ts'
import { act, press, render, screen } from '../../testing/kit.test.fixture.tsx'
import type { CallRoom } from '../room.ts'
import { FakeStream, FakeTrack } from '../session.test.fixture.ts'
import type { CallRequests } from '../types.ts'
import { useCall } from './use-call.ts'

/** A room that records whether this page is in the call. With a `refusal`, the page cannot join. */
class FakeRoom implements CallRoom {
  readonly asked: string[] = []
  isInCall = false
  entries = 0
  refusal: ApiError | null = null
  readonly #listeners = new Set<() => void>()
  #status = 'live'

  join = async () => void this.entries++
  leave = () => void this.entries--
  me = () => 'p1'
  peers = () => []
  status = () => this.#status
  error = () => this.refusal
  listen = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  readonly rtc = {
    ask: async <Kind extends keyof CallRequests>(kind: Kind): Promise<CallRequests[Kind]['answer']> => {
      this.asked.push(kind)
      if (kind === 'leave') this.isInCall = false
      if (kind !== 'join') return null
      if (this.refusal !== null) throw this.refusal
      this.isInCall = true
      return { audioOnly: false, iceServers: [] } as unknown as CallRequests[Kind]['answer']
    },
    send: () => {},
    listen: () => () => {},
  }

  /** The room removes the page, for instance because its session has ended. */
  remove(error: ApiError): void {
    this.refusal = error
    this.#status = 'refused'
    for (const listener of this.#listeners) listener()
  }
}

function Page({ room }: { room: FakeRoom }) {
  const { call, isJoining, error, join, leave } = useCall(room)
  return (
    <>
      <output>{call !== null ? 'in the call' : isJoining ? 'joining' : (error?.message ?? 'out')}</output>
      <button type="button" onClick={() => void join()}>
        Join
      </button>
      <button type="button" onClick={leave}>
        Leave
      </button>
    </>
  )
}

describe('a component that uses the call of a room', () => {
  const known = (['mediaDevices', 'MediaStream'] as const).map(
    (name, index) =>
      [name, Object.getOwnPropertyDescriptor(index === 0 ? navigator : globalThis, name)] as const,
  )
  let devices: PromiseWithResolvers<FakeStream>[]
  let tracks: FakeTrack[]
  let room: FakeRoom
  before(() => {
    Object.defineProperty(globalThis, 'MediaStream', { configurable: true, value: FakeStream })
    const getUserMedia = () => {
      const asked = Promise.withResolvers<FakeStream>()
      devices.push(asked)
      return asked.promise
    }
    Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: { getUserMedia } })
  })
  after(() => {
    for (const [index, [name, descriptor]] of known.entries()) {
      const owner = index === 0 ? navigator : globalThis
      if (descriptor === undefined) Reflect.deleteProperty(owner, name)
      else Object.defineProperty(owner, name, descriptor)
    }
  })
  beforeEach(() => {
    devices = []
    tracks = []
    room = new FakeRoom()
  })

  const shown = () => screen.getByRole('status').textContent
  const pressAndWait = (name: string) =>
    act(async () => {
      press(name)
      // The code for calls is loaded when the first call begins.
      await import('../session.ts')
    })
  /** The person allows the microphone and camera that the browser has asked for. */
  const allow = () =>
    act(async () => {
      const own = [new FakeTrack('audio'), new FakeTrack('video')]
      tracks.push(...own)
      devices.at(-1)?.resolve(new FakeStream(own))
    })

  test('a person joins and leaves the call with one click each, and leaving turns off their camera', async () => {
    render(<Page room={room} />)
    await pressAndWait('Join')
    assert.equal(shown(), 'joining')
    await allow()
    assert.deepEqual([shown(), room.isInCall], ['in the call', true])
    await pressAndWait('Leave')
    assert.deepEqual([shown(), room.isInCall, room.entries], ['out', false, 0])
    assert.ok(tracks.every(({ isStopped }) => isStopped))
  })

  test('a second click on join while the browser asks for the camera does not end the call that the first click began', async () => {
    render(<Page room={room} />)
    await pressAndWait('Join')
    await pressAndWait('Join')
    await allow()
    assert.deepEqual([shown(), room.isInCall], ['in the call', true])
    assert.equal(devices.length, 1, 'the browser asks for the camera once')
  })

  test('a click on join while the page is in the call keeps the call', async () => {
    render(<Page room={room} />)
    await pressAndWait('Join')
    await allow()
    await pressAndWait('Join')
    assert.deepEqual([shown(), room.isInCall, devices.length], ['in the call', true, 1])
  })

  test('a person who leaves while the browser asks for the camera does not join the call by allowing the camera afterwards', async () => {
    render(<Page room={room} />)
    await pressAndWait('Join')
    await pressAndWait('Leave')
    assert.equal(shown(), 'out')
    await allow()
    assert.deepEqual([shown(), room.isInCall, room.entries], ['out', false, 0])
    assert.ok(tracks.every(({ isStopped }) => isStopped))
  })

  test('a person who leaves and rejoins a call before the first join has finished is in the call once', async () => {
    render(<Page room={room} />)
    await pressAndWait('Join')
    await pressAndWait('Leave')
    await pressAndWait('Join')
    await allow()
    await allow()
    await act(async () => {})
    assert.deepEqual([shown(), room.isInCall], ['in the call', true])
    assert.equal(room.entries, 1)
  })

  test('a person who refuses the camera sees an error, and can join the call after allowing the camera', async () => {
    render(<Page room={room} />)
    await pressAndWait('Join')
    await act(async () => devices.at(-1)?.reject(new DOMException('denied', 'NotAllowedError')))
    assert.match(shown() ?? '', /may not use the camera and the microphone/)
    assert.equal(room.isInCall, false)
    await pressAndWait('Join')
    await allow()
    assert.equal(shown(), 'in the call')
  })

  test('a page that cannot join because the call is full shows the reason from the room', async () => {
    room.refusal = new ApiError('unavailable', 'The call is full.')
    render(<Page room={room} />)
    await pressAndWait('Join')
    assert.deepEqual([shown(), room.entries], ['The call is full.', 0])
  })

  test('a page that the live room removes from a call shows the reason and turns off the camera', async () => {
    render(<Page room={room} />)
    await pressAndWait('Join')
    await allow()
    await act(async () => room.remove(new ApiError('unauthorized', 'You are signed out.')))
    assert.equal(shown(), 'You are signed out.')
    assert.ok(tracks.every(({ isStopped }) => isStopped))
  })

  test('a component that unmounts leaves its call, even when its attempt to join finishes later', async () => {
    const { unmount } = render(<Page room={room} />)
    await pressAndWait('Join')
    await allow()
    unmount()
    assert.deepEqual([room.isInCall, room.entries], [false, 0])
    const second = render(<Page room={room} />)
    await pressAndWait('Join')
    second.unmount()
    await allow()
    assert.deepEqual([room.isInCall, room.entries], [false, 0])
    assert.ok(tracks.every(({ isStopped }) => isStopped))
  })

  test('a component that shows another room leaves the call of the previous room', async () => {
    const other = new FakeRoom()
    const { rerender } = render(<Page room={room} />)
    await pressAndWait('Join')
    await allow()
    await act(async () => rerender(<Page room={other} />))
    assert.deepEqual([shown(), room.isInCall, other.isInCall], ['out', false, false])
    await pressAndWait('Join')
    await allow()
    assert.deepEqual([shown(), room.isInCall, other.isInCall], ['in the call', false, true])
  })
})
