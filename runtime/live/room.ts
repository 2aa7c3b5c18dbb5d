import type { CallRequests, CallClientFrame, Signal } from '../call/types.ts'
import { ApiError, fromFailure, invalid, signedOutEarly } from '../kernel/errors.ts'
import type { Peer, RoomServerFrame, RoomClientFrame, RoomMessage } from './types.ts'

/**
 * Below the limit of the room's Durable Object, so that a busy page delays its frames instead of being
 * disconnected.
 */
const FRAMES_PER_SECOND = 25
const PRESENCE_MS = 50
const MESSAGES_MAX = 1000
const DATA_BYTES_MAX = 32 * 1024
const PRESENCE_BYTES_MAX = 1024
/** The delay before leaving. A component that is moved within the page unmounts and mounts again within this time. */
const LINGER_MS = 200

/**
 * `stale` means that the connection is lost and reconnects by itself. With `refused`, `error()` returns the reason, and the page does not
 * reconnect.
 */
export type RoomStatus = 'out' | 'connecting' | 'live' | 'stale' | 'refused'

/** The connection of a page to a room. Reconnects by itself until it is closed. */
export interface RoomConnection {
  send(frame: RoomClientFrame): void
  close(): void
}

export interface RoomConnectionEvents {
  /** Returns the number of the last message received, so that only later ones are requested. */
  since(): number
  frame(frame: RoomServerFrame): void
  lost(): void
  failed(error: ApiError, isFinal: boolean): void
}

interface PendingFrame {
  frame: Extract<RoomClientFrame, { ref: string }>
  resolve(value: unknown): void
  reject(error: ApiError): void
}

const CONNECTION_LOST = new ApiError('unavailable', 'The connection to the room was lost.')

type MessageListener = (data: unknown, message: RoomMessage) => void

export class Room {
  readonly #connect: (events: RoomConnectionEvents) => RoomConnection
  readonly #listeners = new Set<() => void>()
  readonly #signals = new Set<(from: string, data: Signal) => void>()
  readonly #handlers = new Map<string, Set<MessageListener>>()
  readonly #pending = new Map<string, PendingFrame>()
  #connection: RoomConnection | null = null
  #joins = 0
  #entered = Promise.withResolvers<void>()
  #status: RoomStatus = 'out'
  #error: ApiError | null = null
  #ownPeerId: string | null = null
  #peers: Peer[] = []
  #messages: RoomMessage[] = []
  #lastSeq = 0
  /** Whether this page was in the room before, so that messages since then count as missed and not as history. */
  #isKnown = false
  #isReturned = false
  #state = new Map<string, unknown>()
  #presence: unknown = null
  #isPresenceDue = false
  #queue: RoomClientFrame[] = []
  #sentAt: number[] = []
  #timer: ReturnType<typeof setTimeout> | null = null
  #version = 0

  constructor(connect: (events: RoomConnectionEvents) => RoomConnection) {
    this.#connect = connect
  }

  /** Enters the room. Resolves once the page is in the room, rejects when the page may not enter. Each call needs its own `leave`. */
  join(presence?: unknown): Promise<void> {
    if (presence !== undefined) this.setPresence(presence)
    this.#joins++
    if (this.#connection === null) this.#openConnection()
    return this.#entered.promise
  }

  leave(): void {
    this.#joins--
    setTimeout(() => this.#joins <= 0 && this.#closeConnection('out'), LINGER_MS)
  }

  /** Forgets all data and connects again. With `hasLeft`, pending frames are not sent, because another person is signed in now. */
  restart(hasLeft = false): void {
    if (hasLeft) this.#rejectPending(signedOutEarly())
    this.#isKnown = false
    this.#lastSeq = 0
    this.#messages = []
    this.#state = new Map()
    if (this.#joins > 0) this.#openConnection()
  }

  #openConnection(): void {
    this.#closeConnection('connecting')
    this.#entered = Promise.withResolvers()
    // Prevents an unhandled rejection: a caller that does not await `join` reads `error()`.
    this.#entered.promise.catch(() => {})
    const connection = this.#connect({
      since: () => this.#lastSeq,
      frame: (frame) => this.#receiveFrame(frame),
      lost: () => this.#setStale(),
      failed: (error, isFinal) => {
        // The reason may arrive late: after the page has left, entered again, or connected for another person.
        if (this.#connection === connection && this.#status !== 'live') this.#setError(error, isFinal)
      },
    })
    this.#connection = connection
  }

  /** Sets the data about this page that others see, at most 1 KB. */
  setPresence(presence: unknown): void {
    requireBytesWithin('presence', presence, PRESENCE_BYTES_MAX)
    this.#presence = presence
    if (this.#isPresenceDue) return
    this.#isPresenceDue = true
    setTimeout(() => {
      this.#isPresenceDue = false
      this.#queueFrame({ type: 'presence', presence: this.#presence })
    }, PRESENCE_MS)
  }

  /** Returns all pages in the room, including this one. */
  readonly peers = (): Peer[] => this.#peers

  /** Returns the id of this page in the room; null while it is not in the room. */
  readonly me = (): string | null => this.#ownPeerId

  readonly status = (): RoomStatus => this.#status

  readonly error = (): ApiError | null => this.#error

  /** Sends a message to all pages in the room, including this one. Resolves once the room has stored it. */
  async broadcast(type: string, data: unknown): Promise<void> {
    requireBytesWithin('data', data, DATA_BYTES_MAX)
    await this.#sendAndWait({ type: 'broadcast', ref: crypto.randomUUID(), event: type, data })
  }

  /**
   * Calls `handler` with every new message of a type, including those missed while disconnected. Returns the function
   * that unsubscribes.
   */
  on(type: string, handler: MessageListener): () => void {
    const handlers = this.#handlers.get(type) ?? new Set()
    this.#handlers.set(type, handlers.add(handler))
    return () => void handlers.delete(handler)
  }

  /** Returns the stored messages and all later ones, oldest first. */
  messages(type?: string): RoomMessage[] {
    return type === undefined ? this.#messages : this.#messages.filter((one) => one.type === type)
  }

  /** A key-value state that all pages in the room share. The last write of a key wins. */
  readonly state = {
    get: (key: string): unknown => {
      const own = [...this.#pending.values()].findLast(
        ({ frame }) => frame.type === 'state' && frame.key === key,
      )
      return own?.frame.type === 'state' ? own.frame.value : (this.#state.get(key) ?? null)
    },
    /** Sets a key; a null value removes it. This page shows the change at once. Resolves once the room has stored it. */
    set: async (key: string, value: unknown): Promise<void> => {
      requireBytesWithin('value', value, DATA_BYTES_MAX)
      await this.#sendAndWait({ type: 'state', ref: crypto.randomUUID(), key, value })
    },
    keys: (): string[] => {
      const own = [...this.#pending.values()].flatMap(({ frame }) =>
        frame.type === 'state' ? [frame.key] : [],
      )
      return [...new Set([...this.#state.keys(), ...own])].filter((key) => this.state.get(key) !== null)
    },
  }

  /**
   * The requests and WebRTC signals of audio and video calls. A request rejects when the connection is lost, because the page
   * then enters the room again as another peer.
   */
  readonly rtc = {
    ask: async <Kind extends keyof CallRequests>(
      kind: Kind,
      ask: CallRequests[Kind]['ask'],
    ): Promise<CallRequests[Kind]['answer']> =>
      (await this.#sendAndWait({
        type: 'call',
        ref: crypto.randomUUID(),
        kind,
        ask,
      } as CallClientFrame)) as CallRequests[Kind]['answer'],
    send: (to: string, data: Signal): void => this.#queueFrame({ type: 'rtc', to, data }),
    listen: (listener: (from: string, data: Signal) => void): (() => void) => {
      this.#signals.add(listener)
      return () => void this.#signals.delete(listener)
    },
  }

  /** Calls `listener` after every change. Returns the function that unsubscribes. */
  readonly listen = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Increases with every change. */
  readonly version = (): number => this.#version

  #sendAndWait(frame: PendingFrame['frame']): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#connection === null)
        return reject(this.#error ?? new ApiError('unavailable', 'This page is not in the room.'))
      this.#pending.set(frame.ref, { frame, resolve, reject })
      this.#queueFrame(frame)
      if (frame.type === 'state') this.#notifyListeners()
    })
  }

  #receiveFrame(frame: RoomServerFrame): void {
    switch (frame.type) {
      case 'room':
        this.#ownPeerId = frame.me
        this.#isReturned = this.#isKnown
        this.#isKnown = true
        this.#peers = frame.peers
        this.#state = new Map(Object.entries(frame.state))
        this.#status = 'live'
        this.#error = null
        for (const { frame: asked } of this.#pending.values())
          if (asked.type === 'call') this.#settlePending(asked.ref, CONNECTION_LOST)
        // Send pending frames again after a lost connection. By `ref`, the room detects the frames that it already has.
        this.#queue = [...this.#pending.values()].map((one) => one.frame)
        if (this.#presence !== null) this.#queue.unshift({ type: 'presence', presence: this.#presence })
        this.#sendQueue()
        this.#entered.resolve()
        break
      case 'peers':
        this.#peers = withChangedPeers(this.#peers, frame)
        break
      case 'messages':
        this.#receiveMessages(frame.items, frame.missed === true && !this.#isReturned)
        this.#settlePending(frame.ref)
        break
      case 'state':
        if (frame.value === null) this.#state.delete(frame.key)
        else this.#state.set(frame.key, frame.value)
        this.#settlePending(frame.ref)
        break
      case 'rtc':
        for (const listener of this.#signals) listener(frame.from, frame.data)
        return
      case 'call':
        return this.#settlePending(frame.ref, undefined, frame.value)
      case 'forget':
        this.#messages = this.#messages.filter(({ from }) => from?.userId !== frame.userId)
        this.#peers = this.#peers.filter(({ userId }) => userId !== frame.userId)
        break
      case 'refused':
        this.#settlePending(frame.ref, fromFailure(frame))
        break
    }
    this.#notifyListeners()
  }

  /** Handlers do not get messages from before this page entered the room. */
  #receiveMessages(items: RoomMessage[], isHistory: boolean): void {
    const fresh = items.filter(({ seq }) => seq > this.#lastSeq)
    this.#lastSeq = fresh.at(-1)?.seq ?? this.#lastSeq
    this.#messages = [...this.#messages, ...fresh].slice(-MESSAGES_MAX)
    if (isHistory) return
    for (const message of fresh)
      for (const handler of this.#handlers.get(message.type) ?? []) handler(message.data, message)
  }

  #settlePending(ref: string | undefined, error?: ApiError, value?: unknown): void {
    const one = this.#pending.get(ref ?? '')
    this.#pending.delete(ref ?? '')
    if (error === undefined) one?.resolve(value)
    else one?.reject(error)
  }

  #rejectPending(error: ApiError): void {
    for (const ref of this.#pending.keys()) this.#settlePending(ref, error)
  }

  #setStale(): void {
    this.#ownPeerId = null
    if (this.#status === 'live') this.#status = 'stale'
    this.#notifyListeners()
  }

  #setError(error: ApiError, isFinal: boolean): void {
    if (isFinal) this.#closeConnection('refused', error)
    this.#error = error
    if (isFinal) this.#entered.reject(error)
    this.#notifyListeners()
  }

  #closeConnection(
    status: RoomStatus,
    error = new ApiError('unavailable', 'This page has left the room.'),
  ): void {
    this.#connection?.close()
    this.#connection = null
    this.#ownPeerId = null
    this.#status = status
    // Otherwise, when this page enters again without a presence, other pages would see the old one, such as that the person is typing.
    if (status === 'out') this.#presence = null
    if (status !== 'connecting') {
      this.#rejectPending(error)
      this.#peers = []
    }
    this.#notifyListeners()
  }

  #queueFrame(frame: RoomClientFrame): void {
    // Before the page is in the room, send nothing: entering the room sends the pending frames and the presence.
    if (this.#ownPeerId === null) return
    this.#queue.push(frame)
    this.#sendQueue()
  }

  #sendQueue(): void {
    const now = Date.now()
    this.#sentAt = this.#sentAt.filter((at) => at > now - 1000)
    while (this.#queue.length > 0 && this.#sentAt.length < FRAMES_PER_SECOND && this.#ownPeerId !== null) {
      this.#connection?.send(this.#queue.shift() as RoomClientFrame)
      this.#sentAt.push(now)
    }
    if (this.#queue.length === 0 || this.#timer !== null) return
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#sendQueue()
    }, 1000 / FRAMES_PER_SECOND)
  }

  #notifyListeners(): void {
    this.#version++
    for (const listener of this.#listeners) listener()
  }
}

function withChangedPeers(peers: Peer[], { put, left }: Extract<RoomServerFrame, { type: 'peers' }>): Peer[] {
  const all = new Map(peers.map((peer) => [peer.id, peer]))
  for (const peer of put) all.set(peer.id, peer)
  for (const id of left) all.delete(id)
  return [...all.values()]
}

function requireBytesWithin(field: string, value: unknown, most: number): void {
  if (new TextEncoder().encode(JSON.stringify(value ?? null)).length > most)
    throw invalid(field, `has more than ${most / 1024} KB`)
}
