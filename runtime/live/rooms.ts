import { type CallPage, RoomCalls } from '../call/calls.ts'
import { CallList } from '../call/list.ts'
import { callSettingsOf } from '../call/provider.ts'
import type { CallClientFrame, CallLocation } from '../call/types.ts'
import type { ObjectState, ServerSocket } from 'cloudflare:workers'
import { type Attachment, openSocket, tagOf } from '../data/partition/sockets.ts'
import { type Actor, ownerOf } from '../kernel/access/actor.ts'
import type { ResultOf, AsyncHandlersOf } from '../kernel/objects/calls.ts'
import { isTooDeep } from '../kernel/depth.ts'
import { ApiError, asResult, toFailure } from '../kernel/errors.ts'
import type { Hold } from '../kernel/objects/hold.ts'
import { logError } from '../kernel/objects/log.ts'
import { RoomStore } from './store.ts'
import {
  type Peer,
  ROOM_HEADER,
  type RoomServerFrame,
  type RoomClientFrame,
  type RoomMessage,
  type RoomObjectCalls,
  type PeerState,
} from './types.ts'
import { fieldsOf, requireShortText, utf8Length } from '../kernel/fields.ts'
import type { SocketHeaders } from '../data/socket-headers.ts'

const COALESCE_MS = 50
/** A message's data may have 32 KB, and the rest of its frame 1 KB. */
const FRAME_BYTES_MAX = 33 * 1024
/** Enough for the session description of a call with 50 people. */
const CALL_BYTES_MAX = 256 * 1024
/** The presence is stored with the socket, and at most 2 KB can be stored with a socket. */
const PRESENCE_BYTES_MAX = 1024
const FRAMES_PER_SECOND = 30
/** Allows a burst of frames that the network has delayed. */
const BURST_FRAMES = 60
const NAME_CHARS_MAX = 100
export const ROOMS_OF_PERSON_MAX = 5000

interface RoomDeps {
  ctx: ObjectState
  hold: Hold
  maxPeers: number
  env: unknown
  /**
   * Adds the room to the list in the directory before anything is stored in the room. Null in a Durable Object that the directory always
   * lists, such as a person's object.
   */
  announce: ((room: string) => Promise<unknown>) | null
  /** Stores in the directory whether an audio or video call is running in a room. */
  noteCall: (call: Omit<CallLocation, 'place'>, isOn: boolean) => Promise<unknown>
  /** The maximum number of rooms in the list of this person; null for no limit. */
  notedMax: number | null
  /** Throws when this Durable Object may not list rooms, for instance because its person does not exist. */
  requireNoting: () => void
}

type RoomAttachment = Attachment & { seat?: PeerState | undefined }

type StoredFrame = Extract<RoomClientFrame, { type: 'broadcast' | 'state' }>

export class ObjectRooms {
  readonly #deps: RoomDeps
  readonly #store: RoomStore
  readonly #calls: RoomCalls
  readonly #peerStates = new WeakMap<ServerSocket, PeerState>()
  readonly #frameBudgets = new WeakMap<ServerSocket, { left: number; at: number }>()
  readonly #leftSockets = new WeakSet<ServerSocket>()
  /** Changed peers that have not been sent yet, by room and peer; null when the peer left. */
  readonly #peerChanges = new Map<string, Map<string, Peer | null>>()
  #isAnnounced = false

  constructor(deps: RoomDeps) {
    this.#deps = deps
    this.#store = new RoomStore(deps.ctx.storage)
    this.#calls = new RoomCalls(callSettingsOf(deps.env), (error) => logError(error, { route: 'call' }))
  }

  newPeer(request: Request, actor: Actor): PeerState | null {
    const header = (request.headers as SocketHeaders).get(ROOM_HEADER)
    if (header === null) return null
    const { room, history, canCall } = JSON.parse(header)
    if (this.#socketsIn(room).length >= this.#deps.maxPeers)
      throw new ApiError('unavailable', 'The room is full.')
    return { room, peer: crypto.randomUUID(), userId: ownerOf(actor), presence: null, history, canCall }
  }

  /** Opens a socket that carries only the room's frames. */
  open(peerState: PeerState, { hash, actor }: Pick<Attachment, 'hash' | 'actor'>, since: number): Response {
    const opened = openSocket(this.#deps.ctx, { hash, actor, collections: [], seat: peerState })
    if (opened === null) return new Response(null, { status: 503 })
    this.enter(opened.socket, peerState, since)
    return opened.response
  }

  /** Sends the room's state to the new socket, and the new peer to the other sockets. */
  enter(socket: ServerSocket, peerState: PeerState, since: number): void {
    const { room, peer } = peerState
    this.#peerStates.set(socket, peerState)
    sendFrame(socket, { type: 'room', me: peer, peers: this.#peersIn(room), state: this.#store.state(room) })
    const items = this.#store.since(room, since)
    if (items.length > 0) sendFrame(socket, { type: 'messages', items, missed: true })
    this.#announcePeer(room, peer, toPeer(peerState))
  }

  take(socket: ServerSocket, text: string | ArrayBuffer): boolean {
    const peerState = this.#peerStateOf(socket)
    if (peerState === null) return false
    const frame = typeof text === 'string' ? parseFrame(text) : null
    if (frame?.type === 'mutate') return false
    // Ignore messages of a socket that was closed because its person signed out or was erased. Such messages arrive until the client also
    // closes the socket.
    if (socket.readyState !== WebSocket.OPEN) return true
    if (frame === null) socket.close(1008, 'This frame is not understood.')
    else if (this.#isTooFast(socket)) socket.close(1008, `At most ${FRAMES_PER_SECOND} messages a second.`)
    else if (utf8Length(text as string) > frameBytesMax(frame))
      socket.close(1009, 'A message has at most 32 KB.')
    // Serializing is recursive: once a deep value was stored, no page could enter the room any more.
    else if (isTooDeep(frame)) socket.close(1008, 'A message is nested too deeply.')
    else if (frame.type === 'presence') this.#setPresence(socket, peerState, frame.presence)
    else if (frame.type === 'rtc') this.#forwardSignal(socket, peerState, frame)
    else if (frame.type === 'call') void this.#answerCall(socket, peerState, frame)
    else this.#changeRoom(socket, peerState, frame)
    return true
  }

  /** Tells the other sockets of the room that the page of this socket has left. May be called twice. */
  leave(socket: ServerSocket): void {
    const peerState = this.#peerStateOf(socket)
    if (peerState === null || this.#leftSockets.has(socket)) return
    this.#leftSockets.add(socket)
    this.#announcePeer(peerState.room, peerState.peer, null)
    if (peerState.call !== undefined) this.#noteCall(peerState.room)
  }

  /** Called before the object closes sockets. Announces at once that their peers have left, before the network reports the close. */
  closing(userId?: string): void {
    for (const socket of this.#deps.ctx.getWebSockets(userId)) this.leave(socket)
  }

  /** Removes the messages and state of a person, and makes open pages remove them, too. */
  forget(userId: string): void {
    const gone = this.#store.forget(userId)
    for (const { room, key } of gone) this.#sendAll(room, { type: 'state', key, value: null })
    for (const socket of this.#deps.ctx.getWebSockets())
      if (this.#peerStateOf(socket) !== null) sendFrame(socket, { type: 'forget', userId })
  }

  get store(): RoomStore {
    return this.#store
  }

  /** Returns the rooms in this object's list, to copy the list to another cloud account. */
  dump(): string[] {
    return this.#store.roomNames()
  }

  restore(rooms: string[]): void {
    for (const room of rooms) this.#store.addRoom(room, null)
  }

  /** Returns an `ApiError` as a value instead of throwing it. */
  async answer<Kind extends keyof RoomObjectCalls>(
    kind: Kind,
    ask: RoomObjectCalls[Kind]['ask'],
  ): Promise<ResultOf<RoomObjectCalls, Kind>> {
    return await asResult(() => this.#handlers[kind](ask))
  }

  readonly #handlers: AsyncHandlersOf<RoomObjectCalls> = {
    note: ({ room }) => {
      this.#deps.requireNoting()
      this.#store.addRoom(room, this.#deps.notedMax)
      return null
    },
    noted: () => this.#store.roomNames(),
    callsAt: ({ calls, isOn }) => new CallList(this.#deps.ctx.storage).record(calls, isOn),
    calls: () => new CallList(this.#deps.ctx.storage).newest(),
    forgetCalls: ({ place }) => new CallList(this.#deps.ctx.storage).forget(place),
    call: ({ room }) => this.#callersIn(room),
    broadcast: async ({ room, history, event, data }) => {
      this.#deps.hold.require()
      if (history > 0) await this.#announceRoom(room)
      this.#sendMessage(
        room,
        { type: requireEventName(event), data, from: null },
        { history, ref: null, socket: null },
      )
      return null
    },
    peers: ({ room }) => this.#peersIn(room),
  }

  #peerStateOf(socket: ServerSocket): PeerState | null {
    const known = this.#peerStates.get(socket)
    if (known !== undefined) return known
    // After hibernation the map is empty, so read the state that is stored with the socket.
    const { seat: peerState } = socket.deserializeAttachment() as RoomAttachment
    if (peerState === undefined) return null
    this.#peerStates.set(socket, peerState)
    return peerState
  }

  /** Returns only sockets that are open. */
  #socketsIn(room: string): ServerSocket[] {
    const all = this.#deps.ctx.getWebSockets(tagOf(room))
    return all.filter((socket) => socket.readyState === WebSocket.OPEN)
  }

  #peersIn(room: string): Peer[] {
    return this.#socketsIn(room).flatMap((socket) => {
      const peerState = this.#peerStateOf(socket)
      return peerState === null ? [] : [toPeer(peerState)]
    })
  }

  #callersIn(room: string) {
    return this.#socketsIn(room).flatMap((socket) => {
      const peerState = this.#peerStateOf(socket)
      return peerState?.call === undefined || this.#leftSockets.has(socket)
        ? []
        : [{ ...peerState.call, userId: peerState.userId }]
    })
  }

  /** Only logs a failure: it merely leaves the operator's list of calls incomplete. */
  #noteCall(room: string): void {
    const isOn = this.#callersIn(room).length > 0
    this.#deps
      .noteCall({ room, atMs: Date.now() }, isOn)
      .catch((error: unknown) => logError(error, { route: 'call' }))
  }

  #isTooFast(socket: ServerSocket): boolean {
    const now = Date.now()
    const { left, at } = this.#frameBudgets.get(socket) ?? { left: BURST_FRAMES, at: now }
    const rest = Math.min(BURST_FRAMES, left + ((now - at) * FRAMES_PER_SECOND) / 1000) - 1
    this.#frameBudgets.set(socket, { left: rest, at: now })
    return rest < 0
  }

  #setPresence(socket: ServerSocket, peerState: PeerState, presence: unknown): void {
    if (utf8Length(JSON.stringify(presence ?? null)) > PRESENCE_BYTES_MAX)
      return socket.close(1008, 'A presence has at most 1 KB.')
    peerState.presence = presence ?? null
    this.#storePeerState(socket, peerState)
    this.#announcePeer(peerState.room, peerState.peer, toPeer(peerState))
  }

  #storePeerState(socket: ServerSocket, peerState: PeerState): void {
    const attachment = socket.deserializeAttachment() as Attachment
    socket.serializeAttachment({ ...attachment, seat: peerState })
  }

  /** Forwards a WebRTC signal from one page to another. Drops it when the other page has left. */
  #forwardSignal(
    socket: ServerSocket,
    peerState: PeerState,
    { to, data }: Extract<RoomClientFrame, { type: 'rtc' }>,
  ): void {
    for (const other of this.#socketsIn(peerState.room)) {
      const theirs = this.#peerStateOf(other)
      if (theirs?.peer !== to) continue
      try {
        this.#calls.requireSignal(peerState.call, theirs.call, data)
        sendFrame(other, { type: 'rtc', from: peerState.peer, data })
      } catch (error) {
        sendRefusal(socket, '', error)
      }
    }
  }

  async #answerCall(socket: ServerSocket, peerState: PeerState, frame: CallClientFrame): Promise<void> {
    try {
      this.#deps.hold.require()
      if (peerState.canCall !== true) throw new ApiError('not_enabled', 'The capability call is off.')
      const otherPages = () =>
        this.#socketsIn(peerState.room).flatMap((one) => {
          const theirs = this.#peerStateOf(one)
          return one === socket || theirs === null ? [] : [this.#pageOf(one, theirs)]
        })
      const value = await this.#calls.answer(this.#pageOf(socket, peerState), otherPages, frame)
      sendFrame(socket, { type: 'call', ref: frame.ref, value })
    } catch (error) {
      sendRefusal(socket, frame.ref, error)
    }
  }

  #pageOf(socket: ServerSocket, peerState: PeerState): CallPage {
    return {
      peer: peerState.peer,
      get call() {
        return peerState.call
      },
      set: (call, isQuiet) => {
        const isSame = (peerState.call === undefined) === (call === undefined)
        peerState.call = call
        if (socket.readyState !== WebSocket.OPEN) return
        this.#storePeerState(socket, peerState)
        if (!isSame) this.#noteCall(peerState.room)
        if (isQuiet !== true) this.#announcePeer(peerState.room, peerState.peer, toPeer(peerState))
      },
    }
  }

  #changeRoom(socket: ServerSocket, peerState: PeerState, frame: StoredFrame): void {
    const isKept = frame.type === 'state' || peerState.history > 0
    if (!isKept || this.#isRoomAnnounced) return this.#applyFrame(socket, peerState, frame)
    // The directory must list the room first. Frames that arrive in the meantime wait, so that their order is kept.
    void this.#deps.ctx.blockConcurrencyWhile(async () => {
      try {
        await this.#announceRoom(peerState.room)
        this.#applyFrame(socket, peerState, frame)
      } catch (error) {
        logError(error, { route: 'live' })
        const failure = toFailure(new ApiError('unavailable', 'The room cannot store anything right now.'))
        sendFrame(socket, { type: 'refused', ref: frame.ref, ...failure })
      }
    })
  }

  #applyFrame(socket: ServerSocket, peerState: PeerState, frame: StoredFrame): void {
    const { room, peer, userId, history } = peerState
    const { ref } = frame
    try {
      this.#deps.hold.require()
      if (frame.type === 'broadcast')
        return this.#sendMessage(
          room,
          { type: requireEventName(frame.event), data: frame.data ?? null, from: { id: peer, userId } },
          { history, ref, socket },
        )
      const { key, value = null } = frame
      this.#store.set(room, key, value, userId)
      this.#sendAll(room, { type: 'state', key, value }, socket)
      sendFrame(socket, { type: 'state', key, value, ref })
    } catch (error) {
      sendRefusal(socket, ref, error)
    }
  }

  /** Stores a message and sends it to all sockets. The sender's copy carries the `ref` of the frame that it came from. */
  #sendMessage(
    room: string,
    said: Omit<RoomMessage, 'seq'>,
    { history, ref, socket }: { history: number; ref: string | null; socket: ServerSocket | null },
  ): void {
    const nowMs = Date.now()
    const { message, isNew } = this.#store.append(room, said, { ref, limit: history, nowMs })
    const frame = { type: 'messages' as const, items: [message] }
    if (isNew) this.#sendAll(room, frame, socket)
    if (socket !== null && ref !== null) sendFrame(socket, { ...frame, ref })
  }

  get #isRoomAnnounced(): boolean {
    this.#isAnnounced ||= this.#deps.announce === null || this.#store.isUsed
    return this.#isAnnounced
  }

  async #announceRoom(room: string): Promise<void> {
    if (this.#isRoomAnnounced) return
    await this.#deps.announce?.(room)
    this.#isAnnounced = true
  }

  /** Collects changes for a moment and sends them in one frame, however many pages enter or leave. */
  #announcePeer(room: string, peer: string, now: Peer | null): void {
    const known = this.#peerChanges.get(room)
    if (known !== undefined) return void known.set(peer, now)
    this.#peerChanges.set(room, new Map([[peer, now]]))
    setTimeout(() => {
      const news = [...(this.#peerChanges.get(room) ?? [])]
      this.#peerChanges.delete(room)
      const put = news.flatMap(([, one]) => one ?? [])
      const left = news.flatMap(([id, one]) => (one === null ? [id] : []))
      this.#sendAll(room, { type: 'peers', put, left })
    }, COALESCE_MS)
  }

  #sendAll(room: string, frame: RoomServerFrame, but: ServerSocket | null = null): void {
    const text = JSON.stringify(frame)
    for (const socket of this.#socketsIn(room)) if (socket !== but) socket.send(text)
  }
}

const toPeer = ({ peer, userId, presence, call }: PeerState): Peer => ({
  id: peer,
  userId,
  presence,
  // Leaves out the media server session, which other peers must not see.
  ...(call !== undefined && { call: { mode: call.mode, tracks: call.tracks, muted: call.muted } }),
})

function sendFrame(socket: ServerSocket, frame: RoomServerFrame): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame))
}

function sendRefusal(socket: ServerSocket, ref: string, error: unknown): void {
  if (!(error instanceof ApiError)) throw error
  sendFrame(socket, { type: 'refused', ref, ...toFailure(error) })
}

const frameBytesMax = ({ type }: RoomClientFrame): number =>
  type === 'call' ? CALL_BYTES_MAX : FRAME_BYTES_MAX

const requireEventName = (event: unknown): string => requireShortText('type', event, NAME_CHARS_MAX)

const FRAME_TYPES: readonly unknown[] = ['presence', 'broadcast', 'state', 'mutate', 'rtc', 'call']
/** Frame types that get a reply with their `ref`. */
const TYPES_WITH_REF: readonly unknown[] = ['broadcast', 'state', 'call']

function parseFrame(text: string): RoomClientFrame | { type: 'mutate' } | null {
  try {
    const frame = JSON.parse(text)
    return isFrame(frame) ? frame : null
  } catch {
    return null
  }
}

/** Checks only the type and the `ref` of a frame. The other fields are checked where they are used. */
function isFrame(value: unknown): value is RoomClientFrame | { type: 'mutate' } {
  const { type, ref } = fieldsOf(value)
  const isNamed = typeof ref === 'string' && ref.length <= NAME_CHARS_MAX
  return FRAME_TYPES.includes(type) && (isNamed || !TYPES_WITH_REF.includes(type))
}
