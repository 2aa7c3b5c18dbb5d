import { ApiError } from '../kernel/errors.ts'
import { Room, type RoomConnectionEvents } from '../live/room.ts'
import type { Peer, RoomClientFrame } from '../live/types.ts'
import { CallSession } from './session.ts'

export class FakeTrack extends EventTarget {
  readonly kind: string
  enabled = true
  isStopped = false

  constructor(kind: string) {
    super()
    this.kind = kind
  }

  stop(): void {
    this.isStopped = true
  }
}

export class FakeStream {
  readonly id = crypto.randomUUID()
  readonly #tracks: FakeTrack[]

  constructor(tracks: FakeTrack[] = []) {
    this.#tracks = [...tracks]
  }

  getTracks = () => this.#tracks
  getVideoTracks = () => this.#tracks.filter(({ kind }) => kind === 'video')
  addTrack = (track: FakeTrack) => void this.#tracks.push(track)
  removeTrack = (track: FakeTrack) => {
    const at = this.#tracks.indexOf(track)
    if (at !== -1) this.#tracks.splice(at, 1)
  }
}

export const connections: FakeConnection[] = []

/** The ICE gathering state of each new fake connection. `complete` means that it has found its own network addresses. */
export const network = { iceGatheringState: 'complete' }

/** Fakes a connection that is established at once and transports no media. */
export class FakeConnection extends EventTarget {
  isClosed = false
  readonly sent: string[] = []
  localDescription = { type: 'offer', sdp: 'v=0' }

  connectionState = 'connected'
  remoteDescription: object | null = null
  iceGatheringState = network.iceGatheringState
  listeners = 0
  readonly signalingState = 'stable'
  onconnectionstatechange = () => {}

  constructor() {
    super()
    connections.push(this)
  }

  override addEventListener(...args: Parameters<EventTarget['addEventListener']>): void {
    this.listeners++
    super.addEventListener(...args)
  }

  override removeEventListener(...args: Parameters<EventTarget['removeEventListener']>): void {
    this.listeners--
    super.removeEventListener(...args)
  }

  become(state: 'connected' | 'failed'): void {
    this.connectionState = state
    this.onconnectionstatechange()
  }

  addTrack({ kind }: FakeTrack) {
    this.sent.push(kind)
    return { track: null, replaceTrack: async () => {} }
  }

  addTransceiver({ kind }: FakeTrack) {
    this.sent.push(kind)
    return { mid: String(this.sent.length - 1), sender: { replaceTrack: async () => {} }, stop: () => {} }
  }

  removeTrack(): void {}
  createDataChannel(): void {}
  createOffer = async () => ({ type: 'offer' as const, sdp: 'v=0' })
  createAnswer = async () => ({ type: 'answer' as const, sdp: 'v=0' })
  setLocalDescription = async () => {}
  setRemoteDescription = async (description: object) => {
    this.remoteDescription = description
  }

  close(): void {
    this.isClosed = true
  }
}

export const settle = async () => {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve()
}

/** Builds a room without a server: it replies to every request about the call and stores who is in the call. */
export function openRoom(refusal: ApiError | null = null) {
  /** Tracks that the media server does not have yet. */
  const late = new Set<string>()
  /** While `isDown`, the media server rejects every request. */
  const server = { isDown: false }
  const asked: string[] = []
  let connection: RoomConnectionEvents | undefined
  let me = ''
  const peers = new Map<string, Peer>()
  const show = (id: string, call: Peer['call']) => {
    const peer = { id, userId: null, presence: null, ...(call !== undefined && { call }) }
    peers.set(id, peer)
    connection?.frame({ type: 'peers', put: [peer], left: [] })
  }
  const answer = (frame: RoomClientFrame) => {
    if (frame.type !== 'call') return
    const { ref, kind } = frame
    asked.push(kind === 'update' ? `update ${frame.ask.tracks.join('+')}` : kind)
    const arriving = kind === 'pull' ? frame.ask.tracks.filter(({ track }) => !late.has(track)) : []
    if (kind === 'join' && refusal !== null)
      return connection?.frame({ type: 'refused', ref, code: refusal.code, message: refusal.message })
    if ((kind === 'pull' || kind === 'publish') && server.isDown)
      return connection?.frame({ type: 'refused', ref, code: 'unavailable', message: 'Try again.' })
    const value =
      kind === 'join'
        ? { audioOnly: false, iceServers: [] }
        : kind === 'publish'
          ? { sdp: 'v=0' }
          : kind === 'pull'
            ? {
                sdp: arriving.length === 0 ? null : 'v=0',
                tracks: arriving.map((one, index) => ({ ...one, mid: `9${index}` })),
              }
            : null
    connection?.frame({ type: 'call', ref, value })
    if (kind === 'join') show(me, { mode: 'mesh', tracks: [], muted: [] })
  }
  const room = new Room((events) => {
    connection = events
    return { send: (frame) => queueMicrotask(() => answer(frame)), close: () => {} }
  })
  const enter = (id: string) => {
    peers.delete(me)
    me = id
    connection?.frame({
      type: 'room',
      me,
      peers: [...peers.values()].filter((peer) => peer.id !== me),
      state: {},
    })
  }
  const join = async () => {
    const joined = CallSession.join(
      room,
      { audio: true, video: true },
      (code, message) => new ApiError(code, message),
    )
    // The test asserts the rejection itself. Without this the process would report it as unhandled.
    joined.catch(() => {})
    enter('me1')
    await settle()
    return joined
  }
  return { room, asked, late, server, show, enter, join, lose: () => connection?.lost() }
}
